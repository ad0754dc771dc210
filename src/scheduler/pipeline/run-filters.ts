// Runs the filters, one after the other over the hosts that are left, and records for each stage how many came in, how
// many went on, and why each of the others did not. Law: in = out + the sum of by_code, at every stage.
// A filter that throws rejects that host and no other.

import { assert } from '../../domain/assert';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { BoundFilter } from './bind';
import { filterContext } from './define-filter';
import { optionsForHost } from './options';
import { FILTER_ERROR, causeOf, renderRejection } from './verdict';
import type { Params, Rejection } from './verdict';

/** One host that fell out, or would have. */
export interface HostRejection {
  readonly host: string;
  readonly node: string;
  readonly code: string;
  readonly params: Params;
  readonly message: string;
}

export interface StageRecord {
  readonly kind: 'preselection' | 'filter';
  readonly name: string;
  readonly in: number;
  readonly out: number;
  /** True when the filter was not asked: it runs once per request, or no host was left. */
  readonly skipped: boolean;
  /** Every host that fell out at this stage. */
  readonly rejected: readonly HostRejection[];
  /** In mode `all`: hosts that had fallen out before and would have fallen out here as well. */
  readonly alsoRejects: readonly HostRejection[];
}

export interface FilterRun {
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  readonly filters: readonly BoundFilter[];
  readonly index: number;
  readonly mode: 'first' | 'all';
}

export interface FilterRunResult {
  readonly survivors: readonly HostState[];
  readonly stages: readonly StageRecord[];
}

/** Each host survives or is rejected by exactly one stage. Mode `all` adds evidence and changes neither. */
export function runFilters(run: FilterRun): FilterRunResult {
  let survivors = run.hosts;
  const out: HostState[] = [];
  const stages: StageRecord[] = [];
  for (const filter of run.filters) {
    const entering = survivors;
    if (filter.part.once && run.index > 0) {
      stages.push(untouched(filter, entering.length));
      continue;
    }
    if (entering.length === 0 && run.mode === 'first') {
      stages.push(untouched(filter, 0));
      continue;
    }
    const asked = askAll(filter, entering, run.spec);
    const alsoRejects = run.mode === 'all' ? askAll(filter, out, run.spec).rejected : [];
    survivors = asked.passed;
    out.push(...asked.fell);
    stages.push(closed({ filter, entering: entering.length, asked, alsoRejects }));
  }
  return { survivors, stages };
}

interface Asked {
  readonly passed: readonly HostState[];
  readonly fell: readonly HostState[];
  readonly rejected: readonly HostRejection[];
}

function askAll(filter: BoundFilter, hosts: readonly HostState[], spec: RequestSpec): Asked {
  const passed: HostState[] = [];
  const fell: HostState[] = [];
  const rejected: HostRejection[] = [];
  for (const host of hosts) {
    const rejection = ask(filter, host, spec);
    if (rejection === null) {
      passed.push(host);
    } else {
      fell.push(host);
      rejected.push(describe(filter, host, rejection));
    }
  }
  return { passed, fell, rejected };
}

/** The rejection of one host, or null. An answer that is no verdict counts as a failure of the filter. */
function ask({ part, values }: BoundFilter, host: HostState, spec: RequestSpec): Rejection | null {
  try {
    const verdict = part.check(host, spec, filterContext(part, optionsForHost(part.options, values, host)));
    if (verdict.passed) return null;
    if (verdict.passed === false && Object.hasOwn(part.rejections, verdict.code)) return verdict;
    return failure('it answered no verdict');
  } catch (error) {
    return failure(causeOf(error));
  }
}

const failure = (cause: string): Rejection => ({ passed: false, code: FILTER_ERROR, params: { cause } });

function describe({ part }: BoundFilter, host: HostState, { code, params }: Rejection): HostRejection {
  return {
    host: host.host,
    node: host.node,
    code,
    params,
    message: renderRejection(part.rejections, { code, params }),
  };
}

function untouched({ part }: BoundFilter, hosts: number): StageRecord {
  return { kind: 'filter', name: part.name, in: hosts, out: hosts, skipped: true, rejected: [], alsoRejects: [] };
}

function closed(stage: {
  readonly filter: BoundFilter;
  readonly entering: number;
  readonly asked: Asked;
  readonly alsoRejects: readonly HostRejection[];
}): StageRecord {
  const { passed, rejected } = stage.asked;
  assert(stage.entering === passed.length + rejected.length, 'a filter stage lets in = out + rejected');
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

/** Rejections counted by code. */
export function countByCode(rejected: readonly Pick<HostRejection, 'code'>[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of rejected) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
