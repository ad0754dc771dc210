// A driver selects fit hosts from those that Placement and the pre-selection left, and orders them. Claims, batches and
// alternates are the same for every driver.

import type { Random } from '../../platform/values/random';
import type { Task } from '../../platform/values/task';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundFilter, BoundWeigher } from './bind';
import type { FilterEnvironment } from './define-filter';
import type { ConfiguredValues } from './options';
import type { HostNote, StageRecord } from './run-filters';
import type { HostWeight, WeigherRecord } from './run-weighers';

export interface DriverInput {
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  /** Position of the instance in its batch; filters that run once run at 0. */
  readonly index: number;
  /** `all` also applies every filter to hosts that are already rejected; it never changes the order. */
  readonly mode: 'first' | 'all';
  readonly filters: readonly BoundFilter[];
  readonly weighers: readonly BoundWeigher[];
  readonly selection: SelectionOptions;
  readonly random: Random;
  readonly env: FilterEnvironment;
  /** Uuids of the hosts of earlier instances in the batch. */
  readonly chosen?: { has(uuid: string): boolean };
  /** Configured values, for drivers that run a specific filter. */
  readonly values?: ConfiguredValues;
}

export interface SelectionOptions {
  readonly hostSubsetSize: number;
  readonly shuffleBestSameWeighedHosts: boolean;
}

/** Hosts in the order of the attempts; every input host is rejected by one stage or is in `order`. */
export interface DriverAnswer {
  readonly stages: readonly StageRecord[];
  /** Noteworthy passes. */
  readonly notes?: readonly HostNote[];
  readonly weighers: readonly WeigherRecord[];
  readonly order: readonly HostWeight[];
  /** Number of best hosts from which the first one was drawn. */
  readonly drawnFrom: number;
}

export interface Driver {
  readonly name: string;
  readonly summary: string;
  /** Returns the answer, or a generator for thousands of hosts that yields to the event loop. */
  readonly rank: (input: DriverInput) => DriverAnswer | Task<DriverAnswer>;
}

export const defineDriver = (definition: Driver): Driver => Object.freeze({ ...definition });

/** Runs either form of driver. */
export function* driverTask(driver: Driver, input: DriverInput): Task<DriverAnswer> {
  const answer = driver.rank(input);
  return 'next' in answer ? yield* answer : answer;
}
