// The column that selects hosts. Its head selects every host that matches.
import type { HostRow } from '../../service/reports';
import type { Column } from '../../shown/data-table';

type Ticked = ReadonlyMap<string, HostRow>;

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
