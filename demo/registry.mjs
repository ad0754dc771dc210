// The demo's entries in the scheduler's registries: host reports, services, host aggregates, flavors, images and a
// server group. Written before the story and removed after it. Names that could collide start with demo-.
import { unlessMissing } from '../client/dist/index.js';
import { expand, uuidOf } from './cluster.mjs';
import { remove, wasThere } from './service.mjs';

/** Root providers that run instances; disk pools do not. */
export const hostsOf = ({ providers }) =>
  providers.filter(({ parent, traits }) => parent === null && traits.includes('COMPUTE_NODE'));

const disabledOf = ({ disabled }) =>
  Object.entries(disabled).flatMap(([pattern, reason]) => expand(pattern).map((host) => ({ host, reason })));

/** A host report; amounts come from the host's providers. */
export const reportOf = ({ uuid }) => ({
  uuid,
  hypervisor: { type: 'QEMU', version: 8002000 },
  supported_instances: [['x86_64', 'kvm', 'hvm']],
});

/** Removes all but the hosts first: leftovers of an interrupted run can be out of date. */
export async function loadRegistry(client, cluster, script) {
  await removeDefinitions(client, cluster, script);
  const hosts = hostsOf(cluster);
  for (const host of hosts) await client.hosts.report(host.name, host.name, reportOf(host));
  for (const [name, metadata] of Object.entries(cluster.hostAggregates)) {
    const members = hosts.filter(({ aggregates }) => aggregates.includes(name));
    const body = { name: `demo-${name}`, metadata, hosts: members.map((host) => host.name) };
    await client.hostAggregates.put(uuidOf('aggregate', name), body);
  }
  for (const { host, reason } of disabledOf(cluster)) await disableHost(client, host, reason);
  for (const { name, ...body } of script.flavors) {
    await client.flavors.put(uuidOf('flavor', name), { name, ...body });
  }
  for (const { name, ...body } of script.images) {
    await client.images.put(uuidOf('image', name), { name, ...body });
  }
  for (const { name, ...body } of script.server_groups) {
    await client.serverGroups.put(uuidOf('group', name), { name, ...body });
  }
}

export const disableHost = (client, host, reason) =>
  client.services.change(host, { status: 'disabled', disabled_reason: reason });

export const enableHost = (client, host) => client.services.change(host, { status: 'enabled' });

/** Releases placed instances: claim, group membership and record together. Returns the number of released instances. */
export async function releaseInstances(client, instances) {
  let released = 0;
  for (const uuid of instances) {
    if (await wasThere(client.scheduler.instances.release(uuid))) released += 1;
  }
  return released;
}

/** The demo's zones with the scheduler's host counts. */
export async function zonesOf(client, cluster) {
  const { availability_zones: zones } = await client.availabilityZones.list();
  return zones.filter(({ name }) => cluster.zones.includes(name));
}

/** Removes all that `loadRegistry` wrote; the instances must be released before. */
export async function removeRegistry(client, cluster, script) {
  await removeDefinitions(client, cluster, script);
  for (const { name } of hostsOf(cluster)) await remove(name, client.services.delete(name));
}

async function removeDefinitions(client, cluster, script) {
  for (const { name } of script.server_groups) await remove(name, client.serverGroups.delete(uuidOf('group', name)));
  for (const { name } of script.flavors) await remove(name, client.flavors.delete(uuidOf('flavor', name)));
  for (const { name } of script.images) await remove(name, client.images.delete(uuidOf('image', name)));
  for (const name of Object.keys(cluster.hostAggregates)) await removeAggregate(client, name);
}

/** Also removes its hosts from it. */
export async function removeAggregate(client, name) {
  const uuid = uuidOf('aggregate', name);
  const found = await unlessMissing(client.hostAggregates.get(uuid));
  for (const host of found?.hosts ?? []) await remove(host, client.hostAggregates.removeHost(uuid, host));
  await remove(name, client.hostAggregates.delete(uuid));
}
