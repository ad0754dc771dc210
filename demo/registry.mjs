// What the scheduler's registries know of the demo: hosts that report, their services, host aggregates, flavors, images
// and a server group. Written before the story, removed after it. Names of things that others could have start with demo-.
import { expand, uuidOf } from './cluster.mjs';
import { DemoFailure } from './client.mjs';

/** Roots that run instances; pools of disks do not. */
export const hostsOf = ({ providers }) =>
  providers.filter(({ parent, traits }) => parent === null && traits.includes('COMPUTE_NODE'));

const disabledOf = ({ disabled }) =>
  Object.entries(disabled).flatMap(([pattern, reason]) => expand(pattern).map((host) => ({ host, reason })));

/** What a host says of itself; its amounts are those of its providers. */
const reportOf = ({ uuid }) => ({
  uuid,
  hypervisor: { type: 'QEMU', version: 8002000 },
  supported_instances: [['x86_64', 'kvm', 'hvm']],
});

/** Everything but the hosts goes first: what an interrupted run left may be out of date. */
export async function loadRegistry(client, cluster, script, progress) {
  await removeDefinitions(client, cluster, script);
  const hosts = hostsOf(cluster);
  for (const [at, host] of hosts.entries()) {
    await client.send('PUT', `/scheduler/hosts/${host.name}/${host.name}`, reportOf(host));
    progress(at + 1, hosts.length);
  }
  for (const [name, metadata] of Object.entries(cluster.hostAggregates)) {
    const members = hosts.filter(({ aggregates }) => aggregates.includes(name));
    const body = { name: `demo-${name}`, metadata, hosts: members.map((host) => host.name) };
    await client.send('PUT', `/scheduler/host_aggregates/${uuidOf('aggregate', name)}`, body);
  }
  for (const { host, reason } of disabledOf(cluster)) await disableHost(client, host, reason);
  for (const { name, ...body } of script.flavors) {
    await client.send('PUT', `/scheduler/flavors/${uuidOf('flavor', name)}`, { name, ...body });
  }
  for (const { name, ...body } of script.images) {
    await client.send('PUT', `/scheduler/images/${uuidOf('image', name)}`, { name, ...body });
  }
  for (const { name, ...body } of script.server_groups) {
    await client.send('PUT', `/scheduler/server_groups/${uuidOf('group', name)}`, { name, ...body });
  }
}

export const disableHost = (client, host, reason) =>
  client.send('PATCH', `/scheduler/services/${host}`, { status: 'disabled', disabled_reason: reason });

export const enableHost = (client, host) => client.send('PATCH', `/scheduler/services/${host}`, { status: 'enabled' });

/** Releases what the scheduler placed: claim, membership and record at once. Answers how many there were. */
export async function releaseInstances(client, instances) {
  let released = 0;
  for (const uuid of instances) {
    const { status } = await client.send('DELETE', `/scheduler/instances/${uuid}`, undefined, [404]);
    if (status !== 404) released += 1;
  }
  return released;
}

/** Zones with the number of their hosts, as the scheduler sees them. */
export async function zonesOf(client, cluster) {
  const { json } = await client.send('GET', '/scheduler/availability_zones');
  return json.availability_zones.filter(({ name }) => cluster.zones.includes(name));
}

/** Removes everything that `loadRegistry` wrote; instances must be gone. */
export async function removeRegistry(client, cluster, script) {
  await removeDefinitions(client, cluster, script);
  for (const { name } of hostsOf(cluster)) await remove(client, `services/${name}`);
}

async function removeDefinitions(client, cluster, script) {
  for (const { name } of script.server_groups) await remove(client, `server_groups/${uuidOf('group', name)}`);
  for (const { name } of script.flavors) await remove(client, `flavors/${uuidOf('flavor', name)}`);
  for (const { name } of script.images) await remove(client, `images/${uuidOf('image', name)}`);
  for (const name of Object.keys(cluster.hostAggregates)) {
    const path = `host_aggregates/${uuidOf('aggregate', name)}`;
    const { status, json } = await client.send('GET', `/scheduler/${path}`, undefined, [404]);
    if (status === 404) continue;
    for (const host of json.hosts) await remove(client, `${path}/hosts/${host}`);
    await remove(client, path);
  }
}

async function remove(client, path) {
  const { status } = await client.send('DELETE', `/scheduler/${path}`, undefined, [404, 409]);
  if (status === 409) throw new DemoFailure(`${path} is used by somebody else than the demo, so it was left alone.`);
}
