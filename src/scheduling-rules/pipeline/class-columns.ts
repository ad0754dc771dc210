// The hosts of one request class in columns: what the search, the filters and the weighers say of each host by itself.
// A decision asks again only the hosts that changed; they are counted by verdict as they are asked, and class-weights.ts
// orders those that passed. Law: a pass equals one that filters and weighs every host anew.

import type { Candidate } from '../../placement/candidate-search';
import { membersOnHost } from '../host-state/group-members';
import type { HostService, HostState } from '../host-state/host-state';
import { withCandidates } from '../host-state/host-state';
import type { UnknownHost } from '../host-state/states-of-candidates';
import type { Asking } from './asking';
import type { BoundFilter } from './bind';
import type { ClassHosts } from './class-hosts';
import type { Selection } from './class-weights';
import { ClassWeights, enlarged } from './class-weights';
import type { DriverAnswer } from './define-driver';
import { forever } from './define-filter';
import { rejectionBy, rulesOf, unknownHost } from './preselect';
import type { HostJudge, HostNote, HostRejection, StageRecord } from './run-filters';

/** A root with candidates. */
interface ClassHost extends UnknownHost {
  /** The kept one, which all classes share; null: the root is no host. */
  readonly state: HostState | null;
  readonly candidates: readonly Candidate[];
  /** The moment from which the state is another one although nothing changed, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** `order` has all hosts that passed, `ranked` many, or the best `RANKING_KEPT`. */
interface ClassPass extends DriverAnswer {
  readonly preselection: StageRecord;
  readonly ranked: number;
}

/** Values of `verdicts`. A rejected host has `FIRST_REASON` plus the position of its reason. */
const [NO_CANDIDATE, NO_HOST, PASSED, FIRST_REASON] = [0, 1, 2, 3];
/** Rejected hosts that the record of a stage names. */
const REJECTIONS_NAMED = 100;
/** States of hosts that were shown. */
const SHOWN_KEPT = 1_000;

/** Hosts by what the conditions of one decision and the filters say of them. */
interface Entering {
  /** Rejected by the conditions. */
  readonly rejected: readonly HostRejection[];
  /** By verdict. */
  readonly counts: ArrayLike<number>;
  /** The first rejected hosts of each filter. */
  readonly named: readonly (readonly number[])[];
  readonly survivors: () => Uint32Array;
}

/** The service of a host now: a report that changes nothing else leaves the kept state as it is. */
type ServiceOf = (state: HostState) => HostService | null;

export class ClassColumns {
  /** Null: no host, or none with a candidate. */
  private states: (HostState | null)[] = [];
  /** A list of one is that candidate itself: a class has as many as there are hosts. */
  private candidates: (Candidate | readonly Candidate[])[] = [];
  /** Entries of lists. */
  private listed = 0;
  private unknown = new Map<number, UnknownHost>();
  /** States of hosts that passed with fewer candidates or further limits. */
  private narrowed = new Map<number, HostState>();
  /** Other states with their candidates. */
  private readonly shown = new Map<number, HostState>();
  /** Of hosts that were named. */
  private rejections = new Map<number, HostRejection>();
  private notes = new Map<number, readonly HostNote[]>();
  private readonly reasons: { readonly filter: number; readonly code: string }[] = [];
  private readonly reasonOf = new Map<string, number>();
  private readonly counted = { hosts: 0, candidates: 0 };
  private verdicts = new Uint16Array(0);
  /** Hosts by verdict. */
  private readonly counts: number[] = [];
  /** The first rejected hosts of each filter; null: to be worked out. */
  private named: readonly (readonly number[])[] | null = null;
  private validUntil = new Float64Array(0);
  /** No entry of `validUntil` is smaller. */
  private validAllUntil = Number.POSITIVE_INFINITY;
  private weights: ClassWeights;
  /** The last host of a batch; null: none, or no batch. */
  private charged: number | null = null;

  constructor(
    private readonly weighers: number,
    private readonly hosts: ClassHosts,
    private readonly serviceOf: ServiceOf,
  ) {
    this.weights = new ClassWeights(weighers, hosts);
  }

  /** About: for each host a state, a candidate, a verdict, a time, and its weights. */
  get bytes(): number {
    const few = (this.rejections.size + this.narrowed.size) * 500 + this.listed * 100;
    return this.hosts.size * (8 + 56 + 2 + 8) + few + this.weights.bytes;
  }

