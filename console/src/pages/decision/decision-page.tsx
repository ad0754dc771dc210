// One decision: the outcome first, then why these hosts were chosen or none.
import { Box, Button, Grid, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { Link, useParams } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { Answered } from '../../shown/answered';
import { IdText } from '../../shown/copy-text';
import { countBy } from '../../shown/count-by';
import { download } from '../../shown/csv';
import { IconBraces, IconRefresh } from '../../shown/icons';
import { Note } from '../../shown/note';
import { PageHead } from '../../shown/page-head';
import { PageLink } from '../../shown/page-link';
import { Panel, Part } from '../../shown/part';
import { Refusal } from '../../shown/refusal';
import { PngButton } from '../../shown/save-buttons';
import { Sentence } from '../../shown/sentence';
import { TimeText } from '../../shown/time-text';
import type { Decision, Pass, ShownPass } from './decision-document';
import { DecisionFunnel } from './decision-funnel';
import { headlineOf } from './decision-headline';
import { OUTCOME_MARKS, OutcomeMark } from './outcome-mark';
import { requestAgain, whatIfPath } from './request-again';
import { PrefilterPanel, RequestPanel } from './request-panel';
import { WeightBars } from './weight-bars';
import { WhyNotAnswer, WhyNotForm } from './why-not';

const ABOVE = { name: 'Decisions', to: '/decisions' };

export default function DecisionPage() {
  const { requestId = '' } = useParams();
  const question = useAnswer('fixed', ['decision', requestId], ({ scheduler }, signal) =>
    scheduler.scheduler.decisions.get(requestId, { signal }),
  );
  return (
    <>
      <PageHead
        title={question.data === undefined ? 'Decision' : headlineOf(question.data)}
        above={ABOVE}
        subtitle={<Subtitle requestId={requestId} decision={question.data} />}
        actions={question.data && <Actions decision={question.data} />}
      />
      <Answered question={question}>{(decision) => <Body decision={decision} />}</Answered>
    </>
  );
}

function Subtitle({ requestId, decision }: { readonly requestId: string; readonly decision: Decision | undefined }) {
  return (
    <Group gap="sm">
      <IdText id={requestId} />
      {decision !== undefined && (
        <Text span>
          <TimeText at={decision.at} />, in {decision.duration_ms.toLocaleString('en')} ms, by {decision.driver}
        </Text>
      )}
    </Group>
  );
}

function Actions({ decision }: { readonly decision: Decision }) {
  const { may } = useSession();
  const { request } = decision;
  const save = (): void => {
    const text = JSON.stringify(decision, undefined, 2);
    download(`${decision.request_id}.json`, new Blob([text], { type: 'application/json' }));
  };
  return (
    <>
      {request !== null && may('berth:scheduler:explain') && (
        <Button component={Link} to={whatIfPath(requestAgain(request))} leftSection={<IconRefresh size={16} />}>
          Change and retry
        </Button>
      )}
      <Button variant="default" leftSection={<IconBraces size={16} />} onClick={save}>
        JSON
      </Button>
    </>
  );
}

function Body({ decision }: { readonly decision: Decision }) {
  const { request, prefilters, summary } = decision;
  const at = Number(useAddress().get('pass'));
  const chosen = at < decision.passes.length ? at : 0;
  const pass = decision.passes[chosen];
  return (
    <Stack gap="md">
      <Outcome decision={decision} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <PassChoice passes={decision.passes} chosen={chosen} />
            <FunnelPanel decision={decision} pass={pass} />
            {pass !== undefined && pass.ranked > 0 && <WeightPanel pass={pass} />}
            {decision.passes_truncated && (
              <Text c="dimmed">{`The record keeps ${decision.passes.length} of ${decision.passes_made} passes.`}</Text>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Paper withBorder p="md">
            <Stack gap="lg">
              <Refusal refusal={summary} changes={summary.fixes?.changes ?? []} changesAt={summary.fixes?.at} />
              {request !== null && <RequestPanel request={request} />}
              {prefilters.length > 0 && <PrefilterPanel prefilters={prefilters} />}
              <Note className="numbers">{`Seed ${decision.seed}, configuration ${decision.config_revision}`}</Note>
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Selects the instance of a batch to display. */
function PassChoice({ passes, chosen }: { readonly passes: readonly Pass[]; readonly chosen: number }) {
  const { set } = useAddress();
  if (passes.length < 2) return null;
  return (
    <Select
      label="Instance"
      maw={420}
      data={passes.map((pass, at) => ({ value: String(at), label: nameOf(pass) }))}
      value={String(chosen)}
      allowDeselect={false}
      searchable
      onChange={(value) => set({ pass: Number(value) === 0 ? undefined : Number(value), stage: undefined }, 'push')}
    />
  );
}

function nameOf({ index, phase, selected }: Pass): string {
  if (phase === 'alternates') return 'Alternates';
  return `Instance ${index + 1}: ${selected?.host ?? 'no host'}`;
}

/** The service's summary sentence. For a placed decision it is small: the headline has said all but the ids. */
function Outcome({ decision: { outcome, code, summary } }: { readonly decision: Decision }) {
  const isPlaced = outcome === 'placed';
  const color = `var(--mantine-color-${OUTCOME_MARKS[outcome].color}-filled)`;
  return (
    <Paper withBorder p="md" style={{ borderInlineStart: `6px solid ${color}` }}>
      <Sentence text={summary.sentence} size={isPlaced ? 'sm' : 'md'} lh={1.45} />
      <Group gap="sm" mt="xs">
        <OutcomeMark outcome={outcome} />
        {code !== null && <Note ff="monospace">{code}</Note>}
        {!isPlaced && <Text c="dimmed">{`Message for the tenant: ${summary.user_message}`}</Text>}
      </Group>
    </Paper>
  );
}

function FunnelPanel({ decision, pass }: ShownPass) {
  const picture = useRef<HTMLDivElement>(null);
  if (decision.placement === null && pass === undefined) {
    return (
      <Panel title="Scheduling steps">
        <Text>The request was refused before any host was checked.</Text>
      </Panel>
    );
  }
  return (
    <Panel
      title="Scheduling steps"
      aside={
        <Group gap="xs">
          <WhyNotForm decision={decision} pass={pass} />
          <PngButton name={`${decision.request_id}-funnel`} of={picture} />
        </Group>
      }
    >
      <WhyNotAnswer decision={decision} pass={pass} />
      <Box ref={picture} p={4} bg="var(--mantine-color-body)">
        <DecisionFunnel decision={decision} pass={pass} />
      </Box>
      {pass !== undefined && pass.passed_because.length > 0 && <Surprises pass={pass} />}
    </Panel>
  );
}

/** Filters that evaluate the metadata of host aggregates have names with this prefix. */
const isOfAggregates = ({ filter }: { readonly filter: string }): boolean => filter.startsWith('Aggregate');

/** Hosts that passed a filter for an unexpected reason. */
function Surprises({ pass }: { readonly pass: Pass }) {
  const { may } = useSession();
  const lines = countBy(pass.passed_because.map(({ filter, message }) => `${filter}: ${message}`));
  return (
    <Part title="Passed for a reason that may surprise">
      {[...lines].slice(0, 8).map(([line, hosts]) => (
        <Sentence key={line} text={hosts === 1 ? line : `${line} (${hosts} hosts)`} />
      ))}
      {may('berth:scheduler:host_aggregates:list') && pass.passed_because.some(isOfAggregates) && (
        <PageLink to="/registries/aggregates">Show the host aggregates</PageLink>
      )}
    </Part>
  );
}

function WeightPanel({ pass }: { readonly pass: Pass }) {
  const address = useAddress();
  const isAll = address.get('ranking') === 'all';
  return (
    <Panel
      title="Weights"
      aside={
        pass.ranking.length > 10 && (
          <Button variant="default" onClick={() => address.set({ ranking: isAll ? undefined : 'all' })}>
            {isAll ? 'Show the first 10' : `Show ${pass.ranking.length}`}
          </Button>
        )
      }
    >
      <WeightBars pass={pass} most={isAll ? pass.ranking.length : 10} />
    </Panel>
  );
}
