// Runs the weighers and sorts. The weight of a host is the sum over weighers of multiplier(host) × normalised(raw), and
// every part of it is kept. With fewer than two hosts nothing is computed and the weight is 0.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { BoundWeigher } from './bind';
import type { FilterEnvironment } from './define-filter';
import { WEIGHT_TOLERANCE } from './limits';
import { optionsForHost } from './options';
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

export interface WeigherRecord {
  readonly name: string;
  readonly hosts: readonly WeigherPart[];
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
  const records = weighers.map((weigher) => ({
    name: weigher.part.name,
    hosts: scores(weigher, hosts, { spec, env }),
  }));
  const weighed = hosts.map((state, at) => ({
    state,
    weight: records.reduce((sum, record) => sum + (record.hosts[at]?.score ?? 0), 0),
  }));
  return { weighers: records, ranking: rank(weighed) };
}

/** A weigher that fails on a host gives it the worst score it has to give: 0, or the multiplier where that is less. */
function scores(weigher: BoundWeigher, hosts: readonly HostState[], asked: Asked): WeigherPart[] {
  const { part, values } = weigher;
  const isAsked = part.applies(asked.spec, values);
  const raws = hosts.map((host) => rawOf(weigher, host, isAsked ? asked : null));
  const normalized = normalize(
    raws.map(({ raw }) => raw),
    { min: part.fixedMin, max: part.fixedMax },
  );
  return hosts.map(({ host, node }, at) => {
    const { raw, multiplier, error } = raws[at] ?? { raw: null, multiplier: 0, error: 'not weighed' };
    const scaled = normalized[at] ?? 0;
    const score = raw === null ? Math.min(0, multiplier) : scaled * multiplier;
    return { host, node, raw, normalized: scaled, multiplier, score, error };
  });
}

interface Raw {
  readonly raw: number | null;
  readonly multiplier: number;
  readonly error: string | null;
}

interface Asked {
  readonly spec: RequestSpec;
  readonly env: FilterEnvironment;
}

/** `asked` null: nothing is asked of this weigher, so the raw value is 0. */
function rawOf({ part, values }: BoundWeigher, host: HostState, asked: Asked | null): Raw {
  let multiplier = 0;
  try {
    const options = optionsForHost(part.options, values, host);
    multiplier = finite(part.multiplier(options), 'multiplier');
    const raw = asked === null ? 0 : part.weigh(host, asked.spec, { options, env: asked.env });
    return { raw: finite(raw, 'raw value'), multiplier, error: null };
  } catch (error) {
    return { raw: null, multiplier, error: causeOf(error) };
  }
}

function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new Error(`its ${what} is ${String(value)}`);
  return value;
}

/**
 * Raw values on a scale from 0 to 1. Values are clamped to the fixed ends; an end that is not fixed is the smallest or
 * largest value. Where both ends meet, everything is 0. A missing value is 0 and does not move the ends.
 */
export function normalize(
  raws: readonly (number | null)[],
  fixed: { readonly min: number | null; readonly max: number | null } = { min: null, max: null },
): number[] {
  let [low, high] = [Infinity, -Infinity];
  for (const raw of raws) {
    if (raw === null) continue;
    low = Math.min(low, raw);
    high = Math.max(high, raw);
  }
  const min = fixed.min ?? (fixed.max === null ? low : Math.min(low, fixed.max));
  const max = fixed.max ?? (fixed.min === null ? high : Math.max(high, fixed.min));
  return raws.map((raw) => {
    if (raw === null || max <= min) return 0;
    return (Math.min(Math.max(raw, min), max) - min) / (max - min);
  });
}

/** True when two weights differ by less than the tolerance, relative to the larger of them. */
export function sameWeight(one: number, other: number): boolean {
  return Math.abs(one - other) <= WEIGHT_TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

/** Highest first. Neighbours of equal weight form a group, and each group is ordered by its stable key. */
export function rank(weighed: readonly HostWeight[]): HostWeight[] {
  const sorted = [...weighed].sort((one, other) => other.weight - one.weight || byKey(one, other));
  const ranked: HostWeight[] = [];
  let start = 0;
  for (let end = 1; end <= sorted.length; end += 1) {
    const [before, next] = [sorted[end - 1], sorted[end]];
    if (before !== undefined && next !== undefined && sameWeight(before.weight, next.weight)) continue;
    ranked.push(...sorted.slice(start, end).sort(byKey));
    start = end;
  }
  return ranked;
}

function byKey({ state: one }: HostWeight, { state: other }: HostWeight): number {
  return compare(one.host, other.host) || compare(one.node, other.node) || compare(one.uuid, other.uuid);
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
