// Capacity by class: used, still allocatable, and stranded, which means usable by no flavor.
import { Anchor, Group, Table, Text, Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import type { CapacityReport, GroupFigures } from '../../service/reports';
import { amountText, classText, countOf, shareText, sortedClasses } from '../../shown/amount';
import { CsvButton } from '../../shown/save-buttons';
import { UseBar } from '../../shown/use-bar';
import { AgeText } from './age-text';
import { ClassName } from './class-name';
import { Panel, useFirst } from './panel';

const SHOWN = 4;

export function CapacityPanel({ report }: { readonly report: CapacityReport }) {
  const figures = report.groups[0]?.resource_classes ?? {};
  const names = sortedClasses(Object.keys(figures));
  const { shown, more } = useFirst('classes', names, SHOWN);
  return (
    <Panel
      title="Capacity"
      aside={
        <Group gap="sm">
          {report.stranded.state === 'current' && report.stranded.flavors === 0 ? (
            <Text size="xs" c="dimmed">
              Stranded is unknown: no flavor is registered
            </Text>
          ) : (
            <AgeText answer={report.stranded} of="Stranded" />
          )}
          <CsvButton name="capacity" columns={CSV_COLUMNS} rows={() => names.map((name) => csvRow(name, figures))} />
        </Group>
      }
    >
      <Table.ScrollContainer minWidth={640} type="native">
        <Table verticalSpacing={3} horizontalSpacing="xs" lh={1.3} aria-label="Capacity by resource class">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Class</Table.Th>
              <Table.Th>Used</Table.Th>
              <Table.Th ta="right">Free</Table.Th>
              <Table.Th ta="right">
                <Explained name="Usable" by="Free on hosts that take something new" />
              </Table.Th>
              <Table.Th ta="right">
                <Explained name="Largest" by="The most that can still be asked of one host in one piece" />
              </Table.Th>
              <Table.Th>
                <Explained name="Stranded" by="Free, but no registered flavor can use it" />
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((name) => {
              const of = figures[name];
              return of === undefined ? null : <ClassRow key={name} name={name} figures={of} />;
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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

function ClassRow({ name, figures }: { readonly name: string; readonly figures: GroupFigures }) {
  const { used, capacity, reserved, free, usable, largest_free: largest, largest_free_host: host } = figures;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} miw={84}>
        <Anchor component={Link} to={`/map?${new URLSearchParams({ resource_class: name }).toString()}`} inherit>
          <ClassName of={name} />
        </Anchor>
      </Table.Th>
      <Table.Td miw={132}>
        <Group gap="xs" wrap="nowrap">
          <UseBar resourceClass={name} used={used} capacity={capacity} reserved={reserved} isBare />
          <Text size="sm" fw={600} w={48} ta="right" className="numbers" style={{ flexShrink: 0 }}>
            {capacity === 0 ? '–' : shareText(used / capacity)}
          </Text>
        </Group>
        <Text size="xs" c="dimmed" className="numbers">
          {amountText(name, used)} of {amountText(name, capacity)}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {amountText(name, free)}
      </Table.Td>
      <Table.Td ta="right" className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {amountText(name, usable)}
      </Table.Td>
      <Table.Td ta="right" className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {amountText(name, largest)}
        {host !== null && (
          <Text size="xs" component="div" truncate maw={96} ml="auto">
            <Anchor component={Link} to={`/hosts/${host.uuid}`} inherit>
              {host.name}
            </Anchor>
          </Text>
        )}
      </Table.Td>
      <Table.Td miw={140} w="30%">
        <Stranded name={name} of={figures} />
      </Table.Td>
    </Table.Tr>
  );
}

function Stranded({ name, of: { stranded, free } }: { readonly name: string; readonly of: GroupFigures }) {
  if (stranded === null) return <Text size="sm">–</Text>;
  const { amount, at_most: isBound, because } = stranded;
  if (amount === 0) return <Text size="sm">none</Text>;
  const [first, ...rest] = because;
  return (
    <>
      <Text size="sm" className="numbers">
        <Anchor
          component={Link}
          to={`/hosts?${new URLSearchParams({ stranded: name, sort: `-stranded:${name}` }).toString()}`}
          inherit
          underline="always"
          aria-label={`${amountText(name, amount)} of ${classText(name)} stranded: hosts`}
        >
          {isBound ? 'at most ' : ''}
          {amountText(name, amount)}
        </Anchor>
        {free > 0 && `, ${shareText(amount / free)} of free`}
      </Text>
      {first !== undefined && (
        <Tooltip label={because.map(({ sentence }) => sentence).join('; ')} multiline maw={360}>
          <Text size="xs" c="dimmed" tabIndex={0} lineClamp={1} style={{ wordBreak: 'break-all' }}>
            {first.sentence}
            {rest.length > 0 && `, and ${countOf(rest.length, 'reason')} more`}
          </Text>
        </Tooltip>
      )}
    </>
  );
}

const CSV_COLUMNS = [
  'resource_class',
  'total',
  'reserved',
  'capacity',
  'used',
  'free',
  'usable',
  'largest_free',
  'largest_free_host',
  'stranded',
  'stranded_at_most',
];

function csvRow(name: string, figures: Readonly<Record<string, GroupFigures>>) {
  const of = figures[name];
  if (of === undefined) return [name];
  return [
    name,
    of.total,
    of.reserved,
    of.capacity,
    of.used,
    of.free,
    of.usable,
    of.largest_free,
    of.largest_free_host?.name,
    of.stranded?.amount,
    of.stranded?.at_most,
  ];
}
