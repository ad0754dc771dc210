// The hosts of one request class in columns: what the search, the filters and the weighers say of each host by itself.
// A decision asks again only the hosts that changed, then passes over the columns: counts by stage, ends of scales, best
// hosts. Law: a pass equals one that filters and weighs every host anew.

import type { Candidate, Provider } from '../../placement/candidate-search';
import type { Random } from '../../platform/values/random';
import type { HostService, HostState } from '../host-state/host-state';
import { withCandidates } from '../host-state/host-state';
import type { UnknownHost } from '../host-state/states-of-candidates';
import type { Asking, Kind, Question } from './asking';
import type { IsWorse } from './best-of-many';
import { Ends, inOrder, push, replaceTop } from './best-of-many';
import type { BoundFilter, BoundWeigher } from './bind';
import type { DriverAnswer, SelectionOptions } from './define-driver';
import { forever } from './define-filter';
import { PASSES_SHOWN_IN_FULL, RANKING_KEPT } from './limits';
import { rejectionBy, rulesOf, unknownHost } from './preselect';
import type { HostJudge, HostNote, HostRejection, StageRecord } from './run-filters';
import type { HostWeight, KindTerms, Scale } from './run-weighers';
import { byKey, ColumnRecord, rankingOf, sameWeight, scaleBetween, scoreOf } from './run-weighers';
import { selectHost } from './select-host';

/** A root with candidates. */
interface ClassHost extends UnknownHost {
  /** The kept one, which all classes share; null: the root is no host. */
  readonly state: HostState | null;
  readonly candidates: readonly Candidate[];
  readonly tree: readonly Provider[];
  /** The moment from which the state is another one although nothing changed, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** How the first host is drawn. */
interface Selection extends SelectionOptions {
  readonly random: Random;
  /** Wanted alternates, in the cell of the host. */
  readonly alternates: number;
}

/** `order` has all hosts that passed, `ranked` many, or the best `RANKING_KEPT`. */
interface ClassPass extends DriverAnswer {
  readonly preselection: StageRecord;
  readonly ranked: number;
}

/** The best hosts of one pass. */
interface Order {
  readonly scales: readonly Scale[];
  /** By position. */
  readonly weights: Float64Array;
  /** Positions, best first; null: weights at their end are almost equal, so only an order of all hosts is right. */
  readonly top: readonly number[] | null;
  /** The weight and the rank of the last one when all were compared: no other unchanged host is before it. */
  readonly floor: number;
  readonly floorRank: number;
}

/** Hosts of an order. Changes can take away some before all are compared again. */
const TOP_KEPT = 2 * RANKING_KEPT;

/** Values of `verdicts`. A rejected host has `FIRST_REASON` plus the position of its reason. */
const [NO_CANDIDATE, NO_HOST, PASSED, FIRST_REASON] = [0, 1, 2, 3];
/** Rejected hosts that the record of a stage names. */
const REJECTIONS_NAMED = 100;

/** The terms of one weigher by kind. */
interface Terms {
  readonly terms: readonly KindTerms[];
  readonly multipliers: Float64Array;
  /** Null: the kinds differ. */
  readonly only: number | null;
}

export class ClassColumns {
  private positions = new Map<string, number>();
  /** Null: no host, or none with a candidate. */
  private states: (HostState | null)[] = [];
  private candidates: (readonly Candidate[])[] = [];
  private trees: (readonly Provider[])[] = [];
  private unknown = new Map<number, UnknownHost>();
  /** States with candidates: of hosts that passed with fewer candidates or further limits, and of hosts that were shown. */
  private narrowed = new Map<number, HostState>();
  private rejections = new Map<number, HostRejection>();
  private notes = new Map<number, readonly HostNote[]>();
  /** Causes of failed weighers, by weigher and position. */
  private errors: readonly Map<number, string>[];
  private readonly kinds: Kind[] = [];
  /** Of each weigher; empty: a kind was added. */
  private terms: readonly Terms[] = [];
  private readonly kindsOf = new Map<HostState['aggregates'], number[]>();
  private readonly reasons: { readonly filter: number; readonly code: string }[] = [];
  private readonly reasonOf = new Map<string, number>();
  /** The last known state of each position, for its names. */
  private lastStates: (HostState | undefined)[] = [];
  /** The position of each host in the order of equal weights; null: a host was added or renamed. */
  private ranks: Uint32Array | null = null;
  private order: Order | null = null;
  /** Positions that changed since the order. */
  private readonly touched = new Set<number>();
  private passed = 0;
  /** Of the raw values of each weigher over all hosts that passed; null: to be worked out. */
  private ends: (Ends | null)[];
  private readonly counted = { hosts: 0, candidates: 0 };
  private verdicts = new Uint16Array(0);
  private kind = new Uint32Array(0);
  private validUntil = new Float64Array(0);
  private raws: readonly Float64Array[];