  /** For one batch, which charges hosts. */
  copy(): ClassColumns {
    const copy = new ClassColumns(this.weighers, this.hosts, this.serviceOf);
    Object.assign(copy.counted, this.counted);
    copy.states = [...this.states];
    copy.candidates = [...this.candidates];
    copy.unknown = new Map(this.unknown);
    copy.narrowed = new Map(this.narrowed);
    copy.notes = new Map(this.notes);
    copy.rejections = new Map(this.rejections);
    copy.reasons.push(...this.reasons);
    for (const [key, reason] of this.reasonOf) copy.reasonOf.set(key, reason);
    copy.verdicts = this.verdicts.slice();
    copy.counts.push(...this.counts);
    copy.validUntil = this.validUntil.slice();
    copy.validAllUntil = this.validAllUntil;
    copy.weights = this.weights.copy();
    return copy;
  }

  /** Hosts whose state or verdict is not valid any more. */
  expired(nowMs: number): readonly string[] {
    if (nowMs < this.validAllUntil) return [];
    const uuids: string[] = [];
    this.validAllUntil = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.states.length; at += 1) {
      const until = this.validUntil[at] ?? 0;
      const state = until <= nowMs ? this.states[at] : null;
      if (state) uuids.push(state.uuid);
      this.validAllUntil = Math.min(this.validAllUntil, until);
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
    const at = this.hosts.find(uuid) ?? -1;
    const state = this.states[at];
    if (!state) return true;
    const reason = this.reasons[(this.verdicts[at] ?? PASSED) - FIRST_REASON];
    if (reason !== undefined && asking.readsTime(reason.filter)) return false;
    const { nowMs } = asking.question.env;
    if ((this.validUntil[at] ?? 0) <= nowMs || (service?.lastSeenUpMs ?? 0) > nowMs) return false;
    this.setValidUntil(at, Math.min(expiresAtMs, asking.validUntil({ ...state, service })));
    return true;
  }

  /** Hosts with a candidate, and their candidates. */
  get found(): { readonly hosts: number; readonly candidates: number } {
    return { ...this.counted };
  }

  /** The root has no candidate any more. */
  remove(uuid: string): void {
    const at = this.hosts.find(uuid);
    if (at !== undefined) this.clear(at);
  }

  /** `service`: newer than that of the state. */
  ask(
    { uuid, name, state: kept, candidates, expiresAtMs }: ClassHost,
    asking: Asking,
    service: HostService | null = kept?.service ?? null,
  ): void {
    const at = this.placeOf(uuid);
    this.clear(at);
    this.states[at] = kept;
    const [only] = candidates;
    const isOne = candidates.length === 1 && only !== undefined;
    // A copy: a list that grew has room for sixteen.
    this.candidates[at] = isOne ? only : [...candidates];
    if (!isOne) this.listed += candidates.length;
    this.counted.hosts += 1;
    this.counted.candidates += candidates.length;
    if (kept === null) {
      this.setVerdict(at, NO_HOST);
      this.unknown.set(at, { uuid, name });
      return;
    }
    this.hosts.name(at, kept);
    const found = withCandidates(kept, candidates);
    const state = service === kept.service ? found : { ...found, service };
    this.setValidUntil(at, Math.min(expiresAtMs, asking.validUntil(state)));
    const verdict = asking.judge.verdictOn(state);
    if (verdict.notes.length > 0) this.notes.set(at, verdict.notes);
    if (!verdict.passed) {
      this.setVerdict(at, FIRST_REASON + this.reasonIndex(verdict.filter, verdict.rejection.code));
      return;
    }
    this.setVerdict(at, PASSED);
    if (verdict.host !== state) this.narrowed.set(at, verdict.host);
    this.weights.set(at, verdict.host, asking);
  }

  /** Asks the hosts with members of the server group, which is no part of the class, and returns their positions. */
  askMembers(asking: Asking): readonly number[] {
    const { instanceGroup: group } = asking.question.spec;
    const affected: number[] = [];
    if (group === null || group.members.size === 0) return affected;
    for (const [at, state] of this.states.entries())
      if (state !== null && membersOnHost(state, group).length > 0) affected.push(at);
    this.askAgain(affected, asking);
    return affected;
  }

  askAgain(positions: readonly number[], asking: Asking): void {
    for (const at of positions) {
      const [state, validUntil] = [this.states[at] as HostState, this.validUntil[at] ?? 0];
      const { uuid, host: name } = state;
      const candidates = this.candidatesAt(at);
      this.ask({ uuid, name, state, candidates, expiresAtMs: validUntil }, asking, this.serviceOf(state));
      this.setValidUntil(at, validUntil);
    }
  }

