// The ports of a decision as if some instances were not there: their allocations are free, and their hosts do not count
// them. NUMA cells and PCI devices of the instances stay taken.
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import type { ProviderGraph, UsageChange } from '../../placement/candidate-search';
import { applyUsage, findInventory } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { HostSource } from '../../scheduler/ports';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { NovaRequestSpec } from '../objects/request-spec';
import type { LaterInstance } from './new-requests';

export function graphWithout(graph: ProviderGraph, consumers: readonly WholeConsumer[]): ProviderGraph {
  const changes = new Map<number, UsageChange>();
  for (const { providerUuid, resources } of consumers.flatMap(({ shares }) => shares)) {
    const provider = graph.findProviderByUuid(providerUuid);
    for (const [name, amount] of provider === undefined ? [] : resources) {
      const inventory = provider && findInventory(provider, name);
      if (inventory === undefined) continue;
      const { id: inventoryId, version } = inventory;
      const used = changes.get(inventoryId)?.used ?? inventory.used;
      changes.set(inventoryId, { inventoryId, used: Math.max(0, used - amount), version: version + 1 });
    }
  }
  return changes.size === 0 ? graph : applyUsage(graph, [...changes.values()]).graph;
}

/** What an instance takes from the figures of its node. */
interface TakenAmounts {
  readonly uuid: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

export function amountsOf(uuid: string, { flavor, isBfv }: NovaRequestSpec): TakenAmounts {
  const { vcpus, memoryMb, rootGb, ephemeralGb, swapMb } = flavor;
  return { uuid, vcpus, memoryMb, diskMb: ((isBfv ? 0 : rootGb) + ephemeralGb) * MIB_PER_GIB + swapMb };
}

/** The rows of nova do not tell swap, nor whether the root disk is a volume. */
export const amountsOfLater = ({ uuid, vcpus, memoryMb, rootGb, ephemeralGb }: LaterInstance): TakenAmounts => ({
  uuid,
  vcpus,
  memoryMb,
  diskMb: (rootGb + ephemeralGb) * MIB_PER_GIB,
});

/** `absent`: the newest instance first. */
export function hostsWithout(hosts: HostSource, absent: readonly TakenAmounts[]): HostSource {
  return {
    refresh: () => hosts.refresh(),
    cloud: () => hosts.cloud(),
    targets: (target) => hosts.targets(target),
    hostsOf: (instances) => hosts.hostsOf(instances),
    serviceOf: (root) => hosts.serviceOf(root),
    states: async (trees, at) => {
      const states = new Map(await hosts.states(trees, at));
      for (const [uuid, state] of states) states.set(uuid, without(state, absent));
      return states;
    },
  };
}

function without(state: HostState, absent: readonly TakenAmounts[]): HostState {
  const here = absent.filter(({ uuid }) => state.instances.has(uuid));
  if (here.length === 0) return state;
  // A compute lists an instance before it counts it, so its figures can lack the newest ones.
  const counted = here.slice(Math.max(0, state.instances.size - state.numInstances));
  const sumOf = (what: 'vcpus' | 'memoryMb' | 'diskMb'): number => counted.reduce((sum, each) => sum + each[what], 0);
  const gone = new Set(here.map(({ uuid }) => uuid));
  return {
    ...state,
    instances: new Map([...state.instances].filter(([uuid]) => !gone.has(uuid))),
    freeRamMb: state.freeRamMb + sumOf('memoryMb'),
    freeDiskMb: state.freeDiskMb + sumOf('diskMb'),
    diskMbUsed: Math.max(0, state.diskMbUsed - sumOf('diskMb')),
    vcpusUsed: Math.max(0, state.vcpusUsed - sumOf('vcpus')),
    numInstances: Math.max(0, state.numInstances - counted.length),
    // A node counts an instance that it builds until its next audit.
    numIoOps: Math.max(0, state.numIoOps - counted.length),
  };
}
