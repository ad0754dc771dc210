// A driver decides, from the hosts that placement and the pre-selection left, which are fit and in what order they are
// tried. Claims, batches and alternates are the same for every driver.

import type { Random } from '../../domain/random';
import type { Walk } from '../../domain/walk';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { FilterEnvironment } from './define-filter';
import type { ConfiguredValues } from './options';
import type { HostNote, StageRecord } from './run-filters';
import type { HostWeight, WeigherRecord } from './run-weighers';
import type { BoundFilter, BoundWeigher } from './bind';

export interface DriverInput {
  readonly hosts: readonly HostState[];
  readonly spec: RequestSpec;
  /** Position of the instance in its batch; filters that run once run at 0. */
  readonly index: number;
  /** `all` also asks every filter about hosts that are out already; it never changes the order. */
  readonly mode: 'first' | 'all';
  readonly filters: readonly BoundFilter[];
  readonly weighers: readonly BoundWeigher[];
  readonly selection: SelectionOptions;
  readonly random: Random;
  readonly env: FilterEnvironment;
  /** Uuids of the hosts that earlier instances of the batch got. */
  readonly chosen?: { has(uuid: string): boolean };
  /** Configured values, for drivers that ask a filter of their own choice. */
  readonly values?: ConfiguredValues;
}

export interface SelectionOptions {
  readonly hostSubsetSize: number;
  readonly shuffleBestSameWeighedHosts: boolean;
}

/** Hosts in the order they are tried; every host of the input is rejected by one stage or in `order`. */
export interface DriverAnswer {
  readonly stages: readonly StageRecord[];
  /** Passes worth telling. */
  readonly notes?: readonly HostNote[];
  readonly weighers: readonly WeigherRecord[];
  readonly order: readonly HostWeight[];
  /** How many of the best hosts the first was drawn from. */
  readonly drawnFrom: number;
}

export interface Driver {
  readonly name: string;
  readonly summary: string;
  /** Answers at once, or walks: over thousands of hosts, so that others get their turn in between. */
  readonly rank: (input: DriverInput) => DriverAnswer | Walk<DriverAnswer>;
}

export const defineDriver = (definition: Driver): Driver => Object.freeze({ ...definition });

/** What the driver answers, however it does. */
export function* walkDriver(driver: Driver, input: DriverInput): Walk<DriverAnswer> {
  const answer = driver.rank(input);
  return 'next' in answer ? yield* answer : answer;
}