  constructor(private readonly weighers: number) {
    this.raws = Array.from({ length: weighers }, () => new Float64Array(0));
    this.errors = Array.from({ length: weighers }, () => new Map());
    this.ends = Array.from({ length: weighers }, () => null);
  }

  /** About. */
  get bytes(): number {
    return this.states.length * (300 + 16 * this.weighers) + this.rejections.size * 300 + this.narrowed.size * 500;
  }

  /** For one batch, which charges hosts. */
  copy(): ClassColumns {
    const copy = new ClassColumns(this.weighers);
    copy.positions = this.positions;
    Object.assign(copy.counted, this.counted);
    copy.passed = this.passed;
    copy.lastStates = [...this.lastStates];
    copy.ranks = this.ranks;
    copy.states = [...this.states];
    copy.candidates = [...this.candidates];
    copy.trees = [...this.trees];
    copy.unknown = new Map(this.unknown);
    copy.narrowed = new Map(this.narrowed);
    copy.notes = new Map(this.notes);
    copy.rejections = new Map(this.rejections);
    copy.errors = this.errors.map((errors) => new Map(errors));
    copy.kinds.push(...this.kinds);
    copy.terms = this.terms;
    for (const [aggregates, kinds] of this.kindsOf) copy.kindsOf.set(aggregates, [...kinds]);
    copy.reasons.push(...this.reasons);
    for (const [key, reason] of this.reasonOf) copy.reasonOf.set(key, reason);
    copy.verdicts = this.verdicts.slice();
    copy.kind = this.kind.slice();
    copy.validUntil = this.validUntil.slice();
    copy.raws = this.raws.map((raws) => raws.slice());
    return copy;
  }

  /** Hosts whose state or verdict is not valid any more. */
  expired(nowMs: number): readonly string[] {
    const uuids: string[] = [];
    for (let at = 0; at < this.states.length; at += 1) {
      const state = (this.validUntil[at] ?? 0) <= nowMs ? this.states[at] : null;
      if (state) uuids.push(state.uuid);
    }
    return uuids;
  }

  /** All that have a candidate. */
  get uuids(): readonly string[] {
    return this.states.flatMap((state) => state?.uuid ?? []);
  }

  /**
   * A host reported, and nothing else of it changed. False: it has to be asked, because the time rejected it, its verdict is
   * over, or its clock is ahead.
   */
  reported(uuid: string, service: HostService | null, asking: Asking, expiresAtMs: number): boolean {
    const at = this.positions.get(uuid) ?? -1;
    const state = this.states[at];
    if (!state) return true;
    const reason = this.reasons[(this.verdicts[at] ?? PASSED) - FIRST_REASON];
    if (reason !== undefined && asking.readsTime(reason.filter)) return false;
    const { nowMs } = asking.question.env;
    if ((this.validUntil[at] ?? 0) <= nowMs || (service?.lastSeenUpMs ?? 0) > nowMs) return false;
    this.validUntil[at] = Math.min(expiresAtMs, asking.validUntil({ ...state, service }));
    return true;
  }

  /** Hosts with a candidate, and their candidates. */
  get found(): { readonly hosts: number; readonly candidates: number } {
    return { ...this.counted };
  }

  treeOf(uuid: string): readonly Provider[] {
    return this.trees[this.positions.get(uuid) ?? -1] ?? [];
  }

  /** The root has no candidate any more. */
  remove(uuid: string): void {
    const at = this.positions.get(uuid);
    if (at !== undefined) this.clear(at);
  }

