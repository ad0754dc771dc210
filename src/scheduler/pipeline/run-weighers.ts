// Runs the weighers and sorts. The weight of a host is the sum over weighers of multiplier(host) × normalised(raw), and
// every part of it is kept, in columns: a decision looks at thousands of hosts and shows a hundred. With fewer than two
// hosts nothing is computed and the weight is 0.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { BoundWeigher } from './bind';
import type { Weigher, WeigherContext } from './define-weigher';
import type { FilterEnvironment } from './define-filter';
import { WEIGHT_TOLERANCE } from './limits';
import { optionsForHost } from './options';
import type { OptionDeclarations } from './options';
import { causeOf } from './verdict';

/** What one weigher made of one host. */
export interface WeigherPart {
  readonly host: string;
  readonly node: string;
  /** Null when the weigher failed on this host. */
  readonly raw: number | null;
  readonly normalized: number;
  readonly multiplier: number;
  readonly score: number;
  readonly error: string | null;
}

/** What one weigher made of all hosts. The parts are made when somebody looks. */
export interface WeigherRecord {
  readonly name: string;
  readonly hosts: readonly WeigherPart[];
  /** The parts of these hosts, in their order. */
  partsOf(hosts: readonly HostState[]): readonly WeigherPart[];
}

export interface HostWeight {
  readonly state: HostState;
  readonly weight: number;
}

export interface WeighingResult {
  readonly weighers: readonly WeigherRecord[];
  /** Highest weight first; among equals by host, node and uuid. */
  readonly ranking: readonly HostWeight[];
}

export function runWeighers(
  weighers: readonly BoundWeigher[],
  hosts: readonly HostState[],
  spec: RequestSpec,
  env: FilterEnvironment,
): WeighingResult {
  if (hosts.length < 2) return { weighers: [], ranking: hosts.map((state) => ({ state, weight: 0 })) };
  const columns = weighers.map((weigher) => columnsOf(weigher, hosts, spec, env));
  const weighed = hosts.map((state, at) => {
    let weight = 0;
    for (const { scores } of columns) weight += scores[at] ?? 0;
    return { state, weight };
  });
  return { weighers: columns.map((column) => new ColumnRecord(column, hosts)), ranking: rank(weighed) };
}

/** One weigher's numbers, a position for each host. A raw value that failed is NaN, and its cause is in `errors`. */
interface Columns {
  readonly name: string;
  readonly raws: Float64Array;
  readonly normalized: Float64Array;
  readonly multipliers: Float64Array;
  readonly scores: Float64Array;
  readonly errors: ReadonlyMap<number, string>;
}

class ColumnRecord implements WeigherRecord {
  private positions: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly columns: Columns,
    private readonly states: readonly HostState[],
  ) {}

  get name(): string {
    return this.columns.name;
  }

  get hosts(): readonly WeigherPart[] {
    return this.states.map((state, at) => this.part(state, at));
  }

  partsOf(hosts: readonly HostState[]): readonly WeigherPart[] {
    this.positions ??= new Map(this.states.map(({ uuid }, at) => [uuid, at]));
    const positions = this.positions;
    return hosts.flatMap((state) => {
      const at = positions.get(state.uuid);
      return at === undefined ? [] : [this.part(state, at)];
    });
  }

  private part({ host, node }: HostState, at: number): WeigherPart {
    const { raws, normalized, multipliers, scores, errors } = this.columns;
    const raw = raws[at] ?? Number.NaN;
    return {
      host,
      node,
      raw: Number.isNaN(raw) ? null : raw,
      normalized: normalized[at] ?? 0,
      multiplier: multipliers[at] ?? 0,
      score: scores[at] ?? 0,
      error: errors.get(at) ?? null,
    };
  }
}

/** A weigher that fails on a host gives it the worst score it has to give: 0, or the multiplier where that is less. */
function columnsOf(
  { part, values }: BoundWeigher,
  hosts: readonly HostState[],
  spec: RequestSpec,
  env: FilterEnvironment,
): Columns {
  const count = hosts.length;
  const [raws, multipliers, scores] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const errors = new Map<number, string>();
  const isAsked = part.applies(spec, values);
  const shared: WeigherContext<OptionDeclarations> = { options: values, env };
  for (const [at, host] of hosts.entries()) {
    try {
      const options = optionsForHost(part.options, values, host);
      multipliers[at] = finite(part.multiplier(options), 'multiplier');
      if (isAsked) raws[at] = rawOf(part, host, spec, options === values ? shared : { options, env });
    } catch (error) {
      raws[at] = Number.NaN;
      errors.set(at, causeOf(error));
    }
  }
  const normalized = normalize(raws, { min: part.fixedMin, max: part.fixedMax });
  for (let at = 0; at < count; at += 1) {
    const multiplier = multipliers[at] ?? 0;
    scores[at] = errors.has(at) ? Math.min(0, multiplier) : (normalized[at] ?? 0) * multiplier;
  }
  return { name: part.name, raws, normalized, multipliers, scores, errors };
}

const rawOf = (
  part: Weigher,
  host: HostState,
  spec: RequestSpec,
  context: WeigherContext<OptionDeclarations>,
): number => finite(part.weigh(host, spec, context), 'raw value');

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new Error(`its ${what} is ${String(value)}`);
  return value;
}

/**
 * Raw values on a scale from 0 to 1. Values are clamped to the fixed ends; an end that is not fixed is the smallest or
 * largest value. Where both ends meet, everything is 0. A missing value (NaN) is 0 and does not move the ends.
 */
export function normalize(
  raws: ArrayLike<number>,
  fixed: { readonly min: number | null; readonly max: number | null } = { min: null, max: null },
): Float64Array {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < raws.length; at += 1) {
    const raw = raws[at] ?? Number.NaN;
    if (raw < low) low = raw;
    if (raw > high) high = raw;
  }
  const min = fixed.min ?? (fixed.max === null ? low : Math.min(low, fixed.max));
  const max = fixed.max ?? (fixed.min === null ? high : Math.max(high, fixed.min));
  const normalized = new Float64Array(raws.length);
  if (max <= min) return normalized;
  for (let at = 0; at < raws.length; at += 1) {
    const raw = raws[at] ?? Number.NaN;
    if (!Number.isNaN(raw)) normalized[at] = (Math.min(Math.max(raw, min), max) - min) / (max - min);
  }
  return normalized;
}

/** True when two weights differ by less than the tolerance, relative to the larger of them. */
export function sameWeight(one: number, other: number): boolean {
  return Math.abs(one - other) <= WEIGHT_TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

/** Highest first. Neighbours of equal weight form a group, and each group is ordered by its stable key. */
export function rank(weighed: readonly HostWeight[]): HostWeight[] {
  const sorted = [...weighed].sort((one, other) => other.weight - one.weight || byKey(one, other));
  let start = 0;
  for (let end = 1; end <= sorted.length; end += 1) {
    const [before, next] = [sorted[end - 1], sorted[end]];
    if (before !== undefined && next !== undefined && sameWeight(before.weight, next.weight)) continue;
    if (end - start > 1 && sorted[start]?.weight !== before?.weight) {
      const group = sorted.slice(start, end).sort(byKey);
      for (const [at, host] of group.entries()) sorted[start + at] = host;
    }
    start = end;
  }
  return sorted;
}

function byKey({ state: one }: HostWeight, { state: other }: HostWeight): number {
  return compare(one.host, other.host) || compare(one.node, other.node) || compare(one.uuid, other.uuid);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
