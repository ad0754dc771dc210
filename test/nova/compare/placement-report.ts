// What the computes of a generated cloud report to Placement, and the allocations of its instances.
import type { TestService } from '../../support/service';
import type { Host } from './hosts';
import { PHYSNET_TRAIT, PMEM_CLASS } from './hosts';
import type { RunningInstance, World } from './world';
import { LICENSED_TRAIT } from './world';

const CUSTOM_TRAITS = ['CUSTOM_RAID', LICENSED_TRAIT, PHYSNET_TRAIT];

export class PlacementReport {
  private readonly generations = new Map<string, number>();

  constructor(
    private readonly berth: TestService,
    private readonly world: World,
  ) {}

  async send(): Promise<void> {
    for (const name of CUSTOM_TRAITS) await this.request('PUT', `/traits/${name}`);
    await this.request('PUT', `/resource_classes/${PMEM_CLASS}`);
    const { uuid, aggregate } = this.world.sharedDisk;
    await this.provider(uuid, 'shared-disk');
    await this.inventories(uuid, { DISK_GB: { total: 4_000 } });
    await this.traits(uuid, ['MISC_SHARES_VIA_AGGREGATE']);
    await this.aggregatesOf(uuid, [aggregate]);
    for (const host of this.world.hosts) await this.host(host);
    for (const instance of this.world.instances) await claim(this.berth, instance);
  }

  private async host(host: Host): Promise<void> {
    const { name, uuid, inventories, traits, gpu, nic, sharesDisk } = host;
    const aggregates = this.world.aggregates.filter(({ hosts }) => hosts.includes(name));
    const isLicensed = aggregates.some((aggregate) => aggregate.name === 'licensed');
    await this.provider(uuid, name);
    await this.inventories(uuid, inventories);
    await this.traits(uuid, [...traits, ...(isLicensed ? [LICENSED_TRAIT] : [])]);
    const shared = sharesDisk ? [this.world.sharedDisk.aggregate] : [];
    await this.aggregatesOf(uuid, [...aggregates.map((each) => each.uuid), ...shared]);
    if (gpu !== null) await this.child(gpu.uuid, `${name}-gpu`, uuid, { VGPU: { total: gpu.total } });
    if (nic === null) return;
    await this.child(nic.uuid, `${name}-nic`, uuid, { NET_BW_EGR_KILOBIT_PER_SEC: { total: nic.kilobits } });
    await this.traits(nic.uuid, [PHYSNET_TRAIT]);
  }

  private async child(uuid: string, name: string, parent: string, inventories: object): Promise<void> {
    await this.provider(uuid, name, parent);
    await this.inventories(uuid, inventories);
  }

  private async provider(uuid: string, name: string, parent?: string): Promise<void> {
    await this.request('POST', '/resource_providers', {
      uuid,
      name,
      ...(parent !== undefined && { parent_provider_uuid: parent }),
    });
    this.generations.set(uuid, 0);
  }

  private inventories(uuid: string, inventories: object): Promise<void> {
    return this.put(uuid, 'inventories', { inventories });
  }

  private traits(uuid: string, traits: readonly string[]): Promise<void> {
    return this.put(uuid, 'traits', { traits });
  }

  private aggregatesOf(uuid: string, aggregates: readonly string[]): Promise<void> {
    return this.put(uuid, 'aggregates', { aggregates });
  }

  private async put(uuid: string, part: string, body: object): Promise<void> {
    const resource_provider_generation = this.generations.get(uuid);
    const answer = await this.request('PUT', `/resource_providers/${uuid}/${part}`, {
      resource_provider_generation,
      ...body,
    });
    this.generations.set(uuid, answer.resource_provider_generation as number);
  }

  private request(method: 'PUT' | 'POST', path: string, body?: object): Promise<any> {
    return change(this.berth, method, path, body);
  }
}

/** The allocations of a running instance, as before any move. */
export async function claim(berth: TestService, { uuid, host, resources }: RunningInstance): Promise<void> {
  await change(berth, 'PUT', `/allocations/${uuid}`, {
    allocations: { [host.uuid]: { resources } },
    project_id: 'project',
    user_id: 'user',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
}

export async function release(berth: TestService, uuid: string): Promise<void> {
  const { status, text } = await berth.request({ method: 'DELETE', path: `/allocations/${uuid}` });
  if (status !== 204 && status !== 404) throw new Error(`DELETE /allocations/${uuid}: ${status} ${text}`);
}

async function change(berth: TestService, method: 'PUT' | 'POST', path: string, body?: object): Promise<any> {
  const { status, text, json } = await berth.request({ method, path, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json;
}