  ask({ uuid, name, state: kept, candidates, tree, expiresAtMs }: ClassHost, asking: Asking): void {
    const at = this.positionOf(uuid);
    this.clear(at);
    this.touched.add(at);
    this.states[at] = kept;
    this.candidates[at] = candidates;
    this.trees[at] = tree;
    this.counted.hosts += 1;
    this.counted.candidates += candidates.length;
    if (kept === null) {
      this.verdicts[at] = NO_HOST;
      this.unknown.set(at, { uuid, name });
      return;
    }
    const { host, node } = this.lastStates[at] ?? {};
    if (host !== kept.host || node !== kept.node) this.ranks = this.order = null;
    this.lastStates[at] = kept;
    const state = withCandidates(kept, candidates);
    this.kind[at] = this.kindIndex(state, asking);
    this.validUntil[at] = Math.min(expiresAtMs, asking.validUntil(state));
    const verdict = asking.judge.verdictOn(state);
    if (verdict.notes.length > 0) this.notes.set(at, verdict.notes);
    if (!verdict.passed) {
      this.verdicts[at] = FIRST_REASON + this.reasonIndex(verdict.filter, verdict.rejection.code);
      this.rejections.set(at, verdict.rejection);
      return;
    }
    this.verdicts[at] = PASSED;
    if (verdict.host !== state) this.narrowed.set(at, verdict.host);
    asking.weigh(at, verdict.host, this.raws, (weigher, cause) => this.errors[weigher]?.set(at, cause));
    this.passed += 1;
    for (const [weigher, ends] of this.ends.entries()) ends?.add(this.raws[weigher]?.[at] ?? Number.NaN);
  }

  /** The next instance of a batch: its hosts are those that passed, and `charged` is asked again. */
  advance(charged: HostState, asking: Asking): void {
    const rules = rulesOf(asking.question.spec);
    for (let at = 0; at < this.states.length; at += 1) {
      const verdict = this.verdicts[at] ?? NO_CANDIDATE;
      if (verdict === NO_CANDIDATE) continue;
      if (verdict !== PASSED || (rules.length > 0 && this.preselected(at, rules) !== null)) this.clear(at);
    }
    const [tree, { candidates, uuid, host: name }] = [this.treeOf(charged.uuid), charged];
    this.ask({ uuid, name, state: charged, candidates, tree, expiresAtMs: Number.POSITIVE_INFINITY }, asking);
  }

  /** Null if no host passes: such a refusal is worked out from nothing. */
  pass({ question, judge }: Asking, selection: Selection): ClassPass | null {
    const { spec, filters } = question;
    const rules = rulesOf(spec);
    const counts = new Uint32Array(FIRST_REASON + this.reasons.length);
    const passing = new Uint32Array(this.states.length);
    const [unknown, preselected]: [HostRejection[], HostRejection[]] = [[], []];
    const named = filters.map((): number[] => []);
    let ranked = 0;
    // Only the columns are read here: the objects of ten thousand hosts are not in the processor's cache.
    for (let at = 0; at < this.states.length; at += 1) {
      const verdict = this.verdicts[at] ?? NO_CANDIDATE;
      if (verdict === NO_CANDIDATE) continue;
      const rejection = verdict === NO_HOST || rules.length > 0 ? this.preselected(at, rules) : null;
      if (rejection !== null) {
        (verdict === NO_HOST ? unknown : preselected).push(rejection);
        continue;
      }
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      if (verdict === PASSED) {
        passing[ranked] = at;
        ranked += 1;
        continue;
      }
      const ofFilter = named[this.reasons[verdict - FIRST_REASON]?.filter ?? -1];
      if (ofFilter !== undefined && ofFilter.length < REJECTIONS_NAMED) ofFilter.push(at);
    }
    if (ranked === 0) return null;
    const survivors = passing.subarray(0, ranked);
    const rejected = [...unknown, ...preselected];
    const entering = counts.reduce((sum, count) => sum + count, 0);
    const preselection = {
      ...stageOf('preselection', 'preselection', entering + rejected.length, entering),
      rejected,
    };
    let left = entering;
    const stages = filters.map(({ part }, filter): StageRecord => {
      const [before, rejectedByCode] = [left, this.countsOf(filter, counts)];
      for (const count of Object.values(rejectedByCode)) left -= count;
      const isTimed = part.validUntil !== forever;
      return {
        ...stageOf('filter', part.name, before, left),
        skipped: judge.isSkipped(filter),
        rejected: (named[filter] ?? []).map((at) => this.rejectionNow(at, isTimed, judge)),
        rejectedByCode,
      };
    });
    return {
      preselection,
      stages,
      ranked,
      notes: this.notesOf(rules, filters, judge),
      ...this.rank(survivors, question, selection),
    };
  }

