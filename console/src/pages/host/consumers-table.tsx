// The consumers of a host and their amounts.
import { Alert, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { HostReport } from '../../service/reports';
import { amountText, classText, sortedClasses } from '../../shown/amount';
import { IdText } from '../../shown/copy-text';
import { Cut } from '../../shown/cut';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { PageLink } from '../../shown/page-link';
import type { Fields } from '../../shown/save-buttons';
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
        [uuid, project, instance?.flavor ?? '', instance?.image ?? ''].join(' ')
      }
      defaultSort="instance"
      empty={<EmptyState title="No allocations on this host">Nothing has an allocation in its tree.</EmptyState>}
    >
      {isCut && (
        <Alert color="yellow" variant="light">
          The host has more consumers than are listed.
        </Alert>
      )}
    </ListTable>
  );
}

const COLUMNS: readonly ListColumn<ConsumerRow>[] = [
  {
    key: 'instance',
    name: 'Consumer',
    width: 'minmax(290px, 1.4fr)',
    value: ({ uuid }) => uuid,
    cell: ({ uuid }) => <IdText id={uuid} />,
  },
  { key: 'type', name: 'Type', width: '110px', value: (row) => row.consumer_type ?? 'unknown' },
  {
    key: 'flavor',
    name: 'Flavor',
    width: 'minmax(90px, 0.8fr)',
    value: (row) => row.instance?.flavor ?? null,
    cell: (row) => <Cut text={row.instance?.flavor} />,
  },
  {
    key: 'image',
    name: 'Image',
    width: 'minmax(90px, 0.8fr)',
    value: (row) => row.instance?.image ?? null,
    cell: (row) => <Cut text={row.instance?.image} />,
  },
  {
    key: 'project',
    name: 'Project',
    width: 'minmax(90px, 1fr)',
    value: (row) => row.project_id,
    cell: (row) => <Cut text={row.project_id} />,
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
      <PageLink to={`/decisions/${instance.decision}`} aria-label={`why here: ${uuid}`}>
        why here
      </PageLink>
    ),
};

const fieldsFor = (amounts: readonly string[]): Fields<ConsumerRow> => ({
  uuid: ({ uuid }) => uuid,
  type: (row) => row.consumer_type,
  flavor: ({ instance }) => instance?.flavor,
  image: ({ instance }) => instance?.image,
  project: (row) => row.project_id,
  user: (row) => row.user_id,
  providers: ({ on }) => on.join(' '),
  ...Object.fromEntries(amounts.map((name) => [name, (row: ConsumerRow) => row.amounts[name]] as const)),
  decision: ({ instance }) => instance?.decision,
});
