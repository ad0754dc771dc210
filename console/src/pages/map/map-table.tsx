// The map as a table with one row per group, for screen readers and for exact numbers.
import { countText, shareText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import type { GroupKind } from '../../shown/group-kind';
import { GROUP_NAMES } from '../../shown/group-kind';
import { GroupLink, TextLink } from '../../shown/page-link';
import type { Fields } from '../../shown/save-buttons';
import type { CellKind } from './map-kinds';
import { isOfScale } from './map-kinds';
import type { Subject } from './map-subject';
import type { GroupSummary } from './map-summary';

interface Props {
  readonly summaries: readonly GroupSummary[];
  readonly by: GroupKind;
  readonly subject: Subject;
  readonly kinds: readonly CellKind[];
}

export function MapTable({ summaries, by, subject, kinds }: Props) {
  const hasScale = kinds.some(isOfScale);
  const columns: readonly Column<GroupSummary>[] = [
    {
      key: 'group',
      name: GROUP_NAMES[by].one,
      width: 'minmax(120px, 2fr)',
      cell: ({ group }) => <GroupLink by={by} group={group} />,
    },
    { key: 'hosts', name: 'Hosts', align: 'right', cell: ({ group }) => countText(group.members.length) },
    ...(hasScale ? scaleColumns(subject) : []),
    // Of a scale only the kinds outside it are counted; the mean covers the rest.
    ...kinds
      .filter((kind) => !isOfScale(kind))
      .map(({ key, name }): Column<GroupSummary> => ({
        key,
        name: capitalised(name),
        align: 'right',
        cell: ({ counts }) => countText(counts.get(key) ?? 0),
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

const scaleColumns = ({ kind }: Subject): readonly Column<GroupSummary>[] => [
  {
    key: 'mean',
    name: kind === 'use' ? 'Mean use' : 'Mean stranded',
    align: 'right',
    cell: ({ meanShare }) => (meanShare === undefined ? '–' : shareText(meanShare)),
  },
  {
    key: 'fullest',
    name: kind === 'use' ? 'Fullest host' : 'Most stranded',
    width: 'minmax(120px, 2fr)',
    cell: ({ highest }) =>
      highest === undefined ? (
        '–'
      ) : (
        <>
          <TextLink to={`/hosts/${highest.uuid}`}>{highest.name}</TextLink>
          {`, ${shareText(highest.share ?? 0)}`}
        </>
      ),
  },
];

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The CSV file has every kind. */
export const mapFields = (kinds: readonly CellKind[]): Fields<GroupSummary> => ({
  group: ({ group }) => group.name,
  hosts: ({ group }) => group.members.length,
  ...(kinds.some(isOfScale) && {
    mean_use: ({ meanShare }: GroupSummary) => meanShare,
    fullest_host: ({ highest }: GroupSummary) => highest?.name,
  }),
  ...Object.fromEntries(
    kinds.map(({ key, name }) => [name, ({ counts }: GroupSummary) => counts.get(key) ?? 0] as const),
  ),
});
