// Every resource class with the cloud's figures.
import { Group, Text, VisuallyHidden } from '@mantine/core';
import { useAnswer, useTotalCapacity } from '../../service/questions';
import type { GroupFigures } from '../../service/reports';
import { useSession } from '../../session/session';
import { amountText } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { Dimmed } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import type { Fields } from '../../shown/save-buttons';
import { UseBar } from '../../shown/use-bar';
import { isCustom, KindFilter, useRowsOfKind } from './kind-filter';
import type { CustomCalls } from './make-custom';
import { DeleteCustom, MakeCustom } from './make-custom';

interface ClassRow {
  readonly name: string;
  /** Undefined if no host has the class or the user cannot read the capacity report. */
  readonly figures: GroupFigures | undefined;
  readonly isUsed: boolean;
}

export function ClassCatalog() {
  const { may, service } = useSession();
  const classes = useAnswer('registries', ['resource classes'], ({ placement }, signal) =>
    placement.resourceClasses.list({ signal }),
  );
  const { data: capacity } = useTotalCapacity();
  const names = classes.data?.resource_classes.map(({ name }) => name).sort(byName);
  const list = useRowsOfKind(
    names?.map((name): ClassRow => {
      const figures = capacity?.groups[0]?.resource_classes[name];
      return { name, figures, isUsed: figures !== undefined };
    }),
  );
  return (
    <ListTable
      question={classes}
      list={list}
      one="class"
      many="resource classes"
      columns={columnsFor(may('placement:resource_classes:delete') ? service.placement.resourceClasses : undefined)}
      fields={FIELDS}
      keyOf={({ name }) => name}
      textOf={({ name }) => name}
      defaultSort="-use"
      filters={<KindFilter />}
      actions={
        may('placement:resource_classes:update') && (
          <MakeCustom what="resource class" taken={names ?? []} calls={service.placement.resourceClasses} />
        )
      }
    />
  );
}

/** Usage of the class in the whole cloud; classes without inventory sort below unused ones. */
const useOf = ({ figures }: ClassRow): number =>
  figures === undefined ? -1 : figures.capacity === 0 ? 0 : figures.used / figures.capacity;

const FIGURES = ['total', 'reserved', 'capacity', 'used', 'free', 'usable'] as const;

const FIELDS: Fields<ClassRow> = {
  class: ({ name }) => name,
  ...Object.fromEntries(FIGURES.map((figure) => [figure, ({ figures }: ClassRow) => figures?.[figure]] as const)),
};

const amountColumn = (key: 'free' | 'usable', title: string): ListColumn<ClassRow> => ({
  key,
  name: title,
  align: 'right',
  width: '120px',
  cell: ({ name, figures }) => (figures === undefined ? '' : amountText(name, figures[key])),
});

const columnsFor = (calls: CustomCalls | undefined): readonly ListColumn<ClassRow>[] => [
  {
    key: 'name',
    name: 'Class',
    width: 'minmax(240px, 1.7fr)',
    value: ({ name }) => name,
    cell: ({ name }) => (
      <Text span inherit ff="monospace" title={name}>
        {name}
      </Text>
    ),
  },
  {
    key: 'use',
    name: 'Used of the capacity',
    width: 'minmax(260px, 2fr)',
    value: useOf,
    cell: (row) => <Use row={row} />,
  },
  amountColumn('free', 'Free'),
  amountColumn('usable', 'Free and usable'),
  {
    key: 'do',
    name: <VisuallyHidden>Actions</VisuallyHidden>,
    align: 'right',
    width: 'minmax(110px, 0.6fr)',
    cell: ({ name, isUsed }) => (
      <Group justify="flex-end" gap="md" wrap="nowrap">
        {isUsed && (
          <PageLink to={`/hosts?resource_class=${name}&columns=${name}`} aria-label={`its hosts: ${name}`}>
            its hosts
          </PageLink>
        )}
        {isCustom(name) && !isUsed && calls !== undefined && <DeleteCustom name={name} calls={calls} />}
      </Group>
    ),
  },
];

function Use({ row: { name, figures } }: { readonly row: ClassRow }) {
  if (figures === undefined) return <Dimmed>no host has any</Dimmed>;
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
