// Usage of each zone or host aggregate by class.
import { Group, Text } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import type { CapacityGroup, CapacityReport } from '../../service/reports';
import { AddressChoice } from '../../shown/address-choice';
import { classText, countText, shareText, sortedClasses } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import type { Column } from '../../shown/data-table';
import type { GroupKind } from '../../shown/group-kind';
import { GROUP_CHOICES, GROUP_NAMES, groupKindOf, inOrder } from '../../shown/group-kind';
import { Note } from '../../shown/note';
import { GroupLink, PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import type { Fields } from '../../shown/save-buttons';
import { CsvButton, figureFields, membersOf } from '../../shown/save-buttons';
import { SmallTable } from '../../shown/small-table';
import { UseBar } from '../../shown/use-bar';
import { ClassName } from './class-name';
import { realHosts } from './real-hosts';
import { useFirst } from './use-first';

/** Number of class columns; the hosts pages show the rest. */
const CLASSES_SHOWN = 4;
const GROUPS_SHOWN = 12;

export function GroupsPanel() {
  const by = groupKindOf(useAddress());
  const question = useAnswer('hosts', ['capacity', by], ({ reports }, signal) =>
    reports.capacity({ group_by: by }, { signal }),
  );
  const groups = question.data?.groups ?? [];
  return (
    <Panel
      title={GROUP_NAMES[by].many}
      aside={
        <Group gap="sm">
          <AddressChoice label="Group by" name="group" data={GROUP_CHOICES} />
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
    name: GROUP_NAMES[by].one,
    width: '84px',
    cell: (group) => <GroupLink by={by} group={group} />,
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
  const shown = name ?? key ?? GROUP_NAMES[by].none;
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