  private preselected(at: number, rules: ReturnType<typeof rulesOf>): HostRejection | null {
    const [state, unknown] = [this.states[at], this.unknown.get(at)];
    if (unknown !== undefined) return unknownHost(unknown);
    return state ? rejectionBy(rules, state) : null;
  }

  /** As the filters left it. */
  private stateAt(at: number): HostState {
    let state = this.narrowed.get(at);
    if (state === undefined) {
      state = withCandidates(this.states[at] as HostState, this.candidates[at] ?? []);
      this.narrowed.set(at, state);
    }
    return state;
  }

  private countsOf(filter: number, counts: Uint32Array): Readonly<Record<string, number>> {
    const byCode: Record<string, number> = {};
    for (const [at, reason] of this.reasons.entries()) {
      const count = counts[FIRST_REASON + at] ?? 0;
      if (reason.filter === filter && count > 0) byCode[reason.code] = count;
    }
    return byCode;
  }

  /** The reason of a filter that reads the time can name an age. */
  private rejectionNow(at: number, isTimed: boolean, judge: HostJudge): HostRejection {
    const kept = this.rejections.get(at) as HostRejection;
    const verdict = isTimed ? judge.verdictOn(this.stateAt(at)) : null;
    return verdict === null || verdict.passed ? kept : verdict.rejection;
  }

  /** By filter, then by host; a host that a later filter rejected has notes, too. */
  private notesOf(
    rules: ReturnType<typeof rulesOf>,
    filters: readonly BoundFilter[],
    judge: HostJudge,
  ): readonly HostNote[] {
    if (this.notes.size === 0) return [];
    const entering = [...this.notes].filter(([at]) => this.preselected(at, rules) === null);
    const notes = entering.sort(([one], [other]) => one - other).flatMap(([, ofHost]) => ofHost);
    return filters.flatMap(({ part }, at) =>
      judge.isSkipped(at) ? [] : notes.filter(({ filter }) => filter === part.name),
    );
  }

  private rank(
    survivors: Uint32Array,
    { weighers, index }: Question,
    selection: Selection,
  ): Omit<DriverAnswer, 'stages'> {
    if (this.terms.length === 0) this.terms = weighers.map((_, weigher) => this.termsOf(weigher));
    const isOfAll = survivors.length === this.passed;
    const isCompared = survivors.length > 1;
    const scales = isCompared
      ? weighers.map(({ part }, weigher) => this.scaleOf(survivors, part, { weigher, isOfAll }))
      : [];
    const known = isOfAll && this.order !== null ? this.updated(this.order, scales) : null;
    const order = known ?? this.ordered(survivors, scales);
    this.order = isOfAll ? order : null;
    this.touched.clear();
    const ranking = this.best(order, selection) ?? rankingOf(this.weighed(survivors, order.weights));
    const isShown = isCompared && index < PASSES_SHOWN_IN_FULL;
    const selected = selectHost(ranking, selection, selection.random);
    const records = isShown ? this.records(selected.order.slice(0, RANKING_KEPT), scales, weighers) : [];
    return { weighers: records, ...selected };
  }

  /** The best hosts; null: the selection or the alternates need all. */
  private best(
    { top, weights }: Order,
    { shuffleBestSameWeighedHosts, hostSubsetSize, alternates }: Selection,
  ): readonly HostWeight[] | null {
    if (top === null || shuffleBestSameWeighedHosts || hostSubsetSize > RANKING_KEPT) return null;
    const best = rankingOf(this.weighed(top, weights)).slice(0, RANKING_KEPT);
    if (alternates === 0 || this.kinds.every(({ cell }) => cell === this.kinds[0]?.cell)) return best;
    const cells = new Map<string | null, number>();
    for (const { state } of best) cells.set(state.cell, (cells.get(state.cell) ?? 0) + 1);
    return [...cells.values()].every((hosts) => hosts > alternates) ? best : null;
  }

  private termsOf(weigher: number): Terms {
    const terms = this.kinds.map((kind) => kind.terms[weigher] as KindTerms);
    const multipliers = Float64Array.from(terms, ({ multiplier }) => multiplier);
    const [first = 0] = multipliers;
    return { terms, multipliers, only: multipliers.every((each) => each === first) ? first : null };
  }

