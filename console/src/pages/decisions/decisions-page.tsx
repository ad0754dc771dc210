// All kept decisions, newest first.
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useAddress } from '../../address/use-address';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { Cut } from '../../shown/cut';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { PageLink } from '../../shown/page-link';
import { readable } from '../../shown/readable';
import type { Fields } from '../../shown/save-buttons';
import { CsvButton, membersOf } from '../../shown/save-buttons';
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
        actions={rows.length > 0 && <CsvButton name="decisions" fields={FIELDS} rows={() => rows} />}
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
        <PageLink to={`/decisions/${encodeURIComponent(kept.request_id)}`} title={text}>
          {text}
        </PageLink>
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

const FIELDS: Fields<KeptDecision> = {
  ...membersOf<KeptDecision>('at', 'outcome', 'code', 'flavor'),
  hosts: ({ hosts }) => hosts?.join(' '),
  hosts_chosen: ({ hosts_chosen: chosen }) => chosen,
  instances: ({ num_instances: count }) => count,
  duration_ms: ({ duration_ms: ms }) => ms,
  image: ({ image }) => image,
  project: ({ project_id: id }) => id,
  sentence: ({ sentence }) => sentence,
  request_id: ({ request_id: id }) => id,
};

function NoneMatches({ clear }: { readonly clear: () => void }) {
  return (
    <EmptyState
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
    <EmptyState title="No decision has been kept yet">
      Every instance that is placed, or finds no host, is listed here. What a request would get can be tried under{' '}
      <PageLink to="/what-if" inherit>
        What if
      </PageLink>
      .
    </EmptyState>
  );
}
