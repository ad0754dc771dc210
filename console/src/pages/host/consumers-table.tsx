// The consumers of a host and their amounts.
import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import type { HostReport } from '../../service/reports';
import { amountText, classText, countOf, sortedClasses } from '../../shown/amount';
import { IdText } from '../../shown/copy-text';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { CsvButton } from '../../shown/save-buttons';
import type { ConsumerRow } from './provider-tree';
import { consumerRows, providerNames, shortName, sortedConsumers } from './provider-tree';

export function ConsumersTable({ report }: { readonly report: HostReport }) {
  const address = useAddress();
  const sort = address.get('sort') || 'instance';
  const names = useMemo(() => {
    const shared = report.shared.map(({ uuid, name }) => [uuid, name] as const);
    return new Map([...providerNames(report.tree), ...shared]);
  }, [report]);
  const rows = useMemo(() => sortedConsumers(consumerRows(report.consumers, names), sort), [report, names, sort]);
  const amounts = useMemo(() => sortedClasses(new Set(rows.flatMap((row) => Object.keys(row.amounts)))), [rows]);
  const types = useMemo(() => new Set(rows.map((row) => row.consumer_type)), [rows]);
  const columns = useMemo(
    () => consumerColumns({ amounts, hasTypes: types.size > 1, root: names.size > 1 ? report.tree.name : undefined }),
    [amounts, types, names, report.tree.name],
  );
  return (
    <Stack gap="sm">
      {report.consumers_truncated && (
        <Alert color="yellow" variant="light">
          The host has more consumers than are listed: these are {countOf(rows.length, 'consumer')} of them.
        </Alert>
      )}
      {rows.length > 0 && (
        <Group justify="flex-end">
          <CsvButton
            name={`consumers-${report.host.name}`}
            columns={['uuid', 'type', 'flavor', 'image', 'project', 'user', 'providers', ...amounts, 'decision']}
            rows={() => rows.map((row) => csvRow(row, amounts))}
          />
        </Group>
      )}
      <DataTable
        label={`Consumers of ${report.host.name}`}
        columns={columns}
        rows={rows}
        keyOf={({ uuid }) => uuid}
        sort={sort}
        onSort={(next) => address.set({ sort: next })}
        empty={<EmptyState title="No allocations on this host">Nothing has an allocation in its tree.</EmptyState>}
        height="max(320px, calc(100vh - 320px))"
      />
    </Stack>
  );
}

interface Shape {
  /** Resource classes with a column. */
  readonly amounts: readonly string[];
  /** Whether the consumers have more than one type. */
  readonly hasTypes: boolean;
  /** The name of the root; undefined if the tree has no other provider. */
  readonly root: string | undefined;
}

function consumerColumns({ amounts, hasTypes, root }: Shape): readonly Column<ConsumerRow>[] {
  return [
    {
      key: 'instance',
      name: 'Consumer',
      sort: 'instance',
      width: 'minmax(290px, 1.4fr)',
      cell: ({ uuid }) => <IdText id={uuid} />,
    },
    ...(hasTypes ? [TYPE_COLUMN] : []),
    {
      key: 'flavor',
      name: 'Flavor',
      sort: 'flavor',
      width: 'minmax(90px, 0.8fr)',
      cell: (row) => <Whole text={row.instance?.flavor ?? '–'} />,
    },
    {
      key: 'image',
      name: 'Image',
      sort: 'image',
      width: 'minmax(90px, 0.8fr)',
      cell: (row) => <Whole text={row.instance?.image ?? '–'} />,
    },
    {
      key: 'project',
      name: 'Project',
      sort: 'project',
      width: 'minmax(90px, 1fr)',
      cell: (row) => <Whole text={row.project_id} />,
    },
    ...amounts.map((name) => ({
      key: name,
      name: classText(name),
      sort: `amount:${name}`,
      align: 'right' as const,
      width: 'minmax(84px, 0.6fr)',
      cell: (row: ConsumerRow) => (row.amounts[name] === undefined ? '–' : amountText(name, row.amounts[name])),
    })),
    ...(root === undefined
      ? []
      : [
          {
            key: 'on',
            name: 'From',
            width: 'minmax(110px, 1fr)',
            cell: ({ on }: ConsumerRow) => (
              <span title={on.join(', ')}>{on.map((name) => shortName(name, root)).join(', ')}</span>
            ),
          },
        ]),
    {
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
          <Anchor component={Link} to={`/decisions/${instance.decision}`} size="sm" aria-label={`why here: ${uuid}`}>
            why here
          </Anchor>
        ),
    },
  ];
}

const TYPE_COLUMN: Column<ConsumerRow> = {
  key: 'type',
  name: 'Type',
  sort: 'type',
  width: '110px',
  cell: (row) => row.consumer_type ?? 'unknown',
};

function Whole({ text }: { readonly text: string }) {
  return <span title={text}>{text}</span>;
}

const csvRow = (row: ConsumerRow, amounts: readonly string[]) => [
  row.uuid,
  row.consumer_type,
  row.instance?.flavor,
  row.instance?.image,
  row.project_id,
  row.user_id,
  row.on.join(' '),
  ...amounts.map((name) => row.amounts[name]),
  row.instance?.decision,
];
