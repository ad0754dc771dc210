// Every trait: the hosts that have it, and actions on it.
import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { TraitChip } from '../../shown/trait-chip';
import { Catalog } from './catalog';
import { chosenKindOf } from './catalog-filter';
import type { TraitRow } from './catalog-rows';
import { shownOf, sortedRows, traitRows } from './catalog-rows';
import { DeleteCustom, MakeCustom } from './make-custom';

const GROUPS_MAX = 5_000;

export function TraitCatalog() {
  const address = useAddress();
  const { may, service } = useSession();
  const traits = useAnswer('registries', ['traits'], ({ placement }, signal) => placement.traits.list({}, { signal }));
  const capacity = useAnswer(
    'hosts',
    ['capacity', 'trait'],
    ({ reports }, signal) => reports.capacity({ group_by: 'trait', limit: GROUPS_MAX }, { signal }),
    { enabled: may('berth:reports:capacity') },
  );
  const names = useMemo(() => traits.data?.traits ?? [], [traits.data]);
  const typed = address.get('q');
  const kind = chosenKindOf(address);
  const sort = address.get('sort') || '-hosts';
  const rows = useMemo(() => {
    const shown = shownOf(traitRows(names, capacity.data), { typed, kind }, ({ hosts }) => hosts !== 0);
    return sortedRows(shown, sort, { hosts: ({ hosts }) => hosts ?? 0, usable: ({ usable }) => usable ?? 0 });
  }, [names, capacity.data, typed, kind, sort]);
  const columns = useMemo(() => {
    const mayDelete = may('placement:traits:delete');
    const maySet = may('placement:resource_providers:traits:update');
    return traitColumns(maySet, mayDelete ? (name) => service.placement.traits.delete(name) : undefined);
  }, [may, service]);
  return (
    <Catalog
      address={address}
      label="Traits"
      one="trait"
      question={traits}
      columns={columns}
      rows={rows}
      sort={sort}
      csv={{ columns: ['trait', 'hosts', 'hosts usable'], row: ({ name, hosts, usable }) => [name, hosts, usable] }}
      make={
        may('placement:traits:update') && (
          <MakeCustom what="trait" taken={names} make={(name) => service.placement.traits.create(name)} />
        )
      }
    />
  );
}

function traitColumns(
  maySet: boolean,
  remove: ((name: string) => Promise<unknown>) | undefined,
): readonly Column<TraitRow>[] {
  return [
    {
      key: 'name',
      name: 'Trait',
      sort: 'name',
      width: 'minmax(260px, 1fr)',
      cell: ({ name }) => <TraitChip trait={name} />,
    },
    {
      key: 'hosts',
      name: 'Hosts with it',
      sort: 'hosts',
      align: 'right',
      width: '130px',
      cell: ({ name, hosts }) => <HostsLink name={name} hosts={hosts} />,
    },
    {
      key: 'usable',
      name: 'Usable of them',
      sort: 'usable',
      align: 'right',
      width: '130px',
      cell: ({ hosts, usable }) => (hosts === 0 || usable === undefined ? '' : countText(usable)),
    },
    {
      key: 'do',
      name: <VisuallyHidden>Actions</VisuallyHidden>,
      width: 'minmax(200px, 1.2fr)',
      cell: ({ name, isCustom, hosts }) => (
        <Group gap="md" wrap="nowrap" ps="xl">
          {maySet && (
            <Anchor component={Link} to={`/traits?tab=many&of=${name}`} size="sm" aria-label={`set on many: ${name}`}>
              set on many
            </Anchor>
          )}
          {isCustom && (hosts ?? 0) === 0 && remove !== undefined && <DeleteCustom name={name} remove={remove} />}
        </Group>
      ),
    },
  ];
}

function HostsLink({ name, hosts }: { readonly name: string; readonly hosts: number | undefined }) {
  if (hosts === undefined) return null;
  if (hosts === 0) {
    return (
      <Text span inherit c="dimmed">
        none
      </Text>
    );
  }
  return (
    <Anchor component={Link} to={`/hosts?trait=${name}`} inherit aria-label={`${countText(hosts)} hosts with ${name}`}>
      {countText(hosts)}
    </Anchor>
  );
}
