// Nearest misses of a request whose hosts were all rejected by filters: hosts that only one stage rejected. A rejected
// host is passed to the filters after that stage; it has already passed the earlier ones.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundFilter } from './bind';
import type { PassRecord } from './decision';
import type { FilterEnvironment } from './define-filter';
import { NEAREST_MISSES_SHOWN } from './limits';
import type { NearestMiss } from './nearest-misses';
import type { ReportedPass } from './rejection-reasons';
import { filterReasons } from './rejection-reasons';
import type { FilterRun, FilterRunResult, HostRejection, StageRecord } from './run-filters';
import { isSkipped } from './run-filters';
import type { Wording } from './wording';

interface MissedRun {
  /** Every pass that placed or tried to place an instance. */
  readonly passes: readonly PassRecord[];
  /** Hosts at the start of the first pass. */
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  readonly filters: readonly BoundFilter[];
  readonly env: FilterEnvironment;
  readonly wording: Wording;
  readonly runFilters: (run: FilterRun) => Promise<FilterRunResult>;
}

/**
 * Sorted by the number of hosts. After the first instance of a batch, a rejected host counts only if no filter comes
 * later: the host's state at that time is not kept, so later filters cannot be checked.
 */
export async function missesOfFilters(run: MissedRun): Promise<readonly NearestMiss[]> {
  const states = new Map(run.hosts.map((state) => [keyOf(state), state]));
  const reasonTexts: ReportedPass[] = [];
  for (const pass of run.passes) {
    const stages: ReportedPass['stages'][number][] = [];
    for (const stage of pass.stages) {
      const rejected = await onlyMissed(run, pass, stage, states);
      stages.push({ name: stage.name, rejected });
    }
    reasonTexts.push({ stages });
  }
  return filterReasons(reasonTexts, run.wording)
    .map(({ hosts, lack }) => ({ hosts, lack }))
    .sort((one, other) => other.hosts - one.hosts)
    .slice(0, NEAREST_MISSES_SHOWN);
}

/** Rejections of a stage that no later filter would repeat. */
async function onlyMissed(
  { spec, filters, env, runFilters }: MissedRun,
  { index, stages }: PassRecord,
  stage: StageRecord,
  states: ReadonlyMap<string, HostState>,
): Promise<readonly HostRejection[]> {
  if (stage.rejected.length === 0) return [];
  const laterFilters = filtersAfter(stages, stage, filters).filter((filter) => !isSkipped(filter, { index, spec }));
  if (laterFilters.length === 0) return stage.rejected.filter((rejection) => states.has(keyOf(rejection)));
  if (index > 0) return [];
  const hosts = stage.rejected.flatMap((rejection) => states.get(keyOf(rejection)) ?? []);
  const { survivors } = await runFilters({ hosts, spec, filters: laterFilters, index, mode: 'first', env });
  const passed = new Set(survivors.map(keyOf));
  return stage.rejected.filter((rejection) => passed.has(keyOf(rejection)));
}

/** The later filters, in the order of the stages; a driver can run filters of its own choice. */
function filtersAfter(
  stages: readonly StageRecord[],
  stage: StageRecord,
  filters: readonly BoundFilter[],
): readonly BoundFilter[] {
  const names = new Set(stages.slice(stages.indexOf(stage) + 1).map(({ name }) => name));
  return filters.filter(({ part }) => names.has(part.name));
}

const keyOf = ({ host, node }: { readonly host: string; readonly node: string }): string => `${host}\n${node}`;
