// The columns of the hosts table: identity and state, usage by class, then the rest.
import type { ClassFigures, HostRow } from '../../service/reports';
import { amountText, classNoun, classText, countText, shareText, sortedClasses } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { instancesText, isUnreported } from '../../shown/instances-text';
import { PageLink } from '../../shown/page-link';
import { readable } from '../../shown/readable';
import type { Fields } from '../../shown/save-buttons';
import { figureFields, membersOf } from '../../shown/save-buttons';
import { StatusMark } from '../../shown/status-mark';
import { UseBar } from '../../shown/use-bar';
import classes from './host-columns.module.css';

interface Shown {
  readonly classes: readonly string[];
  /** The class whose stranded amounts are sorted by, or the first one; undefined: no column. */
  readonly stranded: string | undefined;
}

export function hostColumns({ classes, stranded }: Shown): readonly Column<HostRow>[] {
  return [
    {
      key: 'name',
      name: 'Name',
      sort: 'name',
      width: 'minmax(140px, 1.4fr)',
      cell: ({ uuid, name }) => (
        <PageLink to={`/hosts/${uuid}`} fw={500} title={name}>
          {name}
        </PageLink>
      ),
    },
    {
      key: 'status',
      name: 'Status',
      sort: 'status',
      width: '124px',
      cell: ({ status, status_reason: reason, last_seen_up: lastSeen }) => (
        <StatusMark status={status} reason={reason} lastSeen={lastSeen} isBare />
      ),
    },
    {
      key: 'zone',
      name: 'Zone',
      sort: 'zone',
      width: 'minmax(80px, 0.7fr)',
      cell: ({ availability_zone: zone }) => zone ?? <Missing title="In no availability zone" />,
    },
    ...classes.map((name) => ({
      key: `use:${name}`,
      name: classText(name),
      sort: `use:${name}`,
      width: 'minmax(106px, 1fr)',
      cell: ({ resource_classes: figures }: HostRow) => <Use name={name} figures={figures[name]} />,
    })),
    ...(stranded === undefined
      ? []
      : [
          {
            key: 'stranded',
            name: 'Stranded',
            sort: `stranded:${stranded}`,
            width: 'minmax(190px, 1fr)',
            cell: (row: HostRow) => <Stranded row={row} first={stranded} />,
          },
        ]),
    {
      key: 'instances',
      name: 'Instances',
      sort: 'instances',
      align: 'right' as const,
      width: '104px',
      cell: (row) =>
        isUnreported(row) ? <Missing title={NOT_IN_USE}>{instancesText(row)}</Missing> : instancesText(row),
    },
    {
      key: 'aggregates',
      name: 'Host aggregates',
      width: 'minmax(122px, 1fr)',
      cell: (row) => <Aggregates row={row} />,
    },
    { key: 'traits', name: 'Traits', align: 'right' as const, width: '64px', cell: ({ traits }) => countText(traits) },
  ];
}

const NOT_IN_USE = 'Something is used here, but the report of the host lists no instances';

function Missing({ title, children = '–' }: { readonly title: string; readonly children?: string }) {
  return (
    <span className={classes.missing} title={title}>
      {children}
    </span>
  );
}

function Aggregates({ row: { host_aggregates: aggregates } }: { readonly row: HostRow }) {
  if (aggregates.length === 0) return <Missing title="In no host aggregate" />;
  const names = aggregates.map(({ name }) => name).join(', ');
  return <span title={names}>{names}</span>;
}

/** The amounts that no flavor can use, the class that is sorted by first. */
function Stranded({ row: { stranded }, first }: { readonly row: HostRow; readonly first: string }) {
  if (stranded === null) return <Missing title="Not judged: nothing can be placed here, or it is being computed" />;
  const names = sortedClasses(Object.keys(stranded)).sort((a, b) => Number(b === first) - Number(a === first));
  if (names.length === 0) return 'none';
  const title = names.map((name) => readable(stranded[name]?.because ?? name)).join('; ');
  const texts = names.map((name) => {
    const { amount = 0, at_most: isBound = false } = stranded[name] ?? {};
    return `${isBound ? '≤ ' : ''}${amountText(name, amount)} ${classNoun(name)}`;
  });
  return <span title={title}>{texts.join(', ')}</span>;
}

function Use({ name, figures }: { readonly name: string; readonly figures: ClassFigures | undefined }) {
  if (figures === undefined) return <Missing title={`Has no ${name}`} />;
  const { used, capacity, reserved, free } = figures;
  const share = capacity === 0 ? (used === 0 ? 0 : Infinity) : used / capacity;
  return (
    <div className={classes.use}>
      <UseBar resourceClass={name} used={used} capacity={capacity} reserved={reserved} isBare />
      <span className={classes.share} title={`${amountText(name, free)} free`}>
        {share > 1 ? 'over' : shareText(share)}
      </span>
    </div>
  );
}

type Ticked = ReadonlyMap<string, HostRow>;

/** The column that selects hosts. Its head selects every host that matches. */
export function tickColumn(
  rows: readonly HostRow[],
  ticked: Ticked,
  setTicked: (ticked: Ticked) => void,
  all: () => Promise<readonly HostRow[]>,
): Column<HostRow> {
  const areAll = rows.length > 0 && rows.every(({ uuid }) => ticked.has(uuid));
  return {
    key: 'tick',
    width: '20px',
    name: (
      <input
        type="checkbox"
        aria-label="Select all hosts that match"
        checked={areAll}
        onChange={() => void (areAll ? Promise.resolve([]) : all()).then((found) => setTicked(byUuid(found)))}
      />
    ),
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={`Select ${row.name}`}
        checked={ticked.has(row.uuid)}
        onChange={() => {
          const next = new Map(ticked);
          if (!next.delete(row.uuid)) next.set(row.uuid, row);
          setTicked(next);
        }}
      />
    ),
  };
}

const byUuid = (rows: readonly HostRow[]): Ticked => new Map(rows.map((row) => [row.uuid, row]));

const FIGURES = ['total', 'reserved', 'capacity', 'used', 'free'] as const;

/** The columns of the CSV file: each class has all its figures, in its own unit. */
export const hostFields = (names: readonly string[]): Fields<HostRow> => ({
  ...membersOf<HostRow>('uuid', 'name', 'status', 'status_reason', 'availability_zone'),
  host_aggregates: ({ host_aggregates: aggregates }) => aggregates.map(({ name }) => name).join(' '),
  instances: (row) => (isUnreported(row) ? null : row.instances),
  ...membersOf<HostRow>('traits', 'providers'),
  stranded: ({ stranded }) =>
    Object.entries(stranded ?? {})
      .map(([name, { amount }]) => `${name}:${amount}`)
      .join(' '),
  ...figureFields<HostRow, (typeof FIGURES)[number]>(names, FIGURES, ({ resource_classes: of }, name) => of[name]),
});
