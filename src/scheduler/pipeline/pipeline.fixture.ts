// Host states and requests for specs, with everything a test does not speak of filled in. Not part of the product.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import { bind } from './bind';
import { filterContext } from './define-filter';
import type { Filter } from './define-filter';
import { prefilterContext } from './define-prefilter';
import type { Prefilter, PrefilterOutcome } from './define-prefilter';
import type { ConfiguredValues } from './options';
import { optionsForHost } from './options';
import { renderRejection } from './verdict';

export function hostState(given: Partial<HostState> = {}): HostState {
  const host = given.host ?? 'h';
  return {
    host,
    node: host,
    uuid: host,
    cell: null,
    totalUsableRamMb: 0,
    freeRamMb: 0,
    vcpusTotal: 0,
    vcpusUsed: 0,
    totalUsableDiskGb: 0,
    freeDiskMb: 0,
    numInstances: 0,
    instances: new Set(),
    aggregates: [],
    traits: new Set(),
    candidates: [],
    ...given,
  };
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

export function requestSpec(given: Partial<RequestSpec> = {}): RequestSpec {
  return {
    instanceUuid: 'i',
    instanceUuids: ['i'],
    projectId: 'p',
    userId: 'u',
    flavor: { name: null, vcpus: 2, memoryMb: 2048, rootGb: 20, ephemeralGb: 5, swapMb: 1025, extraSpecs: {} },
    image: null,
    isBfv: false,
    schedulerHints: {},
    ignoreHosts: [],
    rootRequired: [],
    rootForbidden: [],
    sameSubtree: [],
    ...given,
  };
}

/** The sentence of a rejection, or `pass`. */
export function verdictOf(filter: Filter, host: HostState, spec: RequestSpec, values: ConfiguredValues = {}): string {
  const bound = bind(filter, values);
  const options = optionsForHost(filter.options, bound.values, host);
  const verdict = filter.check(host, spec, filterContext(filter, options));
  return verdict.passed ? 'pass' : renderRejection(filter.rejections, verdict);
}

export function outcomeOf(prefilter: Prefilter, spec: RequestSpec, values: ConfiguredValues = {}): PrefilterOutcome {
  return prefilter.apply(spec, prefilterContext(prefilter, bind(prefilter, values).values));
}