  /** `isOfAll`: all hosts that passed are compared. */
  private scaleOf(
    survivors: Uint32Array,
    part: BoundWeigher['part'],
    { weigher, isOfAll }: { readonly weigher: number; readonly isOfAll: boolean },
  ): Scale {
    const raws = this.raws[weigher] as Float64Array;
    const ends = isOfAll ? (this.ends[weigher] ??= new Ends(raws, survivors)) : new Ends(raws, survivors);
    return scaleBetween(ends.low, ends.high, part);
  }

  /** The weight of every host, by the same sums as of `weigherTask`, and the best hosts. */
  private ordered(survivors: Uint32Array, scales: readonly Scale[]): Order {
    const weights = new Float64Array(this.states.length);
    for (const [weigher, scale] of scales.entries()) this.addScores(weights, survivors, scale, weigher);
    return { scales, weights, ...this.topOf(survivors, weights) };
  }

  private addScores(weights: Float64Array, survivors: ArrayLike<number>, scale: Scale, weigher: number): void {
    const { kind } = this;
    const { multipliers, only } = this.terms[weigher] as Terms;
    const isFlat = scale.max <= scale.min && (this.errors[weigher]?.size ?? 0) === 0;
    if (isFlat || only === 0) return;
    const raws = this.raws[weigher] as Float64Array;
    for (let at = 0; at < survivors.length; at += 1) {
      const position = survivors[at] as number;
      const multiplier = only ?? (multipliers[kind[position] as number] as number);
      weights[position] = (weights[position] as number) + scoreOf(raws[position] as number, scale, multiplier);
    }
  }

  /** From a heap with the worst of them on top. */
  private topOf(survivors: Uint32Array, weights: Float64Array): Pick<Order, 'top' | 'floor' | 'floorRank'> {
    const isWorse = this.comparison(weights);
    const heap: number[] = [];
    for (const position of survivors) {
      if (heap.length < TOP_KEPT) push(heap, position, isWorse);
      else if (isWorse(heap[0] as number, position)) replaceTop(heap, position, isWorse);
    }
    if (survivors.length <= TOP_KEPT)
      return { top: inOrder(heap, isWorse), floor: Number.NEGATIVE_INFINITY, floorRank: 0 };
    const last = heap[0] as number;
    const floor = weights[last] as number;
    let below = Number.NEGATIVE_INFINITY;
    for (const position of survivors) {
      const weight = weights[position] as number;
      if (weight < floor && weight > below) below = weight;
    }
    const isUnclear = (weight: number): boolean => weight !== floor && sameWeight(weight, floor);
    const isCut = (Number.isFinite(below) && isUnclear(below)) || heap.some((at) => isUnclear(weights[at] as number));
    return { top: isCut ? null : inOrder(heap, isWorse), floor, floorRank: this.ranks?.[last] ?? 0 };
  }

  /**
   * The order after some hosts changed; null: it has to be worked out from all. A changed host below the floor is not
   * among the best, and as long as enough are left, no other is either.
   */
  private updated({ scales, weights, top, floor, floorRank }: Order, now: readonly Scale[]): Order | null {
    const isSame = now.every(({ min, max }, at) => scales[at]?.min === min && scales[at].max === max);
    if (!isSame || scales.length !== now.length || top === null || weights.length < this.states.length) return null;
    if (this.touched.size > RANKING_KEPT) return null;
    const left = top.filter((position) => !this.touched.has(position));
    const isWorse = this.comparison(weights);
    const changed = [...this.touched].filter((position) => this.verdicts[position] === PASSED);
    for (const position of changed) weights[position] = 0;
    for (const [weigher, scale] of now.entries()) this.addScores(weights, changed, scale, weigher);
    for (const position of changed) {
      const weight = weights[position] as number;
      if (weight !== floor && Number.isFinite(floor) && sameWeight(weight, floor)) return null;
      if (weight > floor || (weight === floor && (this.ranks?.[position] ?? 0) < floorRank)) left.push(position);
    }
    const isWhole = left.length === this.passed;
    return left.length < RANKING_KEPT && !isWhole
      ? null
      : { scales, weights, top: inOrder(left, isWorse), floor, floorRank };
  }

  /** By weight, then by name. */
  private comparison(weights: Float64Array): IsWorse {
    const ranks = (this.ranks ??= ranksOf(this.lastStates));
    return (one, other) => {
      const difference = (weights[one] as number) - (weights[other] as number);
      return difference === 0 ? (ranks[one] as number) > (ranks[other] as number) : difference < 0;
    };
  }

