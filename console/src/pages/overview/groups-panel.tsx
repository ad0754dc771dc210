// Usage of each zone or host aggregate by class.
import { Group, SegmentedControl, Text } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import type { CapacityGroup, CapacityReport } from '../../service/reports';
import { classText, countText, shareText, sortedClasses } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { byName } from '../../shown/by-name';
import type { Column } from '../../shown/data-table';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import type { Fields } from '../../shown/save-buttons';
import { CsvButton, figureFields, membersOf } from '../../shown/save-buttons';
import { SmallTable } from '../../shown/small-table';
import { UseBar } from '../../shown/use-bar';
import { ClassName } from './class-name';
import { realHosts } from './real-hosts';
import { useFirst } from './use-first';

type GroupKind = 'availability_zone' | 'host_aggregate';

/** Number of class columns; the hosts pages show the rest. */
const CLASSES_SHOWN = 4;
const GROUPS_SHOWN = 12;

const NAMES = {
  availability_zone: { one: 'Zone', many: 'Zones', none: 'No zone' },
  host_aggregate: { one: 'Host aggregate', many: 'Host aggregates', none: 'No host aggregate' },
} as const;

export function GroupsPanel() {
  const { get, set } = useAddress();
  const by: GroupKind = get('group') === 'host_aggregate' ? 'host_aggregate' : 'availability_zone';
  const question = useAnswer('hosts', ['capacity', by], ({ reports }, signal) =>
    reports.capacity({ group_by: by }, { signal }),
  );
  const groups = question.data?.groups ?? [];
  return (
    <Panel
      title={NAMES[by].many}
      aside={
        <Group gap="sm">
          <SegmentedControl
            aria-label="Group by"
            value={by}
            onChange={(value) => set({ group: value === 'host_aggregate' ? value : '' })}
            data={(['availability_zone', 'host_aggregate'] as const).map((value) => ({
              value,
              label: NAMES[value].many,
            }))}
          />
          <CsvButton name="groups" fields={fieldsFor(classesOf(groups))} rows={() => groups} />
        </Group>
      }
    >
      <Answered question={question}>{(report) => <GroupsTable report={report} by={by} />}</Answered>
    </Panel>
  );
}

interface TableProps {
  readonly report: CapacityReport;
  readonly by: GroupKind;
}

function GroupsTable({ report: { groups, next_marker: next }, by }: TableProps) {
  const { shown, more } = useFirst('groups', inOrder(groups), GROUPS_SHOWN);
  return (
    <div>
      <SmallTable
        label="Use by group and resource class"
        columns={columnsFor(classesOf(groups).slice(0, CLASSES_SHOWN), by)}
        rows={shown}
        keyOf={({ key }) => key ?? ''}
        minWidth={520}
      />
      {more}
      {next !== null && <Note mt="xs">The first {countText(groups.length)} groups.</Note>}
    </div>
  );
}

const columnsFor = (classes: readonly string[], by: GroupKind): readonly Column<CapacityGroup>[] => [
  {
    key: 'group',
    name: NAMES[by].one,
    width: '84px',
    cell: ({ key, name }) =>
      key === null ? (
        NAMES[by].none
      ) : (
        <PageLink to={pathTo('/hosts', { [by]: key })} inherit>
          {name ?? key}
        </PageLink>
      ),
  },
  {
    key: 'hosts',
    name: 'Usable hosts',
    align: 'right',
    cell: (group) => {
      const { hosts, usable } = realHosts(group);
      return usable === hosts ? countText(hosts) : `${countText(usable)} of ${countText(hosts)}`;
    },
  },
  ...classes.map((resourceClass): Column<CapacityGroup> => ({
    key: resourceClass,
    name: <ClassName of={resourceClass} />,
    width: '98px',
    cell: (group) => <Use group={group} by={by} resourceClass={resourceClass} />,
  })),
];

interface UseProps {
  readonly group: CapacityGroup;
  readonly by: GroupKind;
  readonly resourceClass: string;
}

function Use({ group: { key, name, resource_classes: figures }, by, resourceClass }: UseProps) {
  const of = figures[resourceClass];
  if (of === undefined) return '–';
  const share = of.capacity === 0 ? '–' : shareText(of.used / of.capacity);
  const shown = name ?? key ?? NAMES[by].none;
  return (
    <Group gap="xs" wrap="nowrap">
      <UseBar
        resourceClass={resourceClass}
        used={of.used}
        capacity={of.capacity}
        isBare
        label={`${classText(resourceClass)} in ${shown}`}
      />
      <Text w={44} ta="right" style={{ flexShrink: 0, whiteSpace: 'nowrap' }}>
        {key === null ? (
          share
        ) : (
          <PageLink
            to={pathTo('/hosts', { [by]: key, resource_class: resourceClass, sort: `-use:${resourceClass}` })}
            inherit
            c="var(--mantine-color-text)"
            aria-label={`${share} of ${classText(resourceClass)}: hosts of ${shown}`}
          >
            {share}
          </PageLink>
        )}
      </Text>
    </Group>
  );
}

/** By name in natural order; the hosts without a group last. */
const inOrder = (groups: readonly CapacityGroup[]): readonly CapacityGroup[] =>
  [...groups].sort(
    (a, b) => Number(a.key === null) - Number(b.key === null) || byName(a.name ?? a.key ?? '', b.name ?? b.key ?? ''),
  );

const classesOf = (groups: readonly CapacityGroup[]): readonly string[] =>
  sortedClasses(new Set(groups.flatMap(({ resource_classes: figures }) => Object.keys(figures))));

const fieldsFor = (classes: readonly string[]): Fields<CapacityGroup> => ({
  ...membersOf<CapacityGroup>('name', 'hosts', 'hosts_usable', 'instances'),
  ...figureFields<CapacityGroup, 'capacity' | 'used' | 'free' | 'usable'>(
    classes,
    ['capacity', 'used', 'free', 'usable'],
    ({ resource_classes: of }, name) => of[name],
    '_',
  ),
});
