// The registry of filters, weighers, prefilters and drivers, and the selection of the enabled ones. Names come from the
// configuration; unknown names stop the start, all at once.

import { nearestName } from '../../platform/values/nearest-name';
import { StartRefused } from '../../platform/values/start-refused';
import type { BoundFilter, BoundPrefilter, BoundWeigher } from './bind';
import { bind } from './bind';
import type { Driver } from './define-driver';
import type { Filter } from './define-filter';
import type { Prefilter } from './define-prefilter';
import type { Weigher } from './define-weigher';
import type { ConfiguredValues } from './options';

/** The configuration or a plug-in cannot be used. Stops the start with this message. */
export class SchedulerBootError extends StartRefused {
  override readonly name = 'SchedulerBootError';
}

/** Exports of a module. The built-in parts are such a module too. */
interface SchedulerModuleExports {
  readonly filters?: readonly Filter[];
  readonly weighers?: readonly Weigher[];
  readonly prefilters?: readonly Prefilter[];
  readonly drivers?: readonly Driver[];
}

/** A module with its source, for messages. */
export interface SchedulerExtension {
  readonly source: string;
  readonly exports: SchedulerModuleExports;
}

interface Registered<Part> {
  readonly part: Part;
  readonly source: string;
}

/** All parts by name, in the order of registration. */
export interface PartRegistry {
  readonly filters: ReadonlyMap<string, Registered<Filter>>;
  readonly weighers: ReadonlyMap<string, Registered<Weigher>>;
  readonly prefilters: ReadonlyMap<string, Registered<Prefilter>>;
  readonly drivers: ReadonlyMap<string, Registered<Driver>>;
}

/** The source of the built-in parts. */
export const BUILT_IN = 'built in';

/** The enabled parts by their configured names. */
export interface EnabledNames {
  readonly driver: string;
  readonly availableFilters: readonly string[];
  readonly enabledFilters: readonly string[];
  readonly weightClasses: readonly string[];
}

/** The enabled parts in order, with their values. */
export interface EnabledParts {
  readonly driver: Driver;
  readonly filters: readonly BoundFilter[];
  readonly weighers: readonly BoundWeigher[];
  readonly prefilters: readonly BoundPrefilter[];
  /** Request fields that at least one of them reads. */
  readonly reads: ReadonlySet<string>;
  /** Names of the filters and weighers. */
  readonly names: ReadonlySet<string>;
}

const ALL_FILTERS = new Set([
  'nova.scheduler.filters.all_filters',
  'nova.scheduler.filters.standard_filters',
  'all_filters',
  'standard_filters',
]);
const ALL_WEIGHERS = new Set(['nova.scheduler.weights.all_weighers', 'all_weighers']);

/** Two parts of one kind with the same name stop the start. */
export function buildRegistry(extensions: readonly SchedulerExtension[]): PartRegistry {
  return {
    filters: collect(extensions, 'filter', ({ filters }) => filters),
    weighers: collect(extensions, 'weigher', ({ weighers }) => weighers),
    prefilters: collect(extensions, 'prefilter', ({ prefilters }) => prefilters),
    drivers: collect(extensions, 'driver', ({ drivers }) => drivers),
  };
}

function collect<Part extends { readonly name: string }>(
  extensions: readonly SchedulerExtension[],
  kind: string,
  partsOf: (exports: SchedulerModuleExports) => readonly Part[] | undefined,
): ReadonlyMap<string, Registered<Part>> {
  const byName = new Map<string, Registered<Part>>();
  for (const { source, exports } of extensions) {
    for (const part of partsOf(exports) ?? []) {
      const twin = byName.get(part.name);
      if (twin !== undefined) {
        throw new SchedulerBootError(`two ${kind}s are named ${part.name}: ${twin.source} and ${source}`);
      }
      byName.set(part.name, { part, source });
    }
  }
  return byName;
}

/**
 * The configured parts with their values. Built-in prefilters always run, those of plug-ins after them. Filters of a
 * plug-in are always available; a repeated name runs once.
 */
export function resolveParts(registry: PartRegistry, names: EnabledNames, values: ConfiguredValues): EnabledParts {
  const problems: string[] = [];
  const driver = registry.drivers.get(names.driver)?.part;
  if (driver === undefined) {
    problems.push(`Scheduler driver ${names.driver} could not be found. ${meant([names.driver], registry.drivers)}`);
  }
  const filters = filtersNamed(registry, names, problems);
  const weighers = weighersNamed(registry, names.weightClasses, problems);
  if (driver === undefined || problems.length > 0) throw new SchedulerBootError(problems.join('\n'));
  const parts = {
    driver,
    filters: filters.map((part) => bind(part, values)),
    weighers: weighers.map((part) => bind(part, values)),
    prefilters: [...registry.prefilters.values()].map(({ part }) => bind(part, values)),
  };
  const reads = [...parts.filters, ...parts.weighers, ...parts.prefilters].flatMap(({ part }) => part.reads);
  const running = [...parts.filters, ...parts.weighers].map(({ part }) => part.name);
  return Object.freeze({ ...parts, reads: new Set(reads), names: new Set(running) });
}

function filtersNamed({ filters }: PartRegistry, names: EnabledNames, problems: string[]): Filter[] {
  const available = new Set([...filters].flatMap(([name, { source }]) => (source === BUILT_IN ? [] : [name])));
  const unknown: string[] = [];
  for (const entry of names.availableFilters) {
    if (ALL_FILTERS.has(entry)) for (const name of filters.keys()) available.add(name);
    else if (filters.has(className(entry))) available.add(className(entry));
    else unknown.push(entry);
  }
  const enabled = [...new Set(names.enabledFilters.map(className))];
  const missing = [...unknown, ...enabled.filter((name) => !available.has(name))];
  if (missing.length > 0) {
    problems.push(
      `Scheduler Host Filter ${missing.join(', ')} could not be found. ${meant(missing, filters)} ${ownParts('filter')}`,
    );
  }
  return enabled.flatMap((name) => filters.get(name)?.part ?? []);
}

function weighersNamed({ weighers }: PartRegistry, entries: readonly string[], problems: string[]): Weigher[] {
  const builtIn = [...weighers].flatMap(([name, { source }]) => (source === BUILT_IN ? [name] : []));
  const named = entries.flatMap((entry) => (ALL_WEIGHERS.has(entry) ? builtIn : [className(entry)]));
  const missing = named.filter((name) => !weighers.has(name));
  if (missing.length > 0) {
    problems.push(
      `Scheduler weigher ${missing.join(', ')} could not be found. ${meant(missing, weighers)} ${ownParts('weigher')}`,
    );
  }
  return [...new Set(named)].flatMap((name) => weighers.get(name)?.part ?? []);
}

/** The class name of a dotted path, so nova configurations carry over. */
const className = (entry: string): string => entry.slice(entry.lastIndexOf('.') + 1).trim();

/** The nearest name of each, or all names if one has none. */
function meant(missing: readonly string[], parts: ReadonlyMap<string, unknown>): string {
  const near = missing.flatMap((name) => nearestName(className(name), parts.keys()) ?? []);
  if (near.length === missing.length) return `Did you mean ${near.join(', ')}?`;
  return `Known: ${[...parts.keys()].sort().join(', ')}.`;
}

const ownParts = (kind: string): string =>
  `A ${kind} of your own is a plug-in: write it in JavaScript and name its file in [berth] plugins.`;
