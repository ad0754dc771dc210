// Every trait: the hosts that have it, and actions on it.
import { Group, VisuallyHidden } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { Dimmed } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import type { Fields } from '../../shown/save-buttons';
import { TraitChip } from '../../shown/trait-chip';
import { isCustom, KindFilter, useRowsOfKind } from './kind-filter';
import type { CustomCalls } from './make-custom';
import { DeleteCustom, MakeCustom } from './make-custom';

const GROUPS_MAX = 5_000;

interface TraitRow {
  readonly name: string;
  /** Null if the user cannot read the capacity report. */
  readonly hosts: number | null;
  readonly usable: number | null;
  readonly isUsed: boolean;
}

export function TraitCatalog() {
  const { may, service } = useSession();
  const traits = useAnswer('registries', ['traits'], ({ placement }, signal) => placement.traits.list({}, { signal }));
  const { data: capacity } = useAnswer(
    'hosts',
    ['capacity', 'trait'],
    ({ reports }, signal) => reports.capacity({ group_by: 'trait', limit: GROUPS_MAX }, { signal }),
    { rule: 'berth:reports:capacity' },
  );
  const groups = new Map(capacity?.groups.map((group) => [group.key, group]));
  const names = traits.data && [...traits.data.traits].sort(byName);
  const list = useRowsOfKind(
    names?.map((name): TraitRow => {
      const { hosts = 0, hosts_usable: usable = 0 } = groups.get(name) ?? {};
      if (capacity === undefined) return { name, hosts: null, usable: null, isUsed: true };
      return { name, hosts, usable, isUsed: hosts > 0 };
    }),
  );
  return (
    <ListTable
      question={traits}
      list={list}
      one="trait"
      columns={columnsFor(
        may('placement:resource_providers:traits:update'),
        may('placement:traits:delete') ? service.placement.traits : undefined,
      )}
      fields={FIELDS}
      keyOf={({ name }) => name}
      textOf={({ name }) => name}
      defaultSort="-hosts"
      filters={<KindFilter />}
      actions={
        may('placement:traits:update') && (
          <MakeCustom what="trait" taken={names ?? []} calls={service.placement.traits} />
        )
      }
    />
  );
}

const FIELDS: Fields<TraitRow> = {
  trait: ({ name }) => name,
  hosts: ({ hosts }) => hosts,
  'hosts usable': ({ usable }) => usable,
};

const columnsFor = (maySet: boolean, calls: CustomCalls | undefined): readonly ListColumn<TraitRow>[] => [
  {
    key: 'name',
    name: 'Trait',
    width: 'minmax(260px, 1fr)',
    value: ({ name }) => name,
    cell: ({ name }) => <TraitChip trait={name} />,
  },
  {
    key: 'hosts',
    name: 'Hosts with it',
    align: 'right',
    width: '130px',
    value: ({ hosts }) => hosts,
    cell: (row) => <HostsWith row={row} />,
  },
  {
    key: 'usable',
    name: 'Usable of them',
    align: 'right',
    width: '130px',
    value: ({ usable }) => usable,
    cell: ({ hosts, usable }) => (hosts === 0 || usable === null ? '' : countText(usable)),
  },
  {
    key: 'do',
    name: <VisuallyHidden>Actions</VisuallyHidden>,
    width: 'minmax(200px, 1.2fr)',
    cell: ({ name, hosts }) => (
      <Group gap="md" wrap="nowrap" ps="xl">
        {maySet && (
          <PageLink to={`/traits?tab=many&of=${name}`} aria-label={`set on many: ${name}`}>
            set on many
          </PageLink>
        )}
        {isCustom(name) && (hosts ?? 0) === 0 && calls !== undefined && <DeleteCustom name={name} calls={calls} />}
      </Group>
    ),
  },
];

function HostsWith({ row: { name, hosts } }: { readonly row: TraitRow }) {
  if (hosts === null) return null;
  if (hosts === 0) return <Dimmed>none</Dimmed>;
  return (
    <PageLink to={`/hosts?trait=${name}`} inherit aria-label={`${countText(hosts)} hosts with ${name}`}>
      {countText(hosts)}
    </PageLink>
  );
}
