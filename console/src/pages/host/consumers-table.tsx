// The consumers of a host and their amounts.
import { Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { projectPath } from '../../address/path-to';
import { amountText, classNoun, classText, sortedClasses } from '../../shown/amount';
import { groupBy } from '../../shown/count-by';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { Dimmed } from '../../shown/note';
import { HostLink, PageLink } from '../../shown/page-link';
import { sorted } from '../../shown/rows';
import type { Fields } from '../../shown/save-buttons';
import { shortUuid } from '../instances/instance-search';
import type { ConsumerRow } from './provider-tree';
import { shortName } from './provider-tree';

interface Props {
  readonly question: UseQueryResult<unknown>;
  /** The host or project that has the consumers. */
  readonly of: string;
  readonly rows: readonly ConsumerRow[];
  readonly isCut: boolean;
  /** The class whose largest amounts come first. */
  readonly by: string;
  /** The root provider of the host; undefined: the rows name hosts. */
  readonly root?: string;
}

export function ConsumersTable({ question, of, rows, isCut, by, root }: Props) {
  const amounts = sortedClasses(new Set(rows.flatMap((row) => Object.keys(row.amounts))));
  const hasTypes = new Set(rows.map((row) => row.consumer_type)).size > 1;
  const hidden = [...(hasTypes ? [] : ['type']), ...(root === undefined ? ['image', 'project'] : [])];
  return (
    <ListTable
      question={question}
      list={{ rows, isCut }}
      one="consumer"
      columns={[
        ...COLUMNS.filter(({ key }) => !hidden.includes(key)),
        ...(rows.some(({ on }) => on.some((name) => name !== root)) ? [placesColumn(root)] : []),
        ...amounts.map(amountColumn),
        DECISION,
      ]}
      fields={fieldsFor(amounts)}
      fileName={`consumers-${of}`}
      label={`Consumers of ${of}`}
      keyOf={({ uuid }) => uuid}
      textOf={({ uuid, project_id: project, instance, on }) =>
        [uuid, project, instance?.name, instance?.flavor, instance?.image, ...on].join(' ')
      }
      defaultSort={`-amount:${by}`}
      empty={<EmptyState title="No allocations on this host">Nothing has an allocation in its tree.</EmptyState>}
    >
      {root !== undefined && rows.length > 0 && <Text>{summaryOf(rows, amounts, by)}</Text>}
    </ListTable>
  );
}

const PROJECTS_SHOWN = 5;

/** The largest consumers, and the sums of the projects with most consumers. */
function summaryOf(rows: readonly ConsumerRow[], classes: readonly string[], by: string): string {
  const holding = rows.filter(({ amounts: { [by]: amount = 0 } }) => amount > 0);
  const largest = sorted(holding, ({ amounts }) => amounts[by] ?? null, true).slice(0, 3);
  const first = largest.map((row) => `${nameOf(row)} (${amountText(by, row.amounts[by] ?? 0)})`).join(', ');
  const projects = [...groupBy(rows, ({ project_id: id }) => id)].sort(([, a], [, b]) => b.length - a.length);
  const sums = projects.slice(0, PROJECTS_SHOWN).map(([id, of]) => {
    const sumOf = (name: string): number => of.reduce((sum, { amounts }) => sum + (amounts[name] ?? 0), 0);
    return `${id}: ${classes.map((name) => `${amountText(name, sumOf(name))} ${classNoun(name)}`).join(', ')}.`;
  });
  const advice = first === '' ? '' : `${classText(by)} is the scarcest here. To make room, move first: ${first}. `;
  return advice + sums.join(' ');
}

const nameOf = ({ uuid, instance }: ConsumerRow): string => instance?.name ?? shortUuid(uuid);

const COLUMNS: readonly ListColumn<ConsumerRow>[] = [
  {
    key: 'instance',
    name: 'Consumer',
    width: 'minmax(150px, 1.4fr)',
    value: nameOf,
    cell: (row) => <span title={row.uuid}>{nameOf(row)}</span>,
  },
  { key: 'type', name: 'Type', width: '110px', value: (row) => row.consumer_type ?? 'unknown' },
  { key: 'flavor', name: 'Flavor', width: 'minmax(90px, 0.8fr)', value: (row) => row.instance?.flavor ?? null },
  { key: 'image', name: 'Image', width: 'minmax(90px, 0.8fr)', value: (row) => row.instance?.image ?? null },
  {
    key: 'project',
    name: 'Project',
    width: 'minmax(90px, 1fr)',
    value: (row) => row.project_id,
    cell: ({ project_id: id }) => <PageLink to={projectPath(id)}>{id}</PageLink>,
  },
];

const amountColumn = (name: string): ListColumn<ConsumerRow> => ({
  key: `amount:${name}`,
  name: classText(name),
  align: 'right',
  width: 'minmax(84px, 0.6fr)',
  value: ({ amounts }) => amounts[name] ?? null,
  cell: ({ amounts }) => (amounts[name] === undefined ? '–' : amountText(name, amounts[name])),
});

const placesColumn = (root: string | undefined): ListColumn<ConsumerRow> => ({
  key: 'on',
  name: root === undefined ? 'Host' : 'From',
  width: 'minmax(110px, 1fr)',
  cell: ({ on }) =>
    root === undefined ? (
      on.map((name) => <HostLink key={name} name={name} />)
    ) : (
      <span title={on.join(', ')}>{on.map((name) => shortName(name, root)).join(', ')}</span>
    ),
});

const DECISION: ListColumn<ConsumerRow> = {
  key: 'decision',
  name: 'Decision',
  align: 'right',
  width: '90px',
  cell: ({ uuid, instance }) =>
    typeof instance?.decision !== 'string' ? (
      <Dimmed title="No decision of the scheduler is known for it">–</Dimmed>
    ) : (
      <PageLink to={`/decisions/${instance.decision}`} aria-label={`why here: ${instance.name ?? uuid}`}>
        why here
      </PageLink>
    ),
};

const fieldsFor = (amounts: readonly string[]): Fields<ConsumerRow> => ({
  uuid: ({ uuid }) => uuid,
  name: ({ instance }) => instance?.name,
  type: (row) => row.consumer_type,
  flavor: ({ instance }) => instance?.flavor,
  image: ({ instance }) => instance?.image,
  project: (row) => row.project_id,
  user: (row) => row.user_id,
  providers: ({ on }) => on.join(' '),
  ...Object.fromEntries(amounts.map((name) => [name, (row: ConsumerRow) => row.amounts[name]] as const)),
  decision: ({ instance }) => instance?.decision,
});
