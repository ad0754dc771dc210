// One decision: the outcome first, then why these hosts were chosen or none.
import { Anchor, Box, Button, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRef } from 'react';
import { Link, useParams } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { Answered } from '../../shown/answered';
import { IdText } from '../../shown/copy-text';
import { download } from '../../shown/csv';
import { IconBraces, IconRefresh } from '../../shown/icons';
import { PageHead } from '../../shown/page-head';
import { readable } from '../../shown/readable';
import { PngButton } from '../../shown/save-buttons';
import { TimeText } from '../../shown/time-text';
import type { Decision, Pass } from './decision-document';
import { DecisionFunnel } from './decision-funnel';
import { headlineOf } from './decision-headline';
import { emptiedBy, stagesOf } from './decision-stages';
import { Misses } from './misses';
import { outcomeColor, OutcomeMark } from './outcome-mark';
import { PassChoice } from './pass-choice';
import { whatIfAddress } from './request-again';
import { PrefilterPanel, RequestPanel } from './request-panel';
import { WeightBars } from './weight-bars';
import { WhyNotAnswer, WhyNotForm } from './why-not';

const ABOVE = [{ name: 'Decisions', to: '/decisions' }];

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
        <Text size="sm" span>
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
        <Button
          component={Link}
          to={whatIfAddress(request)}
          size="xs"
          leftSection={<IconRefresh size={16} aria-hidden />}
        >
          Change and retry
        </Button>
      )}
      <Button variant="default" size="xs" leftSection={<IconBraces size={16} aria-hidden />} onClick={save}>
        JSON
      </Button>
    </>
  );
}

function Body({ decision }: { readonly decision: Decision }) {
  const { request, prefilters } = decision;
  const address = useAddress();
  const at = Number(address.get('pass'));
  const chosen = at < decision.passes.length ? at : 0;
  const pass = decision.passes[chosen];
  return (
    <Stack gap="md">
      <Outcome decision={decision} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            <PassChoice
              passes={decision.passes}
              chosen={chosen}
              onChoose={(next) => address.set({ pass: next === 0 ? undefined : next, stage: undefined }, 'push')}
            >
              <Stack gap="md">
                <FunnelPanel decision={decision} pass={pass} />
                {pass !== undefined && pass.ranked > 0 && <WeightPanel pass={pass} />}
              </Stack>
            </PassChoice>
            {decision.passes_truncated && (
              <Text size="sm" c="dimmed">
                {`The record keeps ${decision.passes.length} of ${decision.passes_made} passes.`}
              </Text>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Paper withBorder p="md">
            <Stack gap="lg">
              <Misses decision={decision} />
              {request !== null && <RequestPanel request={request} />}
              {prefilters.length > 0 && <PrefilterPanel prefilters={prefilters} />}
              <Text size="xs" c="dimmed" className="numbers">
                {`Seed ${decision.seed}, configuration ${decision.config_revision}`}
              </Text>
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** The service's summary sentence. For a placed decision it is small: the headline has said all but the ids. */
function Outcome({ decision: { outcome, code, summary } }: { readonly decision: Decision }) {
  const isPlaced = outcome === 'placed';
  const color = `var(--mantine-color-${outcomeColor(outcome)}-filled)`;
  return (
    <Paper withBorder p="md" style={{ borderInlineStart: `6px solid ${color}` }}>
      {isPlaced ? (
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <OutcomeMark outcome={outcome} />
          <Sentence text={summary.sentence} size="sm" />
        </Group>
      ) : (
        <>
          <Sentence text={summary.sentence} size="md" />
          <Group gap="sm" mt="xs">
            <OutcomeMark outcome={outcome} />
            {code !== null && (
              <Text size="xs" ff="monospace" c="dimmed">
                {code}
              </Text>
            )}
            <Text size="sm" c="dimmed">
              {`Message for the tenant: ${summary.user_message}`}
            </Text>
          </Group>
        </>
      )}
    </Paper>
  );
}

function Sentence({ text, size }: { readonly text: string; readonly size: 'sm' | 'md' }) {
  return (
    <Text size={size} lh={1.45} style={{ overflowWrap: 'anywhere' }}>
      {readable(text)}
    </Text>
  );
}

interface PassProps {
  readonly decision: Decision;
  readonly pass: Pass | undefined;
}

/** Address value for: all stages are collapsed. */
const NO_STAGE = 'none';

function FunnelPanel({ decision, pass }: PassProps) {
  const address = useAddress();
  const picture = useRef<HTMLDivElement>(null);
  // By default the stage that left no host is expanded; 'none' in the address keeps it collapsed.
  const asked = address.get('stage');
  const open = asked === '' ? emptiedBy(stagesOf(decision, pass)) : asked;
  if (decision.placement === null && pass === undefined) {
    return (
      <Panel title="Scheduling steps">
        <Text size="sm">The request was refused before any host was checked.</Text>
      </Panel>
    );
  }
  return (
    <Panel
      title="Scheduling steps"
      actions={
        <>
          <WhyNotForm decision={decision} pass={pass} />
          <PngButton name={`${decision.request_id}-funnel`} of={picture} />
        </>
      }
    >
      <WhyNotAnswer decision={decision} pass={pass} />
      <Box ref={picture} p={4} bg="var(--mantine-color-body)">
        <DecisionFunnel
          decision={decision}
          pass={pass}
          open={open}
          onOpen={(key) => address.set({ stage: key ?? NO_STAGE })}
        />
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
  const hostsByLine = new Map<string, number>();
  for (const { filter, message } of pass.passed_because) {
    const line = `${filter}: ${message}`;
    hostsByLine.set(line, (hostsByLine.get(line) ?? 0) + 1);
  }
  return (
    <section aria-labelledby="passed-head">
      <Title order={3} size="h6" mb={4} id="passed-head">
        Passed for a reason that may surprise
      </Title>
      {[...hostsByLine].slice(0, 8).map(([line, hosts]) => (
        <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {hosts === 1 ? line : `${line} (${hosts} hosts)`}
        </Text>
      ))}
      {may('berth:scheduler:host_aggregates:list') && pass.passed_because.some(isOfAggregates) && (
        <Anchor component={Link} to="/registries/aggregates" size="sm">
          Show the host aggregates
        </Anchor>
      )}
    </section>
  );
}

function WeightPanel({ pass }: { readonly pass: Pass }) {
  const address = useAddress();
  const isAll = address.get('ranking') === 'all';
  return (
    <Panel
      title="Weights"
      actions={
        pass.ranking.length > 10 && (
          <Button size="xs" variant="default" onClick={() => address.set({ ranking: isAll ? undefined : 'all' })}>
            {isAll ? 'Show the first 10' : `Show ${pass.ranking.length}`}
          </Button>
        )
      }
    >
      <WeightBars
        pass={pass}
        most={isAll ? pass.ranking.length : 10}
        isTable={address.get('weights') === 'numbers'}
        onTable={(isTable) => address.set({ weights: isTable ? 'numbers' : undefined })}
      />
    </Panel>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Panel({ title, actions, children }: PanelProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Paper>
  );
}
