// Presents the scheduler: selections of hosts, and the enabled parts with their options.
// decisions/decision.presenter.ts presents decisions.

import type { OptionDeclarations } from '../platform/values/options';
import type { HostLimits } from '../scheduling-rules/host-state/host-state';
import { zoneOf } from '../scheduling-rules/host-state/host-state';
import type { Bound } from '../scheduling-rules/pipeline/bind';
import { DEFAULT_OPTION_GROUP } from '../scheduling-rules/pipeline/options';
import type { SchedulerPipeline } from './assemble/scheduler-pipeline';
import type { Placed, Placement } from './claim/placement';

/** Maximum of instances in one audit event; fewer if the names are long. */
const PLACEMENTS_SHOWN = 100;

/** The Placement microversion of the allocation requests. */
export const ALLOCATION_REQUEST_VERSION = '1.36';

export interface SelectionsContext {
  readonly defaultAvailabilityZone: string;
}

/** One entry per instance, in the order of the request. */
export function presentSelections(placements: readonly Placement[], context: SelectionsContext): readonly object[] {
  return placements.map((placement) => presentSelection(placement, context));
}

export function presentSelection(
  { instanceUuid, selected, alternates }: Placement,
  context: SelectionsContext,
): object {
  return {
    instance_uuid: instanceUuid,
    selected: selected === null ? null : presentPlaced(selected, context),
    alternates: alternates.map((alternate) => presentPlaced(alternate, context)),
  };
}

/** Fields of `presentPlacements`, for routes whose audit events show them. */
export const PLACED = ['placements', 'placements_in_all'];

export function presentPlacements(placements: readonly Placement[]): object {
  const shown = placements.slice(0, PLACEMENTS_SHOWN).map(({ instanceUuid, selected }) => ({
    instance_uuid: instanceUuid,
    host: selected?.state.host ?? null,
    node: selected?.state.node ?? null,
  }));
  return { placements: shown, placements_in_all: placements.length };
}

function presentPlaced({ state, weight, candidate }: Placed, context: SelectionsContext): object {
  return {
    host: state.host,
    node: state.node,
    uuid: state.uuid,
    cell: state.cell,
    availability_zone: zoneOf(state, context.defaultAvailabilityZone),
    weight,
    limits: presentLimits(state.limits),
    allocation_request: { allocations: candidate.allocations, mappings: candidate.mappings },
    allocation_request_version: ALLOCATION_REQUEST_VERSION,
  };
}

/** The limits that the compute host must check again. */
function presentLimits({ numa, vcpu, memoryMb, diskGb }: HostLimits): object {
  return {
    ...(numa !== undefined && {
      numa_topology: {
        cpu_allocation_ratio: numa.cpuAllocationRatio,
        ram_allocation_ratio: numa.ramAllocationRatio,
      },
    }),
    ...(vcpu !== undefined && { vcpu }),
    ...(memoryMb !== undefined && { memory_mb: memoryMb }),
    ...(diskGb !== undefined && { disk_gb: diskGb }),
  };
}

/** Where the hosts come from: reports to the registries, or a service that Berth does not register. */
type HostFactsSource = 'registries' | 'external';

interface SchedulerSources {
  readonly hostFacts: HostFactsSource;
  /** Placement is a service elsewhere. */
  readonly isRemote: boolean;
}

/** GET /scheduler: the enabled parts with their effective options. */
export function presentScheduler(
  { parts, registry, options, revision }: SchedulerPipeline,
  { hostFacts, isRemote }: SchedulerSources = { hostFacts: 'registries', isRemote: false },
): object {
  return {
    name: 'berth',
    version: options.version,
    config_revision: revision,
    driver: options.driver,
    drivers: [...registry.drivers.values()].map(({ part, source }) => ({
      name: part.name,
      summary: part.summary,
      source,
    })),
    prefilters: parts.prefilters.map((bound) => presentPart(bound, registry.prefilters)),
    filters: parts.filters.map((bound) => presentPart(bound, registry.filters)),
    weighers: parts.weighers.map((bound) => presentPart(bound, registry.weighers)),
    options: {
      max_attempts: options.maxAttempts,
      max_placement_results: options.maxPlacementResults,
      candidates_per_host: options.candidatesPerHost,
      host_subset_size: options.hostSubsetSize,
      shuffle_best_same_weighed_hosts: options.shuffleBestSameWeighedHosts,
      default_availability_zone: options.defaultAvailabilityZone,
      default_schedule_zone: options.defaultScheduleZone,
      nova_compat: options.novaCompat,
    },
    guarantees: {
      host_facts: hostFacts,
      // In process, claim, group policy and record share one transaction.
      claims: isRemote ? 'repaired' : 'exact',
      group_policy: options.novaCompat ? 'when_filtering' : isRemote ? 'after_claiming' : 'when_claiming',
      pending_placements: options.novaCompat ? 'ignored' : 'counted',
    },
  };
}

interface DescribedPart {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
}

function presentPart(
  { part, values }: Bound<DescribedPart>,
  registered: ReadonlyMap<string, { readonly source: string }>,
): object {
  return {
    name: part.name,
    summary: part.summary,
    source: registered.get(part.name)?.source,
    options: Object.entries(part.options).map(([name, declaration]) => ({
      group: declaration.group ?? DEFAULT_OPTION_GROUP,
      name,
      value: values[name],
      default: declaration.default,
    })),
  };
}
