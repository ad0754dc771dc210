// Capacity by class: used, still allocatable, and stranded, which means usable by no flavor.
import { Group, Text, Tooltip } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import type { CapacityReport, GroupFigures } from '../../service/reports';
import { amountText, classText, countOf, shareText, sortedClasses } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { readable } from '../../shown/readable';
import type { Fields } from '../../shown/save-buttons';
import { CsvButton, membersOf } from '../../shown/save-buttons';
import { SmallTable } from '../../shown/small-table';
import { UseBar } from '../../shown/use-bar';
import { AgeText } from './age-text';
import { ClassName } from './class-name';
import { WhenFull } from './history-panel';
import { useFirst } from './use-first';

const SHOWN = 4;

type ClassRow = GroupFigures & { readonly name: string };

export function CapacityPanel({ report: { groups, stranded } }: { readonly report: CapacityReport }) {
  const figures = groups[0]?.resource_classes ?? {};
  const rows = sortedClasses(Object.keys(figures)).map((name) => ({ ...(figures[name] as GroupFigures), name }));
  const { shown, more } = useFirst('classes', rows, SHOWN);
  return (
    <Panel
      title="Capacity"
      aside={
        <Group gap="sm">
          <WhenFull />
          {stranded.state === 'current' && stranded.flavors === 0 ? (
            <Note>Stranded is unknown: no flavor is registered</Note>
          ) : (
            <AgeText answer={stranded} of="Stranded" />
          )}
          <CsvButton name="capacity" fields={FIELDS} rows={() => rows} />
        </Group>
      }
    >
      <SmallTable
        label="Capacity by resource class"
        columns={COLUMNS}
        rows={shown}
        keyOf={({ name }) => name}
        minWidth={640}
      />
      {more}
    </Panel>
  );
}

/** A column's name with an explanation on hover or keyboard focus. */
function Explained({ name, by }: { readonly name: string; readonly by: string }) {
  return (
    <Tooltip label={by}>
      <Text span inherit td="underline dotted" tabIndex={0}>
        {name}
      </Text>
    </Tooltip>
  );
}

const COLUMNS: readonly Column<ClassRow>[] = [
  {
    key: 'class',
    name: 'Class',
    width: '84px',
    cell: ({ name }) => (
      <PageLink to={pathTo('/map', { resource_class: name })} inherit>
        <ClassName of={name} />
      </PageLink>
    ),
  },
  { key: 'used', name: 'Used', width: '132px', cell: (row) => <Used row={row} /> },
  { key: 'free', name: 'Free', align: 'right', cell: ({ name, free }) => amountText(name, free) },
  {
    key: 'usable',
    name: <Explained name="Usable" by="Free on hosts that take something new" />,
    align: 'right',
    cell: ({ name, usable }) => amountText(name, usable),
  },
  {
    key: 'largest',
    name: <Explained name="Largest" by="The most that can still be asked of one host in one piece" />,
    align: 'right',
    cell: ({ name, largest_free: largest, largest_free_host: host }) => (
      <>
        {amountText(name, largest)}
        {host !== null && (
          <Text size="xs" component="div" truncate maw={96} ml="auto">
            <PageLink to={`/hosts/${host.uuid}`} inherit>
              {host.name}
            </PageLink>
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'stranded',
    name: <Explained name="Stranded" by="Free, but no registered flavor can use it" />,
    width: '38%',
    cell: (row) => <Stranded of={row} />,
  },
];

function Used({ row: { name, used, capacity, reserved } }: { readonly row: ClassRow }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <UseBar resourceClass={name} used={used} capacity={capacity} reserved={reserved} isBare />
        <Text fw={600} w={48} ta="right" style={{ flexShrink: 0 }}>
          {capacity === 0 ? '–' : shareText(used / capacity)}
        </Text>
      </Group>
      <Note>
        {amountText(name, used)} of {amountText(name, capacity)}
      </Note>
    </>
  );
}

function Stranded({ of: { name, stranded, free } }: { readonly of: ClassRow }) {
  if (stranded === null) return '–';
  const { amount, at_most: isBound, because } = stranded;
  if (amount === 0) return 'none';
  const [first, ...rest] = because;
  return (
    <>
      <Text>
        <PageLink
          to={pathTo('/hosts', { stranded: name, sort: `-stranded:${name}` })}
          inherit
          underline="always"
          aria-label={`${amountText(name, amount)} of ${classText(name)} stranded: hosts`}
        >
          {isBound ? 'at most ' : ''}
          {amountText(name, amount)}
        </PageLink>
        {free > 0 && `, ${shareText(amount / free)} of free`}
      </Text>
      {first !== undefined && (
        <Tooltip label={because.map(({ sentence }) => readable(sentence)).join('; ')} multiline maw={360}>
          <Text size="xs" c="dimmed" tabIndex={0} lineClamp={1} style={{ wordBreak: 'break-all' }}>
            {readable(first.sentence)}
            {rest.length > 0 && `, and ${countOf(rest.length, 'reason')} more`}
          </Text>
        </Tooltip>
      )}
    </>
  );
}

const FIELDS: Fields<ClassRow> = {
  resource_class: ({ name }) => name,
  ...membersOf<ClassRow>('total', 'reserved', 'capacity', 'used', 'free', 'usable'),
  largest_free: ({ largest_free: largest }) => largest,
  largest_free_host: ({ largest_free_host: host }) => host?.name,
  stranded: ({ stranded }) => stranded?.amount,
  stranded_at_most: ({ stranded }) => stranded?.at_most,
};
