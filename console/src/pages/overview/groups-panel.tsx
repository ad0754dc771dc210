// Usage of each zone or host aggregate by class.
import { Anchor, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import type { CapacityGroup, CapacityReport } from '../../service/reports';
import { classText, countText, shareText, sortedClasses } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { byName } from '../../shown/by-name';
import { CsvButton } from '../../shown/save-buttons';
import { UseBar } from '../../shown/use-bar';
import { ClassName } from './class-name';
import { Panel, useFirst } from './panel';
import { realHosts } from './real-hosts';

type GroupKind = 'availability_zone' | 'host_aggregate';

/** Number of class columns; the hosts pages show the rest. */
const CLASSES_SHOWN = 4;
const GROUPS_SHOWN = 12;

export function GroupsPanel() {
  const { get, set } = useAddress();
  const by: GroupKind = get('group') === 'host_aggregate' ? 'host_aggregate' : 'availability_zone';
  const question = useAnswer('hosts', ['capacity', by], ({ reports }, signal) =>
    reports.capacity({ group_by: by }, { signal }),
  );
  return (
    <Panel
      title={by === 'availability_zone' ? 'Zones' : 'Host aggregates'}
      aside={
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Group by"
            value={by}
            onChange={(value) => set({ group: value === 'host_aggregate' ? value : '' })}
            data={[
              { value: 'availability_zone', label: 'Zones' },
              { value: 'host_aggregate', label: 'Host aggregates' },
            ]}
          />
          {question.data !== undefined && <GroupsCsv report={question.data} />}
        </Group>
      }
    >
      <Answered question={question}>{(report) => <GroupsTable report={report} />}</Answered>
    </Panel>
  );
}

function GroupsTable({ report: { groups, group_by: by, next_marker: next } }: { readonly report: CapacityReport }) {
  const { shown, more } = useFirst('groups', inOrder(groups), GROUPS_SHOWN);
  const classes = classesOf(groups).slice(0, CLASSES_SHOWN);
  return (
    <div>
      <Table.ScrollContainer minWidth={520} type="native">
        <Table verticalSpacing={4} horizontalSpacing="xs" aria-label="Use by group and resource class">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{by === 'availability_zone' ? 'Zone' : 'Host aggregate'}</Table.Th>
              <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                Usable hosts
              </Table.Th>
              {classes.map((name) => (
                <Table.Th key={name}>
                  <ClassName of={name} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((group) => (
              <GroupRow key={group.key ?? ''} group={group} by={by} classes={classes} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more}
      {next !== null && (
        <Text size="xs" c="dimmed" mt="xs">
          The first {countText(groups.length)} groups.
        </Text>
      )}
    </div>
  );
}

interface RowProps {
  readonly group: CapacityGroup;
  readonly by: string;
  readonly classes: readonly string[];
}

function GroupRow({ group, by, classes }: RowProps) {
  const { key, name, resource_classes: figures } = group;
  const { hosts, usable } = realHosts(group);
  const none = by === 'availability_zone' ? 'No zone' : 'No host aggregate';
  const to = (more: Readonly<Record<string, string>>): string =>
    `/hosts?${new URLSearchParams({ ...(key !== null && { [by]: key }), ...more }).toString()}`;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} miw={84} maw={180} style={{ overflowWrap: 'anywhere' }}>
        {key === null ? (
          none
        ) : (
          <Anchor component={Link} to={to({})} inherit>
            {name ?? key}
          </Anchor>
        )}
      </Table.Th>
      <Table.Td ta="right" className="numbers" style={{ whiteSpace: 'nowrap' }}>
        {usable === hosts ? countText(hosts) : `${countText(usable)} of ${countText(hosts)}`}
      </Table.Td>
      {classes.map((each) => {
        const of = figures[each];
        if (of === undefined) return <Table.Td key={each}>–</Table.Td>;
        const share = of.capacity === 0 ? '–' : shareText(of.used / of.capacity);
        return (
          <Table.Td key={each} miw={98}>
            <Group gap="xs" wrap="nowrap">
              <UseBar
                resourceClass={each}
                used={of.used}
                capacity={of.capacity}
                isBare
                label={`${classText(each)} in ${name ?? none}`}
              />
              <Text size="sm" w={44} ta="right" className="numbers" style={{ flexShrink: 0, whiteSpace: 'nowrap' }}>
                {key === null ? (
                  share
                ) : (
                  <Anchor
                    component={Link}
                    to={to({ resource_class: each, sort: `-use:${each}` })}
                    inherit
                    c="var(--mantine-color-text)"
                    aria-label={`${share} of ${classText(each)}: hosts of ${name ?? key}`}
                  >
                    {share}
                  </Anchor>
                )}
              </Text>
            </Group>
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

/** By name in natural order; the hosts without a group last. */
const inOrder = (groups: readonly CapacityGroup[]): readonly CapacityGroup[] =>
  [...groups].sort(
    (a, b) => Number(a.key === null) - Number(b.key === null) || byName(a.name ?? a.key ?? '', b.name ?? b.key ?? ''),
  );

const classesOf = (groups: readonly CapacityGroup[]): readonly string[] =>
  sortedClasses(new Set(groups.flatMap(({ resource_classes: figures }) => Object.keys(figures))));

function GroupsCsv({ report: { groups } }: { readonly report: CapacityReport }) {
  const classes = classesOf(groups);
  const measures = ['capacity', 'used', 'free', 'usable'] as const;
  return (
    <CsvButton
      name="groups"
      columns={[
        'name',
        'hosts',
        'hosts_usable',
        'instances',
        ...classes.flatMap((name) => measures.map((measure) => `${name}_${measure}`)),
      ]}
      rows={() =>
        groups.map((group) => [
          group.name,
          group.hosts,
          group.hosts_usable,
          group.instances,
          ...classes.flatMap((name) => measures.map((measure) => group.resource_classes[name]?.[measure])),
        ])
      }
    />
  );
}
