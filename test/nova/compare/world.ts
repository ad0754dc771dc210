// A generated cloud: hosts, host aggregates and instances that run already.
import type { Dice } from './dice';
import type { Host } from './hosts';
import { generateHosts } from './hosts';

export interface HostAggregate {
  readonly uuid: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
}

export interface RunningInstance {
  readonly uuid: string;
  readonly host: Host;
  readonly resources: Readonly<Record<string, number>>;
}

export interface World {
  readonly hosts: readonly Host[];
  readonly aggregates: readonly HostAggregate[];
  readonly instances: readonly RunningInstance[];
  /** Shares disk with the hosts that have none, through its aggregate. */
  readonly sharedDisk: { readonly uuid: string; readonly aggregate: string };
}

export const TENANT = 'tenant-of-an-aggregate';
export const LICENSED_TRAIT = 'CUSTOM_LICENSED';
export const ISOLATED_IMAGE = '1501a7ed-0000-4000-8000-000000000001';

export function generateWorld(dice: Dice, hostCount: number, instanceCount: number): World {
  const hosts = generateHosts(dice, hostCount);
  const zones = dice.sample(hosts, Math.floor(hostCount / 2));
  const split = Math.floor(zones.length / 2);
  const part = (share: number): string[] => dice.sample(hosts, Math.ceil(hostCount * share)).map(({ name }) => name);
  const aggregate = (name: string, members: readonly string[], metadata: HostAggregate['metadata']): HostAggregate => ({
    uuid: dice.uuid(),
    name,
    hosts: members,
    metadata,
  });
  const names = zones.map(({ name }) => name);
  return {
    hosts,
    aggregates: [
      aggregate('zone-dock', names.slice(0, split), { availability_zone: 'dock' }),
      aggregate('zone-pier', names.slice(split), { availability_zone: 'pier' }),
      aggregate('fast', part(0.3), { ssd: 'true', tier: '3' }),
      aggregate('heavy', part(0.2), { ram_weight_multiplier: '3', cpu_weight_multiplier: '0.5' }),
      aggregate('light', part(0.2), { ram_weight_multiplier: '2', disk_weight_multiplier: 'oops' }),
      aggregate('tenant', part(0.15), { filter_tenant_id: TENANT }),
      aggregate('windows', part(0.3), { os_distro: 'windows' }),
      aggregate('bounded', part(0.3), { max_io_ops_per_host: '2', max_instances_per_host: '9' }),
      aggregate('licensed', part(0.1), { [`trait:${LICENSED_TRAIT}`]: 'required' }),
    ],
    instances: Array.from({ length: instanceCount }, () => ({
      uuid: dice.uuid(),
      host: dice.pick(hosts),
      resources: { MEMORY_MB: dice.int(128, 2_048) },
    })),
    sharedDisk: { uuid: dice.uuid(), aggregate: dice.uuid() },
  };
}
