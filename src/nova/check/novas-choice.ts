// The options in force that make Berth choose other hosts than nova-scheduler of a release, and the release that the
// schema of a cell tells.
import type { SchedulerPipeline } from '../../scheduler/assemble/scheduler-pipeline';

interface ChoiceDifference {
  readonly group: string;
  readonly name: string;
  readonly value: string;
  /** The value with which Berth chooses as nova does. */
  readonly novas: string;
  readonly why: string;
}

interface OwnOption {
  readonly weigher: string;
  readonly name: string;
  readonly novas: string;
  /** The first release of nova that has it; null: none. */
  readonly since: number | null;
}

const OWN_OPTIONS: readonly OwnOption[] = [
  { weigher: 'HypervisorVersionWeigher', name: 'hypervisor_version_weight_multiplier', novas: '0', since: 28 },
  { weigher: 'NumInstancesWeigher', name: 'num_instances_weight_multiplier', novas: '0', since: 28 },
  { weigher: 'ImagePropertiesWeigher', name: 'image_props_weight_multiplier', novas: '0', since: 31 },
  { weigher: 'BestFitWeigher', name: 'best_fit_weight_multiplier', novas: '0', since: null },
  { weigher: 'BuildFailureWeigher', name: 'build_failure_half_life', novas: '0', since: null },
  { weigher: 'RAMWeigher', name: 'share_based_weights', novas: 'false', since: null },
];

export function differencesFrom(
  release: number,
  { parts, options }: Pick<SchedulerPipeline, 'parts' | 'options'>,
): readonly ChoiceDifference[] {
  const differences: ChoiceDifference[] = [];
  if (!options.novaCompat) {
    const why = 'Berth counts placements that no compute has reported, and tries all candidates of a host';
    differences.push({ group: 'scheduler', name: 'nova_compat', value: 'false', novas: 'true', why });
  }
  for (const { weigher, name, novas, since } of OWN_OPTIONS) {
    const value = parts.weighers.find(({ part }) => part.name === weigher)?.values[name];
    if (value === undefined || String(value) === novas || (since !== null && since <= release)) continue;
    const why = since === null ? 'no release of nova has it' : `nova has ${weigher} since release ${since}`;
    differences.push({ group: 'filter_scheduler', name, value: String(value), novas, why });
  }
  return differences;
}

/** The newest migration of a cell's schema, the first release with it, and the last. */
const SCHEMAS: readonly (readonly [version: string, first: number, last: number])[] = [
  ['ccb0fa1a2252', 26, 26],
  ['960aac0e09ea', 27, 27],
  ['1acf2c98e646', 28, 28],
  ['13863f4e1612', 29, 30],
  ['2903cd72dc14', 31, 33],
  ['ab450ba04102', 34, 34],
];

/** Null: the schema is not known. */
export function releasesOf(schemaVersion: string | null): { readonly first: number; readonly last: number } | null {
  const [, first, last] = SCHEMAS.find(([version]) => version === schemaVersion) ?? [];
  return first === undefined || last === undefined ? null : { first, last };
}
