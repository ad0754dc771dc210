// When a resource class is full: a least-squares line through its mean use of each of the last days, and a range from how
// much the growth differs from day to day. Pure.

/** Days of history that are needed. */
const DAYS_MIN = 4;
/** Standard errors of the growth on each side. Days that follow each other are alike, so two would be too few. */
const ERRORS = 3;
/** A range is shown if it ends within this many days, and at most this many times later than it begins. */
const DAYS_MAX = 365;
const WIDTH_MAX = 4;
const DAY_MS = 86_400_000;

/** Days from the last sample on; null: not foreseeable, and the sentence says why. */
export interface WhenFull {
  readonly earliest_days: number | null;
  readonly latest_days: number | null;
  readonly sentence: string;
}

interface Point {
  readonly atMs: number;
  readonly used: number;
}

/** `room`: the amount that can still be used. Samples are in the order of time. */
export function whenFull(samples: readonly Point[], room: number): WhenFull {
  const first = samples[0]?.atMs ?? 0;
  const span = ((samples.at(-1)?.atMs ?? 0) - first) / DAY_MS;
  const days = Math.round(span);
  if (room <= 0) return unknown('full now');
  if (days < DAYS_MIN) return unknown(`not foreseeable: ${span.toFixed(1)} of ${DAYS_MIN} days of history`);
  const dayOf = ({ atMs }: Point): number => Math.min(days - 1, Math.floor(((atMs - first) / DAY_MS / span) * days));
  const byDay = Array.from({ length: days }, (_, day) => samples.filter((sample) => dayOf(sample) === day));
  const [pace, error] = growthOf(byDay.filter((of) => of.length > 0).map(meanOf));
  if (!(pace - error > 0)) return unknown('not foreseeable: use does not grow steadily');
  const [from, to] = [room / (pace + error), room / (pace - error)];
  if (from > DAYS_MAX) return unknown('not full within a year at this pace');
  if (to > WIDTH_MAX * from || to > DAYS_MAX) return unknown('not foreseeable: use grows too unevenly');
  const range = to < 1 ? 'within a day' : `in ${Math.floor(from)} to ${Math.floor(to) + 1} days`;
  return { earliest_days: from, latest_days: to, sentence: `full ${range} at the pace of the last ${days} days` };
}

const unknown = (sentence: string): WhenFull => ({ earliest_days: null, latest_days: null, sentence });

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

const meanOf = (points: readonly Point[]): Point => ({
  atMs: mean(points.map(({ atMs }) => atMs)),
  used: mean(points.map(({ used }) => used)),
});

/** The slope of the line, per day; and the error of the mean growth from one point to the next. */
function growthOf(points: readonly Point[]): readonly [pace: number, error: number] {
  const middle = meanOf(points);
  const [days, uses] = [points.map(({ atMs }) => (atMs - middle.atMs) / DAY_MS), points.map(({ used }) => used)];
  const at = (values: readonly number[], place: number): number => values[place] ?? 0;
  const pace = mean(days.map((day, place) => day * at(uses, place))) / mean(days.map((day) => day ** 2));
  const steps = uses.slice(1).map((use, place) => (use - at(uses, place)) / (at(days, place + 1) - at(days, place)));
  return [pace, ERRORS * Math.sqrt(mean(steps.map((step) => (step - pace) ** 2)) / (steps.length - 1))];
}
