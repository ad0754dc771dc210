// All kept decisions, newest first.
import { Anchor, Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { IconGavel } from '../../shown/icons';
import { PageHead } from '../../shown/page-head';
import { readable } from '../../shown/readable';
import { CsvButton } from '../../shown/save-buttons';
import { TimeText } from '../../shown/time-text';
import { OutcomeMark, OUTCOMES } from '../decision/outcome-mark';
import { DecisionFilters } from './decision-filters';
import type { KeptDecision } from './decision-list';
import { decisionKeyOf, placeText, tookText } from './decision-list';
import { useDecisions } from './use-decisions';

const FILTERS = { outcome: undefined, host: undefined, instance: undefined, project: undefined, hours: undefined };

export default function DecisionsPage() {
  const address = useAddress();
  const [asked, host, instance, project, hours] = ['outcome', 'host', 'instance', 'project', 'hours'].map(address.get);
  const filter = useMemo(
    () => ({
      outcome: OUTCOMES.find((outcome) => outcome === asked),
      host: host || undefined,
      instance: instance || undefined,
      project: project || undefined,
      hours: hours ?? '',
    }),
    [asked, host, instance, project, hours],
  );
  const { newest, rows, hasMore, more } = useDecisions(filter);
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
  return (
    <>
      <PageHead
        title="Decisions"
        subtitle={rows.length > 0 && `${countOf(rows.length, 'decision')}${hasMore ? ' so far' : ''}, newest first`}
        actions={rows.length > 0 && <CsvButton name="decisions" columns={CSV_COLUMNS} rows={() => rows.map(csvRow)} />}
      />
      <DecisionFilters />
      <Answered question={newest}>
        {() => (
          <DataTable
            label="Decisions"
            columns={COLUMNS}
            rows={rows}
            keyOf={decisionKeyOf}
            onEnd={hasMore ? more : undefined}
            empty={isFiltered ? <NoneMatches clear={() => address.set(FILTERS, 'push')} /> : <NoneKept />}
          />
        )}
      </Answered>
    </>
  );
}

const COLUMNS: readonly Column<KeptDecision>[] = [
  { key: 'outcome', name: 'Outcome', width: '124px', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
  {
    key: 'what',
    name: 'Flavor → host',
    width: 'minmax(180px, 1fr)',
    cell: (kept) => {
      const text = placeText(kept);
      return (
        <Anchor component={Link} to={`/decisions/${encodeURIComponent(kept.request_id)}`} size="sm" title={text}>
          {text}
        </Anchor>
      );
    },
  },
  { key: 'at', name: 'When', width: '108px', cell: ({ at }) => <TimeText at={at} /> },
  {
    key: 'reason',
    name: 'Reason of a refusal',
    width: 'minmax(220px, 1.4fr)',
    cell: ({ outcome, sentence }) => (outcome === 'placed' ? '' : <Cut text={readable(sentence)} />),
  },
  {
    key: 'instances',
    name: 'Instances',
    width: '80px',
    align: 'right',
    cell: ({ num_instances: count }) => countText(count),
  },
  { key: 'took', name: 'Took', width: '72px', align: 'right', cell: ({ duration_ms: ms }) => tookText(ms) ?? '–' },
  { key: 'image', name: 'Image', width: 'minmax(80px, 0.3fr)', cell: ({ image }) => <Cut text={image} /> },
  { key: 'project', name: 'Project', width: 'minmax(80px, 0.3fr)', cell: ({ project_id: id }) => <Cut text={id} /> },
];

/** The cell truncates long texts; the title has the full text. */
const Cut = ({ text }: { readonly text: string | null }) => (text === null ? '–' : <span title={text}>{text}</span>);

const CSV_COLUMNS = [
  'at',
  'outcome',
  'code',
  'flavor',
  'hosts',
  'hosts_chosen',
  'instances',
  'duration_ms',
  'image',
  'project',
  'sentence',
  'request_id',
];

const csvRow = (kept: KeptDecision) => [
  kept.at,
  kept.outcome,
  kept.code,
  kept.flavor,
  kept.hosts?.join(' '),
  kept.hosts_chosen,
  kept.num_instances,
  kept.duration_ms,
  kept.image,
  kept.project_id,
  kept.sentence,
  kept.request_id,
];

function NoneMatches({ clear }: { readonly clear: () => void }) {
  return (
    <EmptyState
      icon={IconGavel}
      title="No decision matches"
      action={
        <Button variant="default" size="xs" onClick={clear}>
          Show all
        </Button>
      }
    >
      A host is found where it was chosen or a claim on it was tried; old decisions are removed in time.
    </EmptyState>
  );
}

function NoneKept() {
  return (
    <EmptyState icon={IconGavel} title="No decision has been kept yet">
      Every instance that is placed, or finds no host, is listed here. What a request would get can be tried under{' '}
      <Anchor component={Link} to="/what-if" inherit>
        What if
      </Anchor>
      .
    </EmptyState>
  );
}
