// Runs the weighers and sorts. The weight of a host is the sum over weighers of multiplier(host) × normalised(raw). All
// parts are kept in columns: a decision weighs thousands of hosts and shows a hundred. With fewer than two hosts
// nothing is computed and the weight is 0.

import type { OptionDeclarations } from '../../platform/values/options';
import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import { compareText } from '../../platform/values/text-order';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundWeigher } from './bind';
import type { FilterEnvironment } from './define-filter';
import type { Weigher, WeigherContext } from './define-weigher';
import { WEIGHT_TOLERANCE } from './limits';
import { optionsForHost } from './options';
import { causeOf } from './verdict';

/** The result of one weigher for one host. */
interface WeigherPart {
  readonly host: string;
  readonly node: string;
  /** Null if the weigher failed on this host. */
  readonly raw: number | null;
  readonly normalized: number;
  readonly multiplier: number;
  readonly score: number;
  readonly error: string | null;
}

/** The result of one weigher for all hosts; the parts are created on demand. */
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

interface WeighingResult {
  readonly weighers: readonly WeigherRecord[];
  /** Highest weight first; equal weights are ordered by host, node and uuid. */
  readonly ranking: readonly HostWeight[];
}

export function* weigherTask(
  weighers: readonly BoundWeigher[],
  hosts: readonly HostState[],
  spec: RequestSpec,
  env: FilterEnvironment,
): Task<WeighingResult> {
  if (hosts.length < 2) return { weighers: [], ranking: hosts.map((state) => ({ state, weight: 0 })) };
  const kinds = new HostKinds(hosts);
  const termsOfKinds: (readonly KindTerms[])[] = [];
  yield* forEachInSteps(kinds.samples, (sample) => termsOfKinds.push(termsOfKind(weighers, sample, env)));
  const columns: Column[] = [];
  // Typed arrays: plain ones took 4 % more CPU for a batch of a thousand on 10 000 hosts.
  const weights = new Float64Array(hosts.length);
  for (const [at, weigher] of weighers.entries()) {
    const terms = termsOfKinds.map((ofWeighers) => ofWeighers[at] as KindTerms);
    const column = columnOf(weigher, kinds, terms, spec);
    columns.push(column);
    addScores(weights, column, kinds);
    yield;
  }
  const weighed = hosts.map((state, at): HostWeight => ({ state, weight: weights[at] ?? 0 }));
  const ranking = rankingOf(weighed);
  return { weighers: columns.map((column) => new ColumnRecord(column, kinds)), ranking };
}

/** Hosts with their kinds, which have the same multipliers. */
interface KindsOfHosts {
  readonly hosts: readonly HostState[];
  /** Index of each host's kind. */
  readonly of: ArrayLike<number>;
  positionOf(uuid: string): number | undefined;
}

/** Hosts in the same host aggregates have the same multipliers, so these are computed once per such kind. */
class HostKinds implements KindsOfHosts {
  readonly of: Int32Array;
  /** One host of each kind. */
  readonly samples: readonly HostState[];
  private positions: ReadonlyMap<string, number> | undefined;

  constructor(readonly hosts: readonly HostState[]) {
    const known = new Map<HostState['aggregates'], number>();
    const samples: HostState[] = [];
    this.of = new Int32Array(hosts.length);
    let at = 0;
    for (const host of hosts) {
      let kind = known.get(host.aggregates);
      if (kind === undefined) {
        known.set(host.aggregates, (kind = samples.length));
        samples.push(host);
      }
      this.of[at] = kind;
      at += 1;
    }
    this.samples = samples;
  }

  positionOf(uuid: string): number | undefined {
    this.positions ??= new Map(this.hosts.map((host, at) => [host.uuid, at]));
    return this.positions.get(uuid);
  }
}

/** Common values of the hosts of one kind. A failed multiplier fails every host of the kind. */
export interface KindTerms {
  readonly multiplier: number;
  readonly context: WeigherContext<OptionDeclarations>;
  readonly error: string | null;
}

/** One weigher's raw values, one per host. A failed host is NaN, and its cause is in `errors`. */
interface Column {
  readonly name: string;
  readonly raws: Float64Array;
  readonly scale: Scale;
  readonly terms: readonly KindTerms[];
  readonly errors: ReadonlyMap<number, string>;
}

export class ColumnRecord implements WeigherRecord {
  constructor(
    private readonly column: Column,
    private readonly kinds: KindsOfHosts,
  ) {}

  get name(): string {
    return this.column.name;
  }

  get hosts(): readonly WeigherPart[] {
    return this.kinds.hosts.map((host, at) => this.part(host, at));
  }

  partsOf(hosts: readonly HostState[]): readonly WeigherPart[] {
    return hosts.flatMap((host) => {
      const at = this.kinds.positionOf(host.uuid);
      return at === undefined ? [] : [this.part(host, at)];
    });
  }

  private part({ host, node }: HostState, at: number): WeigherPart {
    const { raws, scale, terms, errors } = this.column;
    const raw = raws[at] ?? Number.NaN;
    const multiplier = terms[this.kinds.of[at] ?? 0]?.multiplier ?? 0;
    return {
      host,
      node,
      raw: Number.isNaN(raw) ? null : raw,
      normalized: scaled(raw, scale),
      multiplier,
      score: scoreOf(raw, scale, multiplier),
      error: errors.get(at) ?? null,
    };
  }
}

