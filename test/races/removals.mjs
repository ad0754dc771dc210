// Removes objects while other requests refer to them: flavors, images, server groups, host aggregates, services,
// traits, classes, providers, and servers of the practice cloud. There are few objects of each kind, so an object is
// often gone between its lookup and the write. Every such conflict must be a client error: no answer is a server error.
import { randomUUID } from 'node:crypto';

const REQUESTS = 120;
/** Requests in flight: more than the connections of a pool, fewer than its queue takes. */
const AT_ONCE = 24;
const HOSTS = ['races-h1', 'races-h2', 'races-h3'];
const FLAVORS = ['races-f1', 'races-f2'];
const IMAGES = ['bbbbbbbb-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
const GROUPS = ['cccccccc-0000-4000-8000-000000000001', 'cccccccc-0000-4000-8000-000000000002'];
const AGGREGATES = ['dddddddd-0000-4000-8000-000000000001', 'dddddddd-0000-4000-8000-000000000002'];
const PROVIDERS = ['eeeeeeee-0000-4000-8000-000000000001', 'eeeeeeee-0000-4000-8000-000000000002'];
const INSTANCES = Array.from({ length: 6 }, (_, at) => `ffffffff-0000-4000-8000-00000000000${at}`);
const NAMES = ['CUSTOM_RACES_1', 'CUSTOM_RACES_2'];
const PROJECTS = ['races-p1', 'races-p2'];

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const COMPUTE = { 'openstack-api-version': 'compute 2.1' };
const DESCRIBING = { 'openstack-api-version': 'compute 2.55' };
const VCPU = { total: 100_000 };

const report = (cloud, host) =>
  cloud.call('PUT', `/scheduler/hosts/${host}/${host}`, {
    report_providers: true,
    vcpus_total: 64,
    memory_mb: 100_000,
    local_gb: 1_000,
    free_disk_gb: 1_000,
    free_ram_mb: 100_000 - Math.floor(Math.random() * 9),
  });
const compute = (cloud, method, path, body, headers = COMPUTE) =>
  cloud.call(method, `/compute/v2.1/${path}`, body, headers);
const flavorBody = (name) => ({ name, vcpus: 1, memory_mb: 1, root_gb: 0, ephemeral_gb: 0, swap: 0 });

async function generationOf(cloud, provider) {
  return (await cloud.call('GET', `/resource_providers/${provider}`)).json?.generation ?? 0;
}

async function serverOf(cloud) {
  const { json } = await compute(cloud, 'GET', 'servers');
  return pick(json?.servers ?? [])?.id ?? randomUUID();
}

/** Each action refers to an object in a write, or removes an object. */
const DEEDS = {
  'make a flavor': (cloud) => {
    const id = pick(FLAVORS);
    return cloud.call('POST', '/scheduler/flavors', { id, ...flavorBody(id) });
  },
  'make a flavor by the Compute API': (cloud) => {
    const id = pick(FLAVORS);
    const flavor = { id, name: id, ram: 1, vcpus: 1, disk: 0, 'os-flavor-access:is_public': false };
    return compute(cloud, 'POST', 'flavors', { flavor });
  },
  'remove a flavor': (cloud) => cloud.call('DELETE', `/scheduler/flavors/${pick(FLAVORS)}`),
  'remove a flavor by the Compute API': (cloud) => compute(cloud, 'DELETE', `flavors/${pick(FLAVORS)}`),
  'describe a flavor': (cloud) =>
    compute(cloud, 'PUT', `flavors/${pick(FLAVORS)}`, { flavor: { description: 'races' } }, DESCRIBING),
  'change a flavor': (cloud) =>
    compute(cloud, 'POST', `flavors/${pick(FLAVORS)}/os-extra_specs`, { extra_specs: { races: 'yes' } }),
  'let a project at a flavor': (cloud) =>
    compute(cloud, 'POST', `flavors/${pick(FLAVORS)}/action`, {
      [pick(['addTenantAccess', 'addTenantAccess', 'removeTenantAccess'])]: { tenant: pick(PROJECTS) },
    }),
  'make an image': (cloud) => cloud.call('POST', '/scheduler/images', { uuid: pick(IMAGES), name: pick(NAMES) }),
  'make an image by the Image API': (cloud) =>
    cloud.call('POST', '/image/v2/images', {
      id: pick(IMAGES),
      name: 'races',
      disk_format: 'raw',
      container_format: 'bare',
    }),
  'remove an image': (cloud) => cloud.call('DELETE', `/scheduler/images/${pick(IMAGES)}`),
  'remove an image by the Image API': (cloud) => cloud.call('DELETE', `/image/v2/images/${pick(IMAGES)}`),
  'make a group': (cloud) =>
    cloud.call('POST', '/scheduler/server_groups', {
      uuid: pick(GROUPS),
      name: pick(NAMES),
      policy: pick(['affinity', 'soft-anti-affinity']),
      ...(Math.random() < 0.2 && { members: [pick(INSTANCES)] }),
    }),
  'remove a group': (cloud) => cloud.call('DELETE', `/scheduler/server_groups/${pick(GROUPS)}`),
  'make a host aggregate': (cloud) =>
    cloud.call('POST', '/scheduler/host_aggregates', {
      uuid: pick(AGGREGATES),
      name: pick(NAMES),
      metadata: { races: 'yes' },
      hosts: [pick(HOSTS)],
    }),
  'change a host aggregate': (cloud) =>
    cloud.call('POST', `/scheduler/host_aggregates/${pick(AGGREGATES)}/hosts`, { host: pick(HOSTS) }),
  'empty a host aggregate': (cloud) =>
    cloud.call('DELETE', `/scheduler/host_aggregates/${pick(AGGREGATES)}/hosts/${pick(HOSTS)}`),
  'remove a host aggregate': (cloud) => cloud.call('DELETE', `/scheduler/host_aggregates/${pick(AGGREGATES)}`),
  'report a host': (cloud) => report(cloud, pick(HOSTS)),
  'remove a service': (cloud) => cloud.call('DELETE', `/scheduler/services/${pick(HOSTS)}`),
  'switch a service': (cloud) =>
    cloud.call('PATCH', `/scheduler/services/${pick(HOSTS)}`, { status: pick(['enabled', 'enabled', 'disabled']) }),
  'place an instance': (cloud) =>
    cloud.call('POST', '/scheduler/select_destinations', {
      instances: [pick(INSTANCES)],
      flavor: pick(FLAVORS),
      project_id: 'races',
      user_id: 'races',
      ...(Math.random() < 0.7 && { image: pick(IMAGES) }),
      ...(Math.random() < 0.4 && { instance_group: pick(GROUPS) }),
      ...(Math.random() < 0.3 && { ignore_hosts: [pick(HOSTS)] }),
    }),
  'place new instances': (cloud) =>
    cloud.call('POST', '/scheduler/select_destinations', {
      num_instances: 2,
      flavor: pick(FLAVORS),
      image: pick(IMAGES),
      project_id: 'races',
      user_id: 'races',
    }),
  'move an instance': (cloud) => {
    const move = pick([{ type: 'cold_migrate' }, { type: 'resize', flavor: pick(FLAVORS) }, { type: 'live_migrate' }]);
    return cloud.call('POST', `/scheduler/instances/${pick(INSTANCES)}/move`, move);
  },
  'end a move': (cloud) =>
    cloud.call('POST', `/scheduler/instances/${pick(INSTANCES)}/${pick(['confirm_move', 'revert_move'])}`),
  'fail to build an instance': (cloud) =>
    cloud.call('POST', `/scheduler/instances/${pick(INSTANCES)}/build_failed`, { host: pick(HOSTS) }),
  'release an instance': (cloud) => cloud.call('DELETE', `/scheduler/instances/${pick(INSTANCES)}`),
  'release an instance behind its back': (cloud) => cloud.call('DELETE', `/allocations/${pick(INSTANCES)}`),
  'make a server': (cloud) =>
    compute(cloud, 'POST', 'servers', {
      server: { name: 'races', flavorRef: pick(FLAVORS), imageRef: pick(IMAGES), max_count: pick([1, 2]) },
    }),
  'remove a server': async (cloud) => compute(cloud, 'DELETE', `servers/${await serverOf(cloud)}`),
  'do something to a server': async (cloud) => {
    const action = pick([
      { lock: null },
      { unlock: null },
      { 'os-stop': null },
      { 'os-start': null },
      { shelve: null },
      { unshelve: null },
      { confirmResize: null },
      { revertResize: null },
      { migrate: null },
      { rebuild: { imageRef: pick(IMAGES) } },
      { resize: { flavorRef: pick(FLAVORS) } },
    ]);
    return compute(cloud, 'POST', `servers/${await serverOf(cloud)}/action`, action);
  },
  'make a trait': (cloud) => cloud.call('PUT', `/traits/${pick(NAMES)}`),
  'remove a trait': (cloud) => cloud.call('DELETE', `/traits/${pick(NAMES)}`),
  'make a class': (cloud) => cloud.call('PUT', `/resource_classes/${pick(NAMES)}`),
  'remove a class': (cloud) => cloud.call('DELETE', `/resource_classes/${pick(NAMES)}`),
  'make a provider': (cloud) => {
    const uuid = pick(PROVIDERS);
    const parent = Math.random() < 0.3 ? { parent_provider_uuid: pick(PROVIDERS) } : {};
    return cloud.call('POST', '/resource_providers', { uuid, name: pick(NAMES), ...parent });
  },
  'remove a provider': (cloud) => cloud.call('DELETE', `/resource_providers/${pick(PROVIDERS)}`),
  'replace inventories': async (cloud) => {
    const provider = pick(PROVIDERS);
    const inventories = { [pick(NAMES)]: VCPU, ...(Math.random() < 0.5 && { VCPU }) };
    const body = { resource_provider_generation: await generationOf(cloud, provider), inventories };
    return cloud.call('PUT', `/resource_providers/${provider}/inventories`, body);
  },
  'add an inventory': (cloud) =>
    cloud.call('POST', `/resource_providers/${pick(PROVIDERS)}/inventories`, { resource_class: pick(NAMES), ...VCPU }),
  'remove inventories': (cloud) => cloud.call('DELETE', `/resource_providers/${pick(PROVIDERS)}/inventories`),
  'replace traits': async (cloud) => {
    const provider = pick(PROVIDERS);
    const body = { resource_provider_generation: await generationOf(cloud, provider), traits: [pick(NAMES)] };
    return cloud.call('PUT', `/resource_providers/${provider}/traits`, body);
  },
  'remove traits': (cloud) => cloud.call('DELETE', `/resource_providers/${pick(PROVIDERS)}/traits`),
  'replace aggregates': async (cloud) => {
    const provider = pick(PROVIDERS);
    const body = { resource_provider_generation: await generationOf(cloud, provider), aggregates: [pick(AGGREGATES)] };
    return cloud.call('PUT', `/resource_providers/${provider}/aggregates`, body);
  },
  reshape: async (cloud) => {
    const provider = pick(PROVIDERS);
    const set = {
      resource_provider_generation: await generationOf(cloud, provider),
      inventories: { [pick(NAMES)]: VCPU },
    };
    return cloud.call('POST', '/reshaper', { inventories: { [provider]: set }, allocations: {} });
  },
  allocate: (cloud) => cloud.claim(randomUUID(), { [pick(PROVIDERS)]: { [pick([...NAMES, 'VCPU'])]: 1 } }, null),
};

/** Runs all actions, or those that `isWanted` selects, until `isOver`; returns how often each got each status. */
export async function doDeeds(cloud, isOver, isWanted = () => true) {
  const answers = {};
  const deeds = Object.keys(DEEDS).filter(isWanted);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (!isOver()) {
        const deed = pick(deeds);
        const { status } = await DEEDS[deed](cloud);
        const counts = (answers[deed] ??= {});
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }),
  );
  return answers;
}

export async function roundOfRemovals(cloud) {
  for (const host of HOSTS) await report(cloud, host);
  let left = REQUESTS;
  await doDeeds(cloud, () => (left -= 1) < 0);
  return [];
}
