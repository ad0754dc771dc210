// Every resource class with the cloud's figures.
import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { amountText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { UseBar } from '../../shown/use-bar';
import { Catalog } from './catalog';
import { chosenKindOf } from './catalog-filter';
import type { ClassRow } from './catalog-rows';
import { classRows, shownOf, sortedRows } from './catalog-rows';
import { DeleteCustom, MakeCustom } from './make-custom';

export function ClassCatalog() {
  const address = useAddress();
  const { may, service } = useSession();
  const classes = useAnswer('registries', ['resource classes'], ({ placement }, signal) =>
    placement.resourceClasses.list({ signal }),
  );
  const capacity = useAnswer(
    'hosts',
    ['capacity', 'total'],
    ({ reports }, signal) => reports.capacity({ group_by: 'total' }, { signal }),
    { enabled: may('berth:reports:capacity') },
  );
  const names = useMemo(() => classes.data?.resource_classes.map(({ name }) => name) ?? [], [classes.data]);
  const typed = address.get('q');
  const kind = chosenKindOf(address);
  const sort = address.get('sort') || '-use';
  const rows = useMemo(() => {
    const shown = shownOf(classRows(names, capacity.data), { typed, kind }, ({ isUsed }) => isUsed);
    return sortedRows(shown, sort, { use: useOf });
  }, [names, capacity.data, typed, kind, sort]);
  const columns = useMemo(() => {
    const mayDelete = may('placement:resource_classes:delete');
    return classColumns(mayDelete ? (name) => service.placement.resourceClasses.delete(name) : undefined);
  }, [may, service]);
  return (
    <Catalog
      address={address}
      label="Resource classes"
      one="class"
      question={classes}
      columns={columns}
      rows={rows}
      sort={sort}
      csv={{ columns: CSV_COLUMNS, row: csvRow }}
      make={
        may('placement:resource_classes:update') && (
          <MakeCustom
            what="resource class"
            taken={names}
            make={(name) => service.placement.resourceClasses.create(name)}
          />
        )
      }
    />
  );
}

/** Usage of the class in the whole cloud; classes without inventory sort below unused ones. */
const useOf = ({ figures }: ClassRow): number =>
  figures === undefined ? -1 : figures.capacity === 0 ? 0 : figures.used / figures.capacity;

const CSV_COLUMNS = ['class', 'total', 'reserved', 'capacity', 'used', 'free', 'usable'];

const csvRow = ({ name, figures: f }: ClassRow) => [
  name,
  f?.total,
  f?.reserved,
  f?.capacity,
  f?.used,
  f?.free,
  f?.usable,
];

function classColumns(remove: ((name: string) => Promise<unknown>) | undefined): readonly Column<ClassRow>[] {
  const amount = (key: 'free' | 'usable', name: string): Column<ClassRow> => ({
    key,
    name,
    align: 'right',
    width: '120px',
    cell: ({ name: resourceClass, figures }) => (figures === undefined ? '' : amountText(resourceClass, figures[key])),
  });
  return [
    {
      key: 'name',
      name: 'Class',
      sort: 'name',
      width: 'minmax(240px, 1.7fr)',
      cell: ({ name }) => (
        <Text span inherit ff="monospace" title={name}>
          {name}
        </Text>
      ),
    },
    {
      key: 'use',
      name: 'Used of the capacity',
      sort: 'use',
      width: 'minmax(260px, 2fr)',
      cell: ({ name, figures }) => <Use name={name} figures={figures} />,
    },
    amount('free', 'Free'),
    amount('usable', 'Free and usable'),
    {
      key: 'do',
      name: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      width: 'minmax(110px, 0.6fr)',
      cell: ({ name, isCustom, isUsed }) => (
        <Group justify="flex-end" gap="md" wrap="nowrap">
          {isUsed && (
            <Anchor
              component={Link}
              to={`/hosts?resource_class=${name}&columns=${name}`}
              size="sm"
              aria-label={`its hosts: ${name}`}
            >
              its hosts
            </Anchor>
          )}
          {isCustom && !isUsed && remove !== undefined && <DeleteCustom name={name} remove={remove} />}
        </Group>
      ),
    },
  ];
}

function Use({ name, figures }: { readonly name: string; readonly figures: ClassRow['figures'] }) {
  if (figures === undefined) {
    return (
      <Text span inherit c="dimmed">
        no host has any
      </Text>
    );
  }
  const { used, capacity, reserved } = figures;
  return (
    <Group gap="sm" wrap="nowrap">
      <UseBar resourceClass={name} used={used} capacity={capacity} reserved={reserved} isBare />
      <Text span size="xs" w={150} ta="right" className="numbers">
        {amountText(name, used)} of {amountText(name, capacity)}
      </Text>
    </Group>
  );
}
