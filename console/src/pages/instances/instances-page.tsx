// The instances that Berth placed: where each runs, and the decision that put it there. Loaded page by page while the
// user scrolls.
import { Group } from '@mantine/core';
import { projectPath } from '../../address/path-to';
import { useAddress } from '../../address/use-address';
import { useFlavorNames } from '../../service/registries';
import type { ListedInstance } from '../../service/reports';
import { Choice } from '../../shown/choice';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { PageLink, TextLink } from '../../shown/page-link';
import { PagedList } from '../../shown/paged-list';
import type { Fields } from '../../shown/save-buttons';
import { membersOf } from '../../shown/save-buttons';
import { TypedFilter } from '../../shown/text-filters';
import { TimeText } from '../../shown/time-text';
import { isFiltered, searchOf, shortUuid } from './instance-search';

export default function InstancesPage() {
  const address = useAddress();
  const search = searchOf(address);
  return (
    <PagedList
      title="Instances"
      one="instance"
      query={search}
      list={({ reports }) => reports.instances.list}
      rowsOf={({ instances }) => instances}
      columns={COLUMNS}
      order={search.search === undefined ? '-age' : ''}
      keyOf={({ uuid }) => uuid}
      fields={FIELDS}
      filters={
        <Group component="search" gap="xs" align="flex-end">
          <TypedFilter
            address={address}
            name="search"
            label="Name or uuid"
            placeholder="Part of a name, or start of a uuid"
            w={280}
            maw="100%"
          />
          <TypedFilter address={address} name="host" label="Host" placeholder="The whole name" w={150} />
          <TypedFilter address={address} name="project_id" label="Project" placeholder="The whole id" w={150} />
          <Choice
            label="Flavor"
            w={170}
            names={useFlavorNames()}
            value={address.get('flavor')}
            onChange={(flavor) => address.set({ flavor }, 'push')}
          />
        </Group>
      }
      empty={<NoInstances isFiltered={isFiltered(search)} />}
    />
  );
}

const COLUMNS: readonly ListColumn<ListedInstance>[] = [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(150px, 1.4fr)',
    value: ({ name, uuid }) => name ?? uuid,
    cell: ({ uuid, name }) => <span title={uuid}>{name ?? shortUuid(uuid)}</span>,
  },
  {
    key: 'host',
    name: 'Host',
    width: 'minmax(120px, 1fr)',
    value: ({ host }) => host,
    cell: ({ host, host_uuid: hostUuid }) => (
      <PageLink to={`/hosts/${hostUuid}`} title={host}>
        {host}
      </PageLink>
    ),
  },
  {
    key: 'decision',
    name: 'Decision',
    width: '96px',
    cell: ({ decision, name, uuid }) => (
      <PageLink
        to={`/decisions/${encodeURIComponent(decision)}`}

        aria-label={`Why here: ${name ?? uuid}`}
      >
        Why here?
      </PageLink>
    ),
  },
  { key: 'flavor', name: 'Flavor', width: 'minmax(96px, 0.8fr)', value: ({ flavor }) => flavor },
  {
    key: 'project',
    name: 'Project',
    width: 'minmax(96px, 0.8fr)',
    value: ({ project_id: id }) => id,
    cell: ({ project_id: id }) => <PageLink to={projectPath(id)}>{id}</PageLink>,
  },
  { key: 'zone', name: 'Zone', width: 'minmax(80px, 0.6fr)', value: ({ availability_zone: zone }) => zone },
  {
    key: 'group',
    name: 'Server group',
    width: 'minmax(116px, 0.7fr)',
    value: ({ server_group: group }) => group && (group.name ?? group.uuid),
    cell: ({ server_group: group }) =>
      group === null ? (
        '–'
      ) : (
        <PageLink to={`/registries/groups?open=${group.uuid}`} title={group.uuid}>
          {group.name ?? shortUuid(group.uuid)}
        </PageLink>
      ),
  },
  { key: 'state', name: 'State', width: '88px', value: ({ state }) => state },
  {
    key: 'age',
    name: 'Placed',
    width: '124px',
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <TimeText at={at} />,
  },
];

const FIELDS: Fields<ListedInstance> = {
  ...membersOf<ListedInstance>('uuid', 'name', 'host', 'flavor'),
  project: ({ project_id: id }) => id,
  zone: ({ availability_zone: zone }) => zone,
  server_group: ({ server_group: group }) => group?.name ?? group?.uuid,
  ...membersOf<ListedInstance>('state', 'created_at', 'decision'),
};

function NoInstances({ isFiltered: filtered }: { readonly isFiltered: boolean }) {
  if (filtered) {
    return (
      <EmptyState title="No instance matches">
        Only instances that Berth placed are listed. The consumers of every other allocation are on the page of their
        host.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No instances yet">
      Instances appear here when Berth places them. Try a request under <TextLink to="/what-if">What if</TextLink>.
    </EmptyState>
  );
}
