// The consumers of a host and their amounts.
import { Alert, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { HostReport } from '../../service/reports';
import { amountText, classText, sortedClasses } from '../../shown/amount';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { PageLink } from '../../shown/page-link';
import { sorted } from '../../shown/rows';
import type { Fields } from '../../shown/save-buttons';
import { scarcestFirst } from '../../shown/scarcest';
import { shortUuid } from '../instances/instance-search';
import type { ConsumerRow } from './provider-tree';
import { consumerRows, providerNames, shortName } from './provider-tree';

interface Props {
  readonly question: UseQueryResult<HostReport>;
  readonly report: HostReport;
}

export function ConsumersTable({ question, report }: Props) {
  const { host, tree, shared, consumers, consumers_truncated: isCut } = report;
  const names = useMemo(
    () => new Map([...providerNames(tree), ...shared.map(({ uuid, name }) => [uuid, name] as const)]),
    [tree, shared],
  );
  const rows = useMemo(() => consumerRows(consumers, names), [consumers, names]);
  const amounts = sortedClasses(new Set(rows.flatMap((row) => Object.keys(row.amounts))));
  const [scarcest = ''] = scarcestFirst(host.resource_classes);
  const holding = rows.filter(({ amounts: { [scarcest]: amount = 0 } }) => amount > 0);
  const largest = sorted(holding, ({ amounts: of }) => of[scarcest] ?? null, true).slice(0, LARGEST_NAMED);
  const hasTypes = new Set(rows.map((row) => row.consumer_type)).size > 1;
  return (
    <ListTable
      question={question}
      list={{ rows, isCut: false }}
      one="consumer"
      columns={[
        ...COLUMNS.filter(({ key }) => hasTypes || key !== 'type'),
        ...amounts.map(amountColumn),
        ...(names.size > 1 ? [providersColumn(tree.name)] : []),
        DECISION,
      ]}
      fields={fieldsFor(amounts)}
      fileName={`consumers-${host.name}`}
      label={`Consumers of ${host.name}`}
      keyOf={({ uuid }) => uuid}
      textOf={({ uuid, project_id: project, instance }) =>
        [uuid, project, instance?.name ?? '', instance?.flavor ?? '', instance?.image ?? ''].join(' ')
      }
      defaultSort={`-amount:${scarcest}`}
      empty={<EmptyState title="No allocations on this host">Nothing has an allocation in its tree.</EmptyState>}
    >
      {largest.length > 0 && (
        <Text>
          {`${classText(scarcest)} is the scarcest here. To make room, move first: `}
          {largest.map((row) => `${nameOf(row)} (${amountText(scarcest, row.amounts[scarcest] ?? 0)})`).join(', ')}
        </Text>
      )}
      {isCut && (
        <Alert color="yellow" variant="light">
          The host has more consumers than are listed.
        </Alert>
      )}
    </ListTable>
  );
}

const LARGEST_NAMED = 3;

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
  { key: 'project', name: 'Project', width: 'minmax(90px, 1fr)', value: (row) => row.project_id },
];

const amountColumn = (name: string): ListColumn<ConsumerRow> => ({
  key: `amount:${name}`,
  name: classText(name),
  align: 'right',
  width: 'minmax(84px, 0.6fr)',
  value: ({ amounts }) => amounts[name] ?? null,
  cell: ({ amounts }) => (amounts[name] === undefined ? '–' : amountText(name, amounts[name])),
});

const providersColumn = (root: string): ListColumn<ConsumerRow> => ({
  key: 'on',
  name: 'From',
  width: 'minmax(110px, 1fr)',
  cell: ({ on }) => <span title={on.join(', ')}>{on.map((name) => shortName(name, root)).join(', ')}</span>,
});

const DECISION: ListColumn<ConsumerRow> = {
  key: 'decision',
  name: 'Decision',
  align: 'right',
  width: '90px',
  cell: ({ uuid, instance }) =>
    typeof instance?.decision !== 'string' ? (
      <Text span inherit c="dimmed" title="No decision of the scheduler is known for it">
        –
      </Text>
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
