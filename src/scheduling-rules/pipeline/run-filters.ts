// Runs the filters one after the other over the remaining hosts. For each stage it records how many hosts entered, how
// many passed, and why the others did not. Law: in = out + the sum of by_code, at every stage. A filter that throws on
// a host rejects only that host.

import type { RejectionParams } from '../../placement/candidate-search';
import { assert } from '../../platform/values/assert';
import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundFilter } from './bind';
import type { FilterEnvironment } from './define-filter';
import { filterContext, forever } from './define-filter';
import { optionsForHost } from './options';
import type { FilterRejection, FilterVerdict, Pass } from './verdict';
import { causeOf, FILTER_ERROR, renderFilterRejection, renderTemplate } from './verdict';

/** One rejected host, or one that would have been rejected. */
export interface HostRejection {
  readonly host: string;
  readonly node: string;
  readonly code: string;
  readonly params: RejectionParams;
  readonly message: string;
}

export interface StageRecord {
  readonly kind: 'preselection' | 'filter';
  readonly name: string;
  readonly in: number;
  readonly out: number;
  /** True if the filter did not run: it runs once per request, or no host was left. */
  readonly skipped: boolean;
  /** Every host that this stage rejected; the first ones if `rejectedByCode` counts all. */
  readonly rejected: readonly HostRejection[];
  readonly rejectedByCode?: Readonly<Record<string, number>>;
  /** In mode `all`: hosts rejected earlier that this stage would have rejected too. */
  readonly alsoRejects: readonly HostRejection[];
}

/** A host with a noteworthy pass. */
export interface HostNote {
  readonly filter: string;
  readonly host: string;
  readonly node: string;
  readonly code: string;
  readonly params: RejectionParams;
  readonly message: string;
}

interface FilterRun {
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  readonly filters: readonly BoundFilter[];
  readonly index: number;
  readonly mode: 'first' | 'all';
  readonly env: FilterEnvironment;
}

export interface FilterRunResult {
  readonly survivors: readonly HostState[];
  readonly stages: readonly StageRecord[];
  readonly notes: readonly HostNote[];
}

/** Each host survives or is rejected by exactly one stage. Mode `all` adds information and changes neither. */
export function* filterTask(run: FilterRun): Task<FilterRunResult> {
  let survivors = run.hosts;
  const out: HostState[] = [];
  const stages: StageRecord[] = [];
  const notes: HostNote[] = [];
  for (const filter of run.filters) {
    const entering = survivors;
    if (isSkipped(filter, run) || (entering.length === 0 && run.mode === 'first')) {
      stages.push(untouched(filter, entering.length));
      continue;
    }
    const watched = run.env.watch?.begin(filter.part.name);
    const filtered = yield* askAll(filter, entering, run);
    watched?.end({ in: entering.length, out: filtered.passed.length });
    const alsoRejects = run.mode === 'all' ? (yield* askAll(filter, out, run)).rejected : [];
    survivors = filtered.passed;
    for (const host of filtered.fell) out.push(host);
    for (const note of filtered.notes) notes.push(note);
    stages.push(closed({ filter, entering: entering.length, filtered, alsoRejects }));
  }
  return { survivors, stages, notes };
}

/** The filter runs once per request, does not apply to rebuild checks, or the request has no condition for it. */
function isSkipped({ part, values }: BoundFilter, { index, spec }: Pick<FilterRun, 'index' | 'spec'>): boolean {
  if (part.once && index > 0) return true;
  if (spec.checkType === 'rebuild' && !part.rebuild) return true;
  return !part.applies(spec, values);
}

/** One host that passed every filter, or the position of the filter that rejected it; the notes of those that it passed. */
type HostVerdict = { readonly notes: readonly HostNote[] } & (
  | { readonly passed: true; readonly host: HostState }
  | { readonly passed: false; readonly filter: number; readonly rejection: HostRejection }
);

/** Asks the filters about one host at a time. */
export class HostJudge {
  private readonly asked: readonly (((host: HostState) => ReturnType<typeof filterContext>) | null)[];

  constructor(private readonly run: Omit<FilterRun, 'hosts' | 'mode'>) {
    this.asked = run.filters.map((filter) => (isSkipped(filter, run) ? null : contextFor(filter, run.env)));
  }

  isSkipped(filter: number): boolean {
    return this.asked[filter] === null;
  }

  verdictOn(host: HostState): HostVerdict {
    const { filters, spec } = this.run;
    const notes: HostNote[] = [];
    let passing = host;
    for (const [at, context] of this.asked.entries()) {
      if (context === null) continue;
      const filter = filters[at] as BoundFilter;
      const verdict = ask(filter, passing, spec, context(passing));
      if (!verdict.passed) return { passed: false, filter: at, rejection: describe(filter, passing, verdict), notes };
      passing = narrowed(passing, verdict);
      if (verdict.note !== undefined) notes.push(noteOf(filter, passing, verdict.note));
    }
    return { passed: true, host: passing, notes };
  }

