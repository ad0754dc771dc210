// All kept decisions, newest first.
import { useAddress } from '../../address/use-address';
import { useLive } from '../../service/live';
import { Cut } from '../../shown/cut';
import { EmptyState, NoneMatches } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { PageLink, TextLink } from '../../shown/page-link';
import { PagedList } from '../../shown/paged-list';
import { readable } from '../../shown/readable';
import type { Fields } from '../../shown/save-buttons';
import { membersOf } from '../../shown/save-buttons';
import { TimeText } from '../../shown/time-text';
import { OUTCOME_MARKS, OutcomeMark, OUTCOMES } from '../decision/outcome-mark';
import { DecisionFilters } from './decision-filters';
import type { KeptDecision } from './decision-list';
import { decisionKeyOf, instanceText, placeText, sinceOf, tookText } from './decision-list';

const FILTERS = { outcome: undefined, host: undefined, instance: undefined, project: undefined, hours: undefined };

/** Polled, because the change stream has no event for a decision that places no instance. */
const LOOKED_FOR_EVERY_MS = 5_000;

export default function DecisionsPage() {
  const address = useAddress();
  const [asked, host, instance, project, hours] = ['outcome', 'host', 'instance', 'project', 'hours'].map(address.get);
  const { state } = useLive();
  const query = {
    outcome: OUTCOMES.find((outcome) => outcome === asked),
    host: host || undefined,
    instance: instance || undefined,
    project_id: project || undefined,
    hours: hours || undefined,
  };
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <PagedList
      title="Decisions"
      one="decision"
      query={query}
      list={({ scheduler }) =>
        ({ hours: period = '', ...rest }, options) =>
          scheduler.scheduler.decisions.list({ ...rest, since: sinceOf(period, Date.now()) }, options)
        }
      rowsOf={({ decisions }) => decisions}
      columns={COLUMNS}
      order="-at"
      everyMs={state === 'paused' ? undefined : LOOKED_FOR_EVERY_MS}
      keyOf={decisionKeyOf}
      fields={FIELDS}
      filters={<DecisionFilters />}
      empty={isFiltered ? <NoneFound clear={() => address.set(FILTERS, 'push')} /> : <NoneKept />}
    />
  );
}

const COLUMNS: readonly ListColumn<KeptDecision>[] = [
  {
    key: 'outcome',
    name: 'Outcome',
    width: '124px',
    value: ({ outcome }) => OUTCOME_MARKS[outcome].name,
    cell: ({ outcome }) => <OutcomeMark outcome={outcome} />,
  },
  {
    key: 'instance',
    name: 'Instance',
    width: 'minmax(110px, 0.5fr)',
    value: instanceText,
    cell: (kept) => <span title={kept.instance ?? undefined}>{instanceText(kept)}</span>,
  },
  {
    key: 'what',
    name: 'Flavor → host',
    width: 'minmax(170px, 1fr)',
    value: placeText,
    cell: (kept) => (
      <PageLink to={`/decisions/${encodeURIComponent(kept.request_id)}`} title={placeText(kept)}>
        {placeText(kept)}
      </PageLink>
    ),
  },
  { key: 'project', name: 'Project', width: 'minmax(80px, 0.4fr)', value: ({ project_id: id }) => id },
  { key: 'at', name: 'When', width: '116px', value: ({ at }) => at, cell: ({ at }) => <TimeText at={at} /> },
  {
    key: 'reason',
    name: 'Reason of a refusal',
    width: 'minmax(220px, 1.4fr)',
    value: ({ outcome, sentence }) => (outcome === 'placed' ? null : sentence),
    cell: ({ outcome, sentence }) => (outcome === 'placed' ? '' : <Cut text={readable(sentence)} />),
  },
  {
    key: 'took',
    name: 'Took',
    width: '80px',
    align: 'right',
    value: ({ duration_ms: ms }) => ms,
    cell: ({ duration_ms: ms }) => tookText(ms) ?? '–',
  },
  { key: 'image', name: 'Image', width: 'minmax(80px, 0.3fr)', value: ({ image }) => image },
];

const FIELDS: Fields<KeptDecision> = {
  ...membersOf<KeptDecision>('at', 'outcome', 'code', 'flavor'),
  hosts: ({ hosts }) => hosts?.join(' '),
  ...membersOf<KeptDecision>('hosts_chosen'),
  instances: ({ num_instances: count }) => count,
  ...membersOf<KeptDecision>('duration_ms', 'instance', 'instance_name', 'image'),
  project: ({ project_id: id }) => id,
  ...membersOf<KeptDecision>('sentence', 'request_id'),
};

const NoneFound = ({ clear }: { readonly clear: () => void }) => (
  <NoneMatches one="decision" clear={clear}>
    A host is found where it was chosen or a claim on it was tried; old decisions are removed in time.
  </NoneMatches>
);

function NoneKept() {
  return (
    <EmptyState title="No decision has been kept yet">
      Every instance that is placed, or finds no host, is listed here. What a request would get can be tried under{' '}
      <TextLink to="/what-if">What if</TextLink>.
    </EmptyState>
  );
}
