// The instances that Berth placed: where each runs, and the decision that put it there. Loaded page by page while the
// user scrolls.
import { Anchor, Group, Stack, TextInput } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useTypedFilter } from '../../address/use-typed-filter';
import type { ListedInstance } from '../../service/reports';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { IconBox, IconSearch } from '../../shown/icons';
import { PageHead } from '../../shown/page-head';
import { CsvButton } from '../../shown/save-buttons';
import { TimeText } from '../../shown/time-text';
import { InstanceFilters } from './instance-filters';
import { isFiltered, searchOf, shortUuid } from './instance-search';
import { useInstances } from './use-instances';

export default function InstancesPage() {
  const address = useAddress();
  const search = useMemo(() => searchOf(address), [address]);
  const { question, rows, hasMore, more } = useInstances(search);
  const { typed, type } = useTypedFilter(address, 'search');
  const loadMore = useCallback(() => more(), [more]);
  return (
    <>
      <PageHead
        title="Instances"
        subtitle={
          question.data !== undefined && (
            <span aria-live="polite">{`${countOf(rows.length, 'instance')}${hasMore ? ' so far' : ''}`}</span>
          )
        }
        actions={rows.length > 0 && <CsvButton name="instances" columns={CSV_COLUMNS} rows={() => rows.map(csvRow)} />}
      />
      <Stack gap="sm">
        <Group component="search" gap="xs" align="flex-end">
          <TextInput
            label="Name or uuid"
            size="xs"
            type="search"
            placeholder="Part of the name, or the start of the uuid"
            w={280}
            maw="100%"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={typed}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <InstanceFilters address={address} />
        </Group>
        <Answered question={question}>
          {() => (
            <DataTable
              label="Instances"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ uuid }) => uuid}
              onEnd={hasMore ? loadMore : undefined}
              empty={<NoInstances isFiltered={isFiltered(search)} />}
            />
          )}
        </Answered>
      </Stack>
    </>
  );
}

const COLUMNS: readonly Column<ListedInstance>[] = [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(150px, 1.4fr)',
    cell: ({ uuid, name }) => <span title={uuid}>{name ?? shortUuid(uuid)}</span>,
  },
  {
    key: 'host',
    name: 'Host',
    width: 'minmax(120px, 1fr)',
    cell: ({ host, host_uuid: hostUuid }) => (
      <Anchor component={Link} to={`/hosts/${hostUuid}`} size="sm" title={host}>
        {host}
      </Anchor>
    ),
  },
  {
    key: 'decision',
    name: 'Decision',
    width: '96px',
    cell: ({ decision, name, uuid }) => (
      <Anchor
        component={Link}
        to={`/decisions/${encodeURIComponent(decision)}`}
        size="sm"
        aria-label={`Why here: ${name ?? uuid}`}
      >
        Why here?
      </Anchor>
    ),
  },
  { key: 'flavor', name: 'Flavor', width: 'minmax(96px, 0.8fr)', cell: ({ flavor }) => <Cut text={flavor} /> },
  { key: 'project', name: 'Project', width: 'minmax(96px, 0.8fr)', cell: ({ project_id: id }) => <Cut text={id} /> },
  {
    key: 'zone',
    name: 'Zone',
    width: 'minmax(80px, 0.6fr)',
    cell: ({ availability_zone: zone }) => <Cut text={zone} />,
  },
  {
    key: 'group',
    name: 'Server group',
    width: 'minmax(100px, 0.7fr)',
    cell: ({ server_group: group }) =>
      group === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={`/registries/groups?open=${group.uuid}`} size="sm" title={group.uuid}>
          {group.name ?? shortUuid(group.uuid)}
        </Anchor>
      ),
  },
  { key: 'state', name: 'State', width: '88px', cell: ({ state }) => state },
  { key: 'age', name: 'Placed', width: '116px', cell: ({ created_at: at }) => <TimeText at={at} /> },
];

const Cut = ({ text }: { readonly text: string | null }) => (text === null ? '–' : <span title={text}>{text}</span>);

const CSV_COLUMNS = [
  'uuid',
  'name',
  'host',
  'flavor',
  'project',
  'zone',
  'server_group',
  'state',
  'created_at',
  'decision',
];

const csvRow = (row: ListedInstance) => [
  row.uuid,
  row.name,
  row.host,
  row.flavor,
  row.project_id,
  row.availability_zone,
  row.server_group?.name ?? row.server_group?.uuid,
  row.state,
  row.created_at,
  row.decision,
];

function NoInstances({ isFiltered: filtered }: { readonly isFiltered: boolean }) {
  if (filtered) {
    return (
      <EmptyState icon={IconBox} title="No instance matches">
        Only instances that Berth placed are listed. The consumers of every other allocation are on the page of their
        host.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconBox} title="No instances yet">
      Instances appear here when Berth places them. Try a request under{' '}
      <Anchor component={Link} to="/what-if" inherit underline="always">
        What if
      </Anchor>
      .
    </EmptyState>
  );
}
