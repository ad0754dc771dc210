// What the scheduler takes from the configuration, as a plain object, and the rows its parts add to the configuration.

import type { OptionRow } from '../config/option-types';
import { DEFAULT_DRIVER } from './drivers';
import { DEFAULT_ENABLED_FILTERS } from './filters';
import { DEFAULT_OPTION_GROUP } from './pipeline/options';
import type { ConfiguredValues, OptionDeclaration, OptionDeclarations } from './pipeline/options';
import type { PciAliases } from './pci/alias';
import type { EnabledNames, Registry } from './pipeline/registry';
import { SchedulerBootError } from './pipeline/registry';

/** Names of nova for what it configures as well. */
export interface SchedulerOptions extends EnabledNames {
  /** Version of the product, shown by GET /scheduler. */
  readonly version: string;
  readonly maxAttempts: number;
  readonly maxPlacementResults: number;
  readonly candidatesPerHost: number;
  readonly hostSubsetSize: number;
  readonly shuffleBestSameWeighedHosts: boolean;
  readonly defaultAvailabilityZone: string;
  /** The zone of requests that name none. */
  readonly defaultScheduleZone: string | null;
  /** Decide as nova does where the product decides better. */
  readonly novaCompat: boolean;
  /** No second query for pinned CPUs on hosts that only have shared ones. */
  readonly disableFallbackPcpuQuery: boolean;
  /** Fill the fullest NUMA cells first instead of the emptiest. */
  readonly packsNumaCells: boolean;
  readonly pciAliases: PciAliases;
  /** Values of declared options by group and name, as configured. */
  readonly values: ConfiguredValues;
}

export const DEFAULT_SCHEDULER_OPTIONS: SchedulerOptions = Object.freeze({
  version: '',
  driver: DEFAULT_DRIVER,
  availableFilters: ['nova.scheduler.filters.all_filters'],
  enabledFilters: DEFAULT_ENABLED_FILTERS,
  weightClasses: ['nova.scheduler.weights.all_weighers'],
  maxAttempts: 3,
  maxPlacementResults: 1_000,
  candidatesPerHost: 8,
  hostSubsetSize: 1,
  shuffleBestSameWeighedHosts: false,
  defaultAvailabilityZone: 'nova',
  defaultScheduleZone: null,
  novaCompat: false,
  disableFallbackPcpuQuery: false,
  packsNumaCells: false,
  pciAliases: new Map(),
  values: {},
});

/**
 * One row per declared option of everything registered, whether it runs or not. Two parts may share an option when they
 * declare it alike; otherwise the boot stops.
 */
export function schedulerOptionRows(registry: Registry): readonly OptionRow[] {
  const rows = new Map<string, { readonly row: OptionRow; readonly owner: string }>();
  const kinds = [registry.filters, registry.weighers, registry.prefilters] as const;
  for (const { part } of kinds.flatMap((parts) => [...parts.values()] as readonly { part: OptionOwner }[])) {
    for (const [name, declaration] of Object.entries(part.options)) {
      const row = rowOf(name, declaration);
      const key = `[${row.group}] ${name}`;
      const twin = rows.get(key);
      if (twin === undefined) rows.set(key, { row, owner: part.name });
      else if (!alike(twin.row, row)) {
        throw new SchedulerBootError(`${key} is declared differently by ${twin.owner} and ${part.name}`);
      }
    }
  }
  return [...rows.values()].map(({ row }) => row);
}

interface OptionOwner {
  readonly name: string;
  readonly options: OptionDeclarations;
}

const TYPES = { integer: 'integer', number: 'float', boolean: 'boolean', text: 'string', list: 'list' } as const;

function rowOf(name: string, declaration: OptionDeclaration): OptionRow {
  const bounds: { readonly min?: number; readonly max?: number } =
    declaration.kind === 'integer' || declaration.kind === 'number' ? declaration : {};
  return {
    group: declaration.group ?? DEFAULT_OPTION_GROUP,
    name,
    type: TYPES[declaration.kind],
    default: declaration.default,
    description: declaration.help ?? '',
    ...(bounds.min !== undefined && { min: bounds.min }),
    ...(bounds.max !== undefined && { max: bounds.max }),
  };
}

function alike(one: OptionRow, other: OptionRow): boolean {
  const facts = ({ type, default: fallback, min, max }: OptionRow): string =>
    JSON.stringify([type, fallback, min, max]);
  return facts(one) === facts(other);
}