  /** The next instance of a batch: its hosts are those that passed, and `charged` is asked again. */
  advance(charged: HostState, asking: Asking): void {
    if (this.charged === null) {
      const rules = rulesOf(asking.question.spec);
      for (let at = 0; at < this.states.length; at += 1) {
        if (this.verdicts[at] !== PASSED || (rules.length > 0 && this.preselected(at, rules) !== null)) this.clear(at);
      }
    } else if (this.verdicts[this.charged] !== PASSED) this.clear(this.charged);
    const { candidates, uuid, host: name } = charged;
    this.ask({ uuid, name, state: charged, candidates, expiresAtMs: Number.POSITIVE_INFINITY }, asking);
    this.charged = this.hosts.positionOf(uuid);
  }

  /** Null if no host passes: such a refusal is worked out from nothing. */
  pass({ question, judge }: Asking, selection: Selection): ClassPass | null {
    const { spec, filters } = question;
    const rules = rulesOf(spec);
    const { rejected, counts, named, survivors } =
      rules.length === 0 ? this.all(filters) : this.allowed(rules, filters);
    const ranked = counts[PASSED] ?? 0;
    if (ranked === 0) return null;
    let left = 0;
    for (let verdict = PASSED; verdict < counts.length; verdict += 1) left += counts[verdict] ?? 0;
    const preselection = {
      ...stageOf('preselection', 'preselection', left + rejected.length, left),
      rejected,
    };
    const stages = filters.map(({ part }, filter): StageRecord => {
      const [before, rejectedByCode] = [left, this.countsOf(filter, counts)];
      for (const count of Object.values(rejectedByCode)) left -= count;
      const isTimed = part.validUntil !== forever;
      return {
        ...stageOf('filter', part.name, before, left),
        skipped: judge.isSkipped(filter),
        rejected: (named[filter] ?? []).flatMap((at) => this.rejectionNow(at, isTimed, judge) ?? []),
        rejectedByCode,
      };
    });
    return {
      preselection,
      stages,
      ranked,
      notes: this.notesOf(rules, filters, judge),
      ...this.weights.rank({ count: ranked, positions: survivors }, question, selection, (at) => this.stateAt(at)),
    };
  }

  /** Without conditions: all was counted when the hosts were asked. */
  private all(filters: readonly BoundFilter[]): Entering {
    return {
      rejected: [...this.unknown].sort(byPosition).map(([, unknown]) => unknownHost(unknown)),
      counts: this.counts,
      named: (this.named ??= this.firstRejected(filters, this.verdicts)),
      survivors: passing(this.verdicts, this.counts[PASSED] ?? 0),
    };
  }

  private allowed(rules: ReturnType<typeof rulesOf>, filters: readonly BoundFilter[]): Entering {
    const counts: number[] = [];
    const verdicts = this.verdicts.slice(0, this.states.length);
    const [unknown, rejected]: [HostRejection[], HostRejection[]] = [[], []];
    for (let at = 0; at < verdicts.length; at += 1) {
      const verdict = verdicts[at] ?? NO_CANDIDATE;
      if (verdict === NO_CANDIDATE) continue;
      const rejection = this.preselected(at, rules);
      if (rejection === null) counts[verdict] = (counts[verdict] ?? 0) + 1;
      else {
        (verdict === NO_HOST ? unknown : rejected).push(rejection);
        verdicts[at] = NO_CANDIDATE;
      }
    }
    return {
      rejected: [...unknown, ...rejected],
      counts,
      named: this.firstRejected(filters, verdicts),
      survivors: passing(verdicts, counts[PASSED] ?? 0),
    };
  }

  private firstRejected(filters: readonly BoundFilter[], verdicts: Uint16Array): readonly (readonly number[])[] {
    const named = filters.map((): number[] => []);
    for (let at = 0; at < this.states.length; at += 1) {
      const verdict = verdicts[at] ?? NO_CANDIDATE;
      if (verdict < FIRST_REASON) continue;
      const ofFilter = named[this.reasons[verdict - FIRST_REASON]?.filter ?? -1];
      if (ofFilter !== undefined && ofFilter.length < REJECTIONS_NAMED) ofFilter.push(at);
    }
    return named;
  }

  private preselected(at: number, rules: ReturnType<typeof rulesOf>): HostRejection | null {
    const [state, unknown] = [this.states[at], this.unknown.get(at)];
    if (unknown !== undefined) return unknownHost(unknown);
    return state ? rejectionBy(rules, state) : null;
  }

  private candidatesAt(at: number): readonly Candidate[] {
    const kept = this.candidates[at] ?? [];
    return Array.isArray(kept) ? (kept as readonly Candidate[]) : [kept as Candidate];
  }

