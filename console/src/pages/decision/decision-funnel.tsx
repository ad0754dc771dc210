import { Collapse, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
// The pipeline of a decision as a funnel: hosts from Placement, hosts after each filter, weighed and claimed hosts.
import type { ReactNode } from 'react';
import { useAddress } from '../../address/use-address';
import { countText } from '../../shown/amount';
import { CodeLines } from '../../shown/copy-text';
import type { Column } from '../../shown/data-table';
import { IconChevronDown, IconChevronRight } from '../../shown/icons';
import { Note } from '../../shown/note';
import { SmallTable } from '../../shown/small-table';
import { inkOf } from '../../theme';
import type { Decision, Pass, PlacementRecord, ShownPass } from './decision-document';
import type { DecisionStage } from './decision-stages';
import { emptiedBy, stagesOf } from './decision-stages';
import { FallenHosts, HostAnchor } from './fallen-hosts';
import classes from './funnel.module.css';

interface Props extends ShownPass {
  /** Prefix of the parameter in the address. */
  readonly name?: string;
  readonly label?: string;
}

/** In the address: all stages are collapsed. */
const NO_STAGE = 'none';

export function DecisionFunnel({ decision, pass, name = '', label = 'Stages of the decision' }: Props) {
  const { get, set } = useAddress();
  const stages = stagesOf(decision, pass);
  // By default the stage that left no host is expanded.
  const open = get(`${name}stage`) || emptiedBy(stages);
  const most = Math.max(1, ...stages.map(({ left, before = 0 }) => Math.max(left, before)));
  return (
    <ol aria-label={label} className={classes.funnel}>
      {stages.map((stage) => (
        <FunnelStage
          key={stage.key}
          stage={stage}
          most={most}
          more={moreOf(stage, decision, pass)}
          isOpen={open === stage.key}
          onOpen={(key) => set({ [`${name}stage`]: key ?? NO_STAGE })}
        />
      ))}
    </ol>
  );
}

interface StageProps {
  readonly stage: DecisionStage;
  /** The largest number of hosts of any stage. */
  readonly most: number;
  /** Shown when the stage is expanded: the rejected hosts and the reasons. */
  readonly more: ReactNode;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | undefined) => void;
}

/** How many hosts remain after one stage, and why the others were rejected. */
function FunnelStage({ stage, most, more, isOpen, onOpen }: StageProps) {
  const { key, name, before, left, note } = stage;
  const lost = before === undefined ? 0 : before - left;
  const width = (count: number): string => `${(count / most) * 100}%`;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  const line = (
    <div className={classes.line}>
      <div className={classes.icon}>{more !== undefined && <Icon size={14} />}</div>
      <div className={classes.name}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {note !== undefined && <Note lineClamp={2}>{note}</Note>}
      </div>
      <div className={classes.bar} aria-hidden>
        <Bar
          width={width(before ?? left)}
          color="light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-5))"
        />
        <Bar width={width(left)} color={left === 0 ? 'var(--mantine-color-red-8)' : 'var(--mantine-color-cyan-7)'} />
      </div>
      <Text fw={600} className={classes.left}>
        {countText(left)}
      </Text>
      <Text c={inkOf('red')} className={classes.lost}>
        {lost > 0 ? `− ${countText(lost)}` : ''}
      </Text>
    </div>
  );
  if (more === undefined) return <li>{line}</li>;
  return (
    <li>
      <UnstyledButton w="100%" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : key)}>
        {line}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Paper withBorder p="sm" mb="xs" className={classes.more}>
          {more}
        </Paper>
      </Collapse>
    </li>
  );
}

function Bar({ width, color }: { readonly width: string; readonly color: string }) {
  return <div style={{ width, background: color }} />;
}

function moreOf(stage: DecisionStage, decision: Decision, pass: Pass | undefined) {
  if (stage.key === 'placement' && decision.placement !== null) {
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
  if (stage.key === 'claimed' && pass !== undefined && pass.claims.length > 0) return <ClaimsTable pass={pass} />;
  return stage.fallen.length > 0 ? <FallenHosts groups={stage.fallen} /> : undefined;
}

/** The query sent to Placement, and the hosts that Placement rejected. */
function Asked({ placement, stage }: { readonly placement: PlacementRecord; readonly stage: DecisionStage }) {
  const { query, fallback, gave_up: gaveUp, not_considered: beyond, rejections } = placement;
  return (
    <Stack gap="sm">
      <CodeLines text={requestOf(query)} />
      {fallback !== null && (
        <div>
          <Text>{`Asked again, since that found nothing: ${countText(fallback.hosts)} hosts.`}</Text>
          <CodeLines text={requestOf(fallback.query)} />
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

const requestOf = (query: string): string => `GET /allocation_candidates?${query}`;

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

type Claim = Pass['claims'][number];

const OUTCOME_TEXTS: Readonly<Record<Claim['outcome'], string>> = {
  claimed: 'Claimed',
  no_capacity: 'Another request took the capacity',
  conflict: 'Others kept writing to it',
  consumer_exists: 'The instance had allocations already',
  policy: 'The server group allows it no more',
  host_unavailable: 'Its compute service stopped meanwhile',
};

const CLAIM_COLUMNS: readonly Column<Claim>[] = [
  { key: 'host', name: 'Host', cell: (claim) => <HostAnchor host={claim} /> },
  { key: 'candidate', name: 'Candidate', align: 'right', cell: ({ candidate }) => countText(candidate + 1) },
  { key: 'attempts', name: 'Tries', align: 'right', cell: ({ attempts }) => countText(attempts) },
  { key: 'outcome', name: 'Outcome', cell: ({ message, outcome }) => message ?? OUTCOME_TEXTS[outcome] },
];

/** The claims of one pass, in the order of the attempts. */
function ClaimsTable({ pass }: { readonly pass: Pick<Pass, 'claims' | 'claims_truncated'> }) {
  return (
    <>
      <SmallTable
        label="Claims"
        columns={CLAIM_COLUMNS}
        rows={pass.claims}
        keyOf={(_, at) => String(at)}
        minWidth={420}
      />
      {pass.claims_truncated && <Note>There were more claims than the record lists.</Note>}
    </>
  );
}
