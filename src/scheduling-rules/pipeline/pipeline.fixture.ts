// Host states and requests for specs, with default values. Not part of the product.

import type { HostInstance, HostState } from '../host-state/host-state';
import { blankHostState } from '../host-state/host-state';
import { bareRequest } from '../request-spec/bare-request';
import type { Flavor, RequestSpec } from '../request-spec/request-spec';
import { bind } from './bind';
import type { Filter, FilterEnvironment } from './define-filter';
import { filterContext } from './define-filter';
import type { Prefilter, PrefilterCloud, PrefilterOutcome, PrefilterSurroundings } from './define-prefilter';
import { prefilterContext } from './define-prefilter';
import type { ConfiguredValues } from './options';
import { optionsForHost } from './options';
import { NO_ADDITIONS } from './run-prefilters';
import { renderFilterRejection } from './verdict';

export function hostState(given: Partial<HostState> = {}): HostState {
  const host = given.host ?? 'h';
  return { ...blankHostState({ host, node: host, uuid: host }), ...given };
}

/** Instances with only a uuid. */
export function instancesOf(...uuids: readonly string[]): ReadonlyMap<string, HostInstance> {
  return new Map(uuids.map((uuid) => [uuid, { uuid, projectId: null, flavor: null, imageProperties: {} }]));
}

/** A host in one aggregate per metadata object. */
export function hostInAggregates(host: string, ...metadata: readonly Readonly<Record<string, string>>[]): HostState {
  const aggregates = metadata.map((entries, at) => ({
    uuid: `${host}-${at}`,
    name: `${host}-${at}`,
    metadata: entries,
  }));
  return hostState({ host, aggregates });
}

const FLAVOR: Flavor = {
  name: null,
  vcpus: 2,
  memoryMb: 2048,
  rootGb: 20,
  ephemeralGb: 5,
  swapMb: 1025,
  extraSpecs: {},
};

export function requestSpec(given: Partial<RequestSpec> = {}): RequestSpec {
  const owner = { instanceUuid: 'i', instanceUuids: ['i'], projectId: 'p', userId: 'u' };
  return { ...bareRequest(FLAVOR, null), ...owner, ...given };
}

/** Environment without compatibility mode, at time 0. */
export const TEST_ENVIRONMENT: FilterEnvironment = { nowMs: 0, novaCompat: false };

export function verdictOf(
  filter: Filter,
  host: HostState,
  spec: RequestSpec,
  values: ConfiguredValues = {},
  env: FilterEnvironment = TEST_ENVIRONMENT,
): string {
  const bound = bind(filter, values);
  if (!filter.applies(spec, bound.values)) return 'pass';
  const options = optionsForHost(filter.options, bound.values, host);
  const verdict = filter.check(host, spec, filterContext(filter, options, env));
  return verdict.passed ? 'pass' : renderFilterRejection(filter.rejections, verdict);
}

export const EMPTY_CLOUD: PrefilterCloud = Object.freeze({
  hostAggregates: [],
  defaultAvailabilityZone: 'nova',
  lowestServiceVersion: null,
});

export function outcomeOf(
  prefilter: Prefilter,
  spec: RequestSpec,
  values: ConfiguredValues = {},
  surroundings: Partial<PrefilterSurroundings> = {},
): PrefilterOutcome {
  const around: PrefilterSurroundings = {
    cloud: EMPTY_CLOUD,
    novaCompat: false,
    addedBefore: NO_ADDITIONS,
    requiredTraits: () => new Set(),
    ...surroundings,
  };
  return prefilter.apply(spec, prefilterContext(prefilter, bind(prefilter, values).values, around));
}

/** As `toEqual`, which takes longer than all else for large values that are equal: those are compared as JSON. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}
