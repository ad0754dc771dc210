// The ports of a decision as if one instance were not there: its allocations are free, and its host does not count it.
// NUMA cells and PCI devices of the instance stay taken on its host.
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import type { ProviderGraph, UsageChange } from '../../placement/candidate-search';
import { applyUsage, findInventory } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { HostSource } from '../../scheduler/ports';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { NovaRequestSpec } from '../objects/request-spec-view';

export function graphWithout(graph: ProviderGraph, consumer: WholeConsumer | undefined): ProviderGraph {
  const changes: UsageChange[] = [];
  for (const { providerUuid, resources } of consumer?.shares ?? []) {
    const provider = graph.findProviderByUuid(providerUuid);
    for (const [name, amount] of provider === undefined ? [] : resources) {
      const inventory = provider && findInventory(provider, name);
      if (inventory === undefined) continue;
      const { id: inventoryId, used, version } = inventory;
      changes.push({ inventoryId, used: Math.max(0, used - amount), version: version + 1 });
    }
  }
  return changes.length === 0 ? graph : applyUsage(graph, changes).graph;
}

interface RunningInstance {
  readonly uuid: string;
  readonly spec: NovaRequestSpec;
  /** Where it runs; null: nowhere. */
  readonly host: string | null;
  readonly node: string | null;
  /** The figures of the node include the instance. */
  readonly isCounted: boolean;
}

export function hostsWithout(hosts: HostSource, instance: RunningInstance): HostSource {
  return {
    refresh: () => hosts.refresh(),
    cloud: () => hosts.cloud(),
    targets: (target) => hosts.targets(target),
    hostsOf: (instances) => hosts.hostsOf(instances),
    serviceOf: (root) => hosts.serviceOf(root),
    states: async (trees, at) => {
      const states = new Map(await hosts.states(trees, at));
      for (const [uuid, state] of states) {
        if (state.host === instance.host && state.node === instance.node) states.set(uuid, without(state, instance));
      }
      return states;
    },
  };
}

function without(state: HostState, { uuid, spec, isCounted }: RunningInstance): HostState {
  const instances = new Map(state.instances);
  instances.delete(uuid);
  if (!isCounted) return { ...state, instances };
  const { vcpus, memoryMb, rootGb, ephemeralGb, swapMb } = spec.flavor;
  const disk = ((spec.isBfv ? 0 : rootGb) + ephemeralGb) * MIB_PER_GIB + swapMb;
  return {
    ...state,
    instances,
    freeRamMb: state.freeRamMb + memoryMb,
    freeDiskMb: state.freeDiskMb + disk,
    diskMbUsed: Math.max(0, state.diskMbUsed - disk),
    vcpusUsed: Math.max(0, state.vcpusUsed - vcpus),
    numInstances: Math.max(0, state.numInstances - 1),
    // The node counts an instance that it builds.
    numIoOps: Math.max(0, state.numIoOps - 1),
  };
}