/**
 * Cached per decision by its environment: a batch weighs the same kinds for each instance, which took a fifth of its
 * CPU with 300 kinds.
 */
const KNOWN_TERMS = new WeakMap<FilterEnvironment, TermsOfDecision>();

interface TermsOfDecision {
  readonly weighers: readonly BoundWeigher[];
  readonly byAggregates: Map<HostState['aggregates'], readonly KindTerms[]>;
}

/** The values of a kind, one entry per weigher. */
export function termsOfKind(
  weighers: readonly BoundWeigher[],
  sample: HostState,
  env: FilterEnvironment,
): readonly KindTerms[] {
  let known = KNOWN_TERMS.get(env);
  if (known?.weighers !== weighers) KNOWN_TERMS.set(env, (known = { weighers, byAggregates: new Map() }));
  let terms = known.byAggregates.get(sample.aggregates);
  if (terms === undefined) {
    terms = weighers.map((weigher) => termsOf(weigher, sample, env));
    known.byAggregates.set(sample.aggregates, terms);
  }
  return terms;
}

function columnOf(
  { part, values }: BoundWeigher,
  kinds: HostKinds,
  terms: readonly KindTerms[],
  spec: RequestSpec,
): Column {
  const { hosts } = kinds;
  const raws = new Float64Array(hosts.length);
  const errors = new Map<number, string>();
  const isAsked = part.applies(spec, values);
  if (isAsked || terms.some(({ error }) => error !== null)) {
    for (let at = 0; at < hosts.length; at += 1) {
      const { context, error } = terms[kinds.of[at] ?? 0] as KindTerms;
      const failure = error ?? (isAsked ? weighInto(raws, at, part, hosts[at] as HostState, spec, context) : null);
      if (failure === null) continue;
      raws[at] = Number.NaN;
      errors.set(at, failure);
    }
  }
  return { name: part.name, raws, scale: scaleOf(raws, part), terms, errors };
}

function termsOf({ part, values }: BoundWeigher, sample: HostState, env: FilterEnvironment): KindTerms {
  let context: WeigherContext<OptionDeclarations> = { options: values, env };
  try {
    context = { options: optionsForHost(part.options, values, sample), env };
    return { multiplier: finite(part.multiplier(context.options), 'multiplier'), context, error: null };
  } catch (error) {
    return { multiplier: 0, context, error: causeOf(error) };
  }
}

/** Null, or why the weigher failed on the host. */
export function weighInto(
  raws: Float64Array,
  at: number,
  part: Weigher,
  host: HostState,
  spec: RequestSpec,
  context: WeigherContext<OptionDeclarations>,
): string | null {
  try {
    raws[at] = finite(part.weigh(host, spec, context), 'raw value');
    return null;
  } catch (error) {
    return causeOf(error);
  }
}

function addScores(weights: Float64Array, { raws, scale, terms }: Column, kinds: HostKinds): void {
  const multipliers = terms.map(({ multiplier }) => multiplier);
  if (multipliers.every((multiplier) => multiplier === 0)) return;
  for (let at = 0; at < weights.length; at += 1) {
    const multiplier = multipliers[kinds.of[at] ?? 0] ?? 0;
    weights[at] = (weights[at] ?? 0) + scoreOf(raws[at] ?? Number.NaN, scale, multiplier);
  }
}

/** A failed host gets the weigher's worst score: 0, or the multiplier if that is negative. */
export const scoreOf = (raw: number, scale: Scale, multiplier: number): number =>
  Number.isNaN(raw) ? Math.min(0, multiplier) : scaled(raw, scale) * multiplier;

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new Error(`its ${what} is ${String(value)}`);
  return value;
}

type FixedEnds = Pick<Weigher, 'fixedMin' | 'fixedMax'>;

/** The ends of the scale for raw values. */
export interface Scale {
  readonly min: number;
  readonly max: number;
}

/** Missing values (NaN) are ignored. */
export function scaleOf(raws: Float64Array, part: FixedEnds): Scale {
  let [low, high] = [Infinity, -Infinity];
  for (const raw of raws) {
    if (raw < low) low = raw;
    if (raw > high) high = raw;
  }
  return scaleBetween(low, high, part);
}

/** An end that the weigher does not fix is the smallest or largest value. */
export const scaleBetween = (low: number, high: number, { fixedMin, fixedMax }: FixedEnds): Scale => ({
  min: fixedMin ?? (fixedMax === null ? low : Math.min(low, fixedMax)),
  max: fixedMax ?? (fixedMin === null ? high : Math.max(high, fixedMin)),
});

/** Scales to 0…1, clamped to the ends. The result is 0 if both ends are equal, or for a missing value. */
export function scaled(raw: number, { min, max }: Scale): number {
  if (Number.isNaN(raw) || max <= min) return 0;
  return (Math.min(Math.max(raw, min), max) - min) / (max - min);
}

/** True if two weights differ by less than the tolerance, relative to the larger one. */
export function sameWeight(one: number, other: number): boolean {
  return Math.abs(one - other) <= WEIGHT_TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

/** Highest first. Adjacent equal weights form a group, and each group is ordered by its stable key. */
export function rankingOf<H extends HostWeight>(weighed: readonly H[]): readonly H[] {
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

export function byKey({ state: one }: Pick<HostWeight, 'state'>, { state: other }: Pick<HostWeight, 'state'>): number {
  return compareText(one.host, other.host) || compareText(one.node, other.node) || compareText(one.uuid, other.uuid);
}
