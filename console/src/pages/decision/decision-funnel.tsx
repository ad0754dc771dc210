// The pipeline of a decision as a funnel: hosts from Placement, hosts after each filter, weighed and claimed hosts.
import { Code, Stack, Text } from '@mantine/core';
import { countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { Funnel } from '../../shown/funnel';
import { SmallTable } from '../../shown/small-table';
import { ClaimsTable } from './claims-table';
import type { Decision, Pass, PlacementRecord } from './decision-document';
import type { DecisionStage } from './decision-stages';
import { stagesOf } from './decision-stages';
import { FallenHosts } from './fallen-hosts';

interface Props {
  readonly decision: Decision;
  /** The selected pass; absent if the decision has none. */
  readonly pass?: Pass | undefined;
  /** The key of the expanded stage. */
  readonly open?: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
  readonly label?: string;
}

export function DecisionFunnel({ decision, pass, open, onOpen, label = 'Stages of the decision' }: Props) {
  const stages = stagesOf(decision, pass).map((stage) => ({ ...stage, more: moreOf(stage, decision, pass) }));
  return <Funnel label={label} stages={stages} open={open} onOpen={onOpen} />;
}

function moreOf(stage: DecisionStage, decision: Decision, pass: Pass | undefined) {
  if (stage.kind === 'placement' && decision.placement !== null) {
    return <Asked placement={decision.placement} stage={stage} />;
  }
  if (stage.folded !== undefined) {
    return (
      <SmallTable
        label="Stages that rejected no host"
        columns={FOLDED}
        rows={stage.folded}
        keyOf={({ name }) => name}
        hasHead={false}
      />
    );
  }
  if (stage.kind === 'claimed' && pass !== undefined && pass.claims.length > 0) return <ClaimsTable pass={pass} />;
  return stage.fallen.length > 0 ? <FallenHosts groups={stage.fallen} /> : undefined;
}

/** The query sent to Placement, and the hosts that Placement rejected. */
function Asked({ placement, stage }: { readonly placement: PlacementRecord; readonly stage: DecisionStage }) {
  const { query, fallback, gave_up: gaveUp, not_considered: beyond, rejections } = placement;
  return (
    <Stack gap="sm">
      <Request query={query} />
      {fallback !== null && (
        <div>
          <Text>{`Asked again, since that found nothing: ${countText(fallback.hosts)} hosts.`}</Text>
          <Request query={fallback.query} />
        </div>
      )}
      {gaveUp && <Text>The search reached its work limit: hosts that fit may be missing.</Text>}
      {beyond !== null && beyond > 0 && (
        <Text>{`${countText(beyond)} more would have done: the answer was cut at max_placement_results.`}</Text>
      )}
      {rejections === null ? (
        <Text c="dimmed">
          Why Placement did not return the others was not recorded, since there were hosts left. Ask about one of them
          by its name.
        </Text>
      ) : (
        <FallenHosts groups={stage.fallen} />
      )}
    </Stack>
  );
}

const Request = ({ query }: { readonly query: string }) => (
  <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {`GET /allocation_candidates?${query}`}
  </Code>
);

type FoldedStage = NonNullable<DecisionStage['folded']>[number];

const FOLDED: readonly Column<FoldedStage>[] = [
  { key: 'name', name: 'Stage', cell: ({ name }) => name },
  {
    key: 'passed',
    name: 'Passed',
    cell: ({ skipped }) => (skipped ? 'not asked: the request gives it nothing to judge' : 'all passed'),
  },
  { key: 'left', name: 'Hosts', align: 'right', cell: ({ left }) => countText(left) },
];
