// The map as a table with one row per group, for screen readers and for exact numbers.
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { MapReport } from '../../service/reports';
import { countText, shareText } from '../../shown/amount';
import type { Cell } from '../../shown/csv';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import type { HostGroup } from './map-groups';
import type { CellKind, Shades } from './map-kinds';
import type { GroupKind, Subject } from './map-subject';
import type { GroupSummary } from './map-summary';
import { summaryOf } from './map-summary';

interface Props {
  readonly summaries: readonly GroupSummary[];
  readonly by: GroupKind;
  readonly subject: Subject;
  readonly kinds: readonly CellKind[];
}

export const summariesOf = (groups: readonly HostGroup[], report: MapReport, shades: Shades): readonly GroupSummary[] =>
  groups.map((group) => summaryOf(group, report, { kindOf: shades.of, kinds: shades.kinds.length }));

export function MapTable({ summaries, by, subject, kinds }: Props) {
  const columns: readonly Column<GroupSummary>[] = [
    {
      key: 'group',
      name: by === 'availability_zone' ? 'Zone' : 'Host aggregate',
      width: 'minmax(120px, 2fr)',
      cell: ({ group }) => <GroupName group={group} by={by} />,
    },
    {
      key: 'hosts',
      name: 'Hosts',
      align: 'right',
      cell: ({ group }) => countText(group.members.length),
    },
    ...(isScale(subject) ? scaleColumns(subject) : []),
    ...countedKinds(kinds, subject).map(({ kind, index }) => ({
      key: kind.key,
      name: capitalised(kind.name),
      align: 'right' as const,
      cell: ({ counts }: GroupSummary) => countText(counts[index] ?? 0),
    })),
  ];
  return (
    <DataTable
      label="The map as a table"
      columns={columns}
      rows={summaries}
      keyOf={({ group }) => group.key ?? ''}
      empty={null}
    />
  );
}

const isScale = ({ kind }: Subject): boolean => kind === 'use' || kind === 'stranded';

const scaleColumns = ({ kind }: Subject): readonly Column<GroupSummary>[] => [
  {
    key: 'mean',
    name: kind === 'use' ? 'Mean use' : 'Mean stranded',
    align: 'right',
    cell: ({ meanUse }) => (meanUse === undefined ? '–' : shareText(meanUse)),
  },
  {
    key: 'fullest',
    name: kind === 'use' ? 'Fullest host' : 'Most stranded',
    width: 'minmax(120px, 2fr)',
    cell: ({ fullest }) =>
      fullest === undefined ? (
        '–'
      ) : (
        <>
          <Anchor component={Link} to={`/hosts/${fullest[0]}`} inherit underline="always">
            {fullest[1]}
          </Anchor>
          {`, ${shareText(fullest[5] ?? 0)}`}
        </>
      ),
  },
];

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Of a scale only the kinds outside it are counted; the mean covers the rest. */
const countedKinds = (kinds: readonly CellKind[], subject: Subject) =>
  kinds
    .map((kind, index) => ({ kind, index }))
    .filter(({ kind }) => !isScale(subject) || !kind.look.startsWith('use '));

function GroupName({ group: { key, name }, by }: { readonly group: HostGroup; readonly by: GroupKind }) {
  if (key === null) return name;
  return (
    <Anchor component={Link} to={`/hosts?${new URLSearchParams({ [by]: key }).toString()}`} inherit>
      {name}
    </Anchor>
  );
}

/** Header and rows of the CSV file, with every kind. */
export function mapCsv({ summaries, subject, kinds }: Omit<Props, 'by'>): {
  readonly columns: readonly string[];
  readonly rows: () => Iterable<readonly Cell[]>;
} {
  const isUse = isScale(subject);
  return {
    columns: ['group', 'hosts', ...(isUse ? ['mean_use', 'fullest_host'] : []), ...kinds.map(({ name }) => name)],
    rows: () =>
      summaries.map(({ group, counts, meanUse, fullest }) => [
        group.name,
        group.members.length,
        ...(isUse ? [meanUse, fullest?.[1]] : []),
        ...counts,
      ]),
  };
}
