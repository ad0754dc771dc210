// The series of the history panel: the use of the scarcest classes, and the refused share of the requests.
import type { HistoryReport } from '../../service/reports';
import { scarcestFirst } from '../../shown/scarcest';

type Sample = HistoryReport['samples'][number];

export interface Series {
  readonly name: string;
  /** From 0 to 1 and above, by time; undefined at times without a value. */
  readonly values: readonly (number | undefined)[];
}

const CLASSES_SHOWN = 3;

export function seriesOf(samples: readonly Sample[]): readonly Series[] {
  const last = samples.at(-1);
  if (last === undefined) return [];
  return scarcestFirst(last.resource_classes)
    .slice(0, CLASSES_SHOWN)
    .map((name) => ({ name, values: samples.map((sample) => shareOf(sample, name)) }));
}

function shareOf({ resource_classes: classes }: Sample, name: string): number | undefined {
  const of = classes[name];
  return of === undefined || of.capacity === 0 ? undefined : of.used / of.capacity;
}

/** The times of the samples as shares of the period. */
export function timesOf(samples: readonly Pick<Sample, 'at'>[]): readonly number[] {
  const times = samples.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return times.map((at) => (last === first ? 0 : (at - first) / (last - first)));
}

/** The points of a line in a box; a gap in the values starts another line. */
export function linesOf(
  values: readonly (number | undefined)[],
  times: readonly number[],
  width: number,
  height: number,
): readonly string[] {
  const lines: string[][] = [[]];
  for (const [at, value] of values.entries()) {
    if (value === undefined) lines.push([]);
    else
      lines.at(-1)?.push(`${((times[at] ?? 0) * width).toFixed(1)},${(height * (1 - Math.min(1, value))).toFixed(1)}`);
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '));
}