  /** The parts of the weights of these hosts, copied, because the columns change. */
  private records(
    best: readonly HostWeight[],
    scales: readonly Scale[],
    weighers: readonly BoundWeigher[],
  ): DriverAnswer['weighers'] {
    const hosts = best.map(({ state }) => state);
    const positions = hosts.map(({ uuid }) => this.positions.get(uuid) ?? -1);
    const at = new Map(hosts.map(({ uuid }, position) => [uuid, position]));
    const of = positions.map((position) => this.kind[position] ?? 0);
    const kinds = { hosts, of, positionOf: (uuid: string) => at.get(uuid) };
    return weighers.map(({ part: { name } }, weigher) => {
      const raws = new Float64Array(positions.map((position) => this.raws[weigher]?.[position] ?? Number.NaN));
      const errors = new Map<number, string>();
      for (const [position, cause] of this.errors[weigher] ?? []) {
        const shown = positions.indexOf(position);
        if (shown !== -1) errors.set(shown, cause);
      }
      const { terms } = this.terms[weigher] as Terms;
      return new ColumnRecord({ name, raws, scale: scales[weigher] as Scale, terms, errors }, kinds);
    });
  }

  private weighed(positions: ArrayLike<number>, weights: Float64Array): readonly HostWeight[] {
    return Array.from(positions, (position) => ({ state: this.stateAt(position), weight: weights[position] ?? 0 }));
  }

  private positionOf(uuid: string): number {
    const known = this.positions.get(uuid);
    if (known !== undefined) return known;
    const at = this.states.push(null) - 1;
    this.positions.set(uuid, at);
    if (at < this.verdicts.length) return at;
    const size = Math.max(64, 2 * at);
    this.verdicts = enlarged(this.verdicts, new Uint16Array(size));
    this.kind = enlarged(this.kind, new Uint32Array(size));
    this.validUntil = enlarged(this.validUntil, new Float64Array(size));
    this.raws = this.raws.map((raws) => enlarged(raws, new Float64Array(size)));
    return at;
  }

  private clear(at: number): void {
    const verdict = this.verdicts[at] ?? NO_CANDIDATE;
    if (verdict === NO_CANDIDATE) return;
    this.counted.hosts -= 1;
    this.counted.candidates -= this.candidates[at]?.length ?? 0;
    if (verdict === PASSED) {
      this.touched.add(at);
      this.passed -= 1;
      for (const [weigher, ends] of this.ends.entries()) {
        if (ends?.remove(this.raws[weigher]?.[at] ?? Number.NaN) === false) this.ends[weigher] = null;
      }
    }
    this.states[at] = null;
    this.verdicts[at] = NO_CANDIDATE;
    this.validUntil[at] = Number.POSITIVE_INFINITY;
    for (const kept of [this.unknown, this.narrowed, this.rejections, this.notes, ...this.errors]) kept.delete(at);
  }

  private kindIndex(state: HostState, asking: Asking): number {
    const alike = this.kindsOf.get(state.aggregates) ?? [];
    const known = alike.find((kind) => this.kinds[kind]?.cell === state.cell);
    if (known !== undefined) return known;
    const index = this.kinds.push(asking.kindOf(state)) - 1;
    this.terms = [];
    this.kindsOf.set(state.aggregates, [...alike, index]);
    return index;
  }

  private reasonIndex(filter: number, code: string): number {
    const key = `${filter} ${code}`;
    let index = this.reasonOf.get(key);
    if (index === undefined) this.reasonOf.set(key, (index = this.reasons.push({ filter, code }) - 1));
    return index;
  }
}

const stageOf = (kind: StageRecord['kind'], name: string, before: number, out: number): StageRecord => ({
  kind,
  name,
  in: before,
  out,
  skipped: false,
  rejected: [],
  alsoRejects: [],
});

function enlarged<Column extends Uint16Array | Uint32Array | Float64Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

/** By position. */
function ranksOf(states: readonly (HostState | undefined)[]): Uint32Array {
  const known = [...states.entries()].flatMap(([at, state]) => (state === undefined ? [] : [{ at, state }]));
  const ranks = new Uint32Array(states.length);
  for (const [rank, { at }] of known.sort(byKey).entries()) ranks[at] = rank;
  return ranks;
}