  /** As the filters left it. */
  private stateAt(at: number): HostState {
    let state = this.narrowed.get(at) ?? this.shown.get(at);
    if (state === undefined) {
      state = withCandidates(this.states[at] as HostState, this.candidatesAt(at));
      if (this.shown.size >= SHOWN_KEPT) this.shown.clear();
      this.shown.set(at, state);
    }
    return state;
  }

  private countsOf(filter: number, counts: ArrayLike<number>): Readonly<Record<string, number>> {
    const byCode: Record<string, number> = {};
    for (const [at, reason] of this.reasons.entries()) {
      const count = counts[FIRST_REASON + at] ?? 0;
      if (reason.filter === filter && count > 0) byCode[reason.code] = count;
    }
    return byCode;
  }

  /** Of a host that was not named before, or by a filter that reads the time and can name an age, it is asked for. */
  private rejectionNow(at: number, isTimed: boolean, judge: HostJudge): HostRejection | undefined {
    const kept = this.rejections.get(at);
    if (kept !== undefined && !isTimed) return kept;
    const state = withCandidates(this.states[at] as HostState, this.candidatesAt(at));
    const verdict = judge.verdictOn({ ...state, service: this.serviceOf(state) });
    if (verdict.passed) return kept;
    this.rejections.set(at, verdict.rejection);
    return verdict.rejection;
  }

  /** By filter, then by host; a host that a later filter rejected has notes, too. */
  private notesOf(
    rules: ReturnType<typeof rulesOf>,
    filters: readonly BoundFilter[],
    judge: HostJudge,
  ): readonly HostNote[] {
    if (this.notes.size === 0) return [];
    const entering = [...this.notes].filter(([at]) => this.preselected(at, rules) === null);
    const notes = entering.sort(byPosition).flatMap(([, ofHost]) => ofHost);
    return filters.flatMap(({ part }, at) =>
      judge.isSkipped(at) ? [] : notes.filter(({ filter }) => filter === part.name),
    );
  }

  private placeOf(uuid: string): number {
    const at = this.hosts.positionOf(uuid);
    for (let from = this.states.length; from <= at; from += 1) {
      this.states.push(null);
      this.candidates.push(NONE);
    }
    if (at < this.verdicts.length) return at;
    const { capacity } = this.hosts;
    this.verdicts = enlarged(this.verdicts, new Uint16Array(capacity));
    this.validUntil = enlarged(this.validUntil, new Float64Array(capacity).fill(Number.POSITIVE_INFINITY));
    return at;
  }

  private clear(at: number): void {
    const verdict = this.verdicts[at] ?? NO_CANDIDATE;
    if (verdict === NO_CANDIDATE) return;
    const { length } = this.candidatesAt(at);
    this.counted.hosts -= 1;
    this.counted.candidates -= length;
    if (Array.isArray(this.candidates[at])) this.listed -= length;
    if (verdict === PASSED) this.weights.clear(at);
    this.states[at] = null;
    this.candidates[at] = NONE;
    this.setVerdict(at, NO_CANDIDATE);
    this.validUntil[at] = Number.POSITIVE_INFINITY;
    for (const kept of [this.unknown, this.narrowed, this.shown, this.rejections, this.notes]) kept.delete(at);
  }

  private setVerdict(at: number, verdict: number): void {
    const before = this.verdicts[at] ?? NO_CANDIDATE;
    this.verdicts[at] = verdict;
    if (before !== NO_CANDIDATE) this.counts[before] = (this.counts[before] ?? 0) - 1;
    if (verdict !== NO_CANDIDATE) this.counts[verdict] = (this.counts[verdict] ?? 0) + 1;
    if (before >= FIRST_REASON || verdict >= FIRST_REASON) this.named = null;
  }

  private setValidUntil(at: number, until: number): void {
    this.validUntil[at] = until;
    this.validAllUntil = Math.min(this.validAllUntil, until);
  }

  private reasonIndex(filter: number, code: string): number {
    const key = `${filter} ${code}`;
    let index = this.reasonOf.get(key);
    if (index === undefined) this.reasonOf.set(key, (index = this.reasons.push({ filter, code }) - 1));
    return index;
  }
}

const NONE: readonly Candidate[] = [];

const byPosition = ([one]: readonly [number, unknown], [other]: readonly [number, unknown]): number => one - other;

/** The positions of hosts that passed, worked out once and only if they are wanted. */
function passing(verdicts: Uint16Array, count: number): () => Uint32Array {
  let known: Uint32Array | undefined;
  return () => {
    if (known !== undefined) return known;
    known = new Uint32Array(count);
    let found = 0;
    for (let at = 0; found < count; at += 1) if (verdicts[at] === PASSED) known[found++] = at;
    return known;
  };
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