  /** The moment from which a verdict on the unchanged host can be another one. */
  validUntil(host: HostState): number {
    const { filters, env } = this.run;
    let until = Number.POSITIVE_INFINITY;
    for (const [at, context] of this.asked.entries()) {
      if (context === null) continue;
      const { validUntil } = (filters[at] as BoundFilter).part;
      if (validUntil !== forever)
        until = Math.min(until, validUntil(host, { options: context(host).options, nowMs: env.nowMs }));
    }
    return until;
  }
}

interface Asked {
  readonly passed: readonly HostState[];
  readonly fell: readonly HostState[];
  readonly rejected: readonly HostRejection[];
  readonly notes: readonly HostNote[];
}

function* askAll(filter: BoundFilter, hosts: readonly HostState[], run: FilterRun): Task<Asked> {
  const passed: HostState[] = [];
  const fell: HostState[] = [];
  const rejected: HostRejection[] = [];
  const notes: HostNote[] = [];
  const context = contextFor(filter, run.env);
  yield* forEachInSteps(hosts, (host) => {
    const verdict = ask(filter, host, run.spec, context(host));
    if (!verdict.passed) {
      fell.push(host);
      rejected.push(describe(filter, host, verdict));
      return;
    }
    passed.push(narrowed(host, verdict));
    if (verdict.note !== undefined) notes.push(noteOf(filter, host, verdict.note));
  });
  return { passed, fell, rejected, notes };
}

/** Hosts without overrides share one context. */
function contextFor(
  { part, values }: BoundFilter,
  env: FilterEnvironment,
): (host: HostState) => ReturnType<typeof filterContext> {
  const shared = filterContext(part, values, env);
  return (host) => {
    const options = optionsForHost(part.options, values, host);
    return options === values ? shared : filterContext(part, options, env);
  };
}

/** The host after a pass: possibly fewer candidates and more limits. */
function narrowed(host: HostState, { candidates, limits }: Pass): HostState {
  if (candidates === undefined && limits === undefined) return host;
  return {
    ...host,
    ...(candidates !== undefined && { candidates }),
    ...(limits !== undefined && { limits: { ...host.limits, ...limits } }),
  };
}

/** The verdict on one host. An invalid verdict counts as a failure of the filter. */
function ask(
  { part }: BoundFilter,
  host: HostState,
  spec: RequestSpec,
  context: ReturnType<typeof filterContext>,
): FilterVerdict {
  try {
    const verdict = part.check(host, spec, context);
    if (verdict.passed) return verdict;
    if (verdict.passed === false && Object.hasOwn(part.rejections, verdict.code)) return verdict;
    return failure('it answered no verdict');
  } catch (error) {
    return failure(causeOf(error));
  }
}

function noteOf({ part }: BoundFilter, host: HostState, note: NonNullable<Pass['note']>): HostNote {
  const { code, params } = note;
  const message = renderTemplate(part.notes[code] ?? code, params);
  return { filter: part.name, host: host.host, node: host.node, code, params, message };
}

const failure = (cause: string): FilterRejection => ({ passed: false, code: FILTER_ERROR, params: { cause } });

function describe({ part }: BoundFilter, host: HostState, { code, params }: FilterRejection): HostRejection {
  return {
    host: host.host,
    node: host.node,
    code,
    params,
    message: renderFilterRejection(part.rejections, { code, params }),
  };
}

function untouched({ part }: BoundFilter, hosts: number): StageRecord {
  return { kind: 'filter', name: part.name, in: hosts, out: hosts, skipped: true, rejected: [], alsoRejects: [] };
}

function closed(stage: {
  readonly filter: BoundFilter;
  readonly entering: number;
  readonly filtered: Asked;
  readonly alsoRejects: readonly HostRejection[];
}): StageRecord {
  const { passed, rejected } = stage.filtered;
  assert(stage.entering === passed.length + rejected.length, 'a filter stage has in = out + rejected');
  return {
    kind: 'filter',
    name: stage.filter.part.name,
    in: stage.entering,
    out: passed.length,
    skipped: false,
    rejected,
    alsoRejects: stage.alsoRejects,
  };
}

export const rejectionsByCode = ({ rejected, rejectedByCode }: StageRecord): Readonly<Record<string, number>> =>
  rejectedByCode ?? countByCode(rejected);

/** Number of rejections by code. */
export function countByCode(rejected: readonly Pick<HostRejection, 'code'>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of rejected) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
