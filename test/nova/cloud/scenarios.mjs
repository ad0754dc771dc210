// What users and operators do with the cloud, through the openstack command. Each scenario removes its servers.
import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, until } from './processes.mjs';
import { newUuid } from './services.mjs';

/** Rounds until a kill hits a call. */
const KILLS = 5;
const DONE = { ACTIVE: 'ERROR', VERIFY_RESIZE: 'ERROR', SHELVED_OFFLOADED: 'ERROR', ERROR: 'ACTIVE' };

/** Calls nova-api. */
async function compute(cloud, method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${cloud.ports.nova}/v2.1${path}`, {
    method,
    headers: {
      'x-auth-token': await cloud.token(),
      'x-openstack-nova-api-version': '2.90',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, document: text === '' ? null : JSON.parse(text) };
}

const show = async (cloud, id) => (await compute(cloud, 'GET', `/servers/${id}`)).document.server;
export const hostOf = (server) => server['OS-EXT-SRV-ATTR:host'];

/** Waits until the server has the status and no task. */
export function reaches(cloud, id, status) {
  return until(
    `server ${id} ${status}`,
    async () => {
      const server = await show(cloud, id);
      if (server.status === DONE[status]) throw new Error(`it is ${server.status}: ${JSON.stringify(server.fault)}`);
      return server.status === status && server['OS-EXT-STS:task_state'] === null && server;
    },
    60,
  );
}

/** Creates a server and returns its id. */
async function create(cloud, name, ...words) {
  const made = await cloud.openstack(
    'server',
    'create',
    '--flavor',
    'small',
    '--image',
    'plain',
    '--network',
    'none',
    ...words,
    name,
  );
  return made.id;
}

/** Creates servers at the same time; returns their ids. */
async function createMany(cloud, count, hints) {
  const [flavor] = (await compute(cloud, 'GET', '/flavors')).document.flavors.filter(({ name }) => name === 'small');
  const image = (await cloud.openstack('image', 'show', 'plain')).id;
  const one = async (_, at) => {
    const server = { name: `at-once-${at}`, flavorRef: flavor.id, imageRef: image, networks: 'none' };
    const { status, document } = await compute(cloud, 'POST', '/servers', { server, ...hints });
    assert.equal(status, 202, JSON.stringify(document));
    return document.server.id;
  };
  return Promise.all(Array.from({ length: count }, one));
}

/** Waits until the server is ACTIVE or in ERROR. */
function ends(cloud, id, seconds = 60) {
  return until(
    `an end of server ${id}`,
    async () => {
      const server = await show(cloud, id);
      return ['ACTIVE', 'ERROR'].includes(server.status) && server['OS-EXT-STS:task_state'] === null && server;
    },
    seconds,
  );
}

export async function remove(cloud, ...ids) {
  for (const id of ids) await compute(cloud, 'DELETE', `/servers/${id}`);
  for (const id of ids) {
    await until(`server ${id} gone`, async () => (await compute(cloud, 'GET', `/servers/${id}`)).status === 404);
    const { document } = await cloud.berth(`/allocations/${id}`);
    assert.deepEqual(document.allocations, {}, `allocations of ${id} after its end`);
  }
}

/** The names of the root providers on which the consumer has allocations. */
async function claimedOn(cloud, id) {
  const { document } = await cloud.berth(`/allocations/${id}`);
  const names = [];
  for (const uuid of Object.keys(document.allocations)) {
    names.push((await cloud.berth(`/resource_providers/${uuid}`)).document.name);
  }
  return names.sort();
}

/** Waits until every compute reports. */
export function allUp(cloud) {
  return until('the computes', async () => {
    const { document } = await compute(cloud, 'GET', '/os-services?binary=nova-compute');
    return document.services.every(({ state, status }) => state === 'up' && status === 'enabled');
  });
}

/** Removes what a failed scenario left. */
export async function removeAll(cloud) {
  const { document } = await compute(cloud, 'GET', '/servers');
  await remove(cloud, ...document.servers.map(({ id }) => id));
}

const isBerth = ({ scheduler }) => scheduler.startsWith('berth');

/** The newest recorded decision about the instance. */
export async function decisionOf(cloud, id) {
  return until(
    `a decision about ${id}`,
    async () => {
      const { document } = await cloud.berth(`/scheduler/decisions?instance=${id}&limit=1`);
      return document.decisions[0];
    },
    10,
  );
}

async function prepare(cloud) {
  const file = join(cloud.folder, 'image.raw');
  writeFileSync(file, Buffer.alloc(65_536));
  for (const name of ['plain', 'other', 'traited']) {
    const words = name === 'traited' ? ['--property', 'trait:CUSTOM_BERTH_TRAIT=required'] : [];
    await cloud.openstack(
      'image',
      'create',
      '--disk-format',
      'raw',
      '--container-format',
      'bare',
      '--file',
      file,
      ...words,
      name,
    );
  }
  await cloud.openstack('flavor', 'create', '--vcpus', '1', '--ram', '256', '--disk', '1', 'small');
  await cloud.openstack('flavor', 'create', '--vcpus', '2', '--ram', '512', '--disk', '1', 'medium');
  await cloud.openstack('flavor', 'create', '--vcpus', '1', '--ram', '90000000', '--disk', '1', 'huge');
  await cloud.openstack(
    'flavor',
    'create',
    '--vcpus',
    '1',
    '--ram',
    '256',
    '--disk',
    '1',
    '--property',
    'aggregate_instance_extra_specs:ssd=true',
    'ssd',
  );
}

export const SCENARIOS = {
  prepare,

  async boot(cloud) {
    const id = await create(cloud, 'boot');
    const server = await reaches(cloud, id, 'ACTIVE');
    assert.deepEqual(await claimedOn(cloud, id), [hostOf(server)]);
    if (isBerth(cloud)) {
      const decision = await decisionOf(cloud, id);
      assert.equal(decision.outcome, 'placed');
      assert.deepEqual(decision.hosts, [hostOf(server)]);
    }
    await remove(cloud, id);
  },

  async 'several at once'(cloud) {
    await cloud.openstack(
      'server',
      'create',
      '--flavor',
      'small',
      '--image',
      'plain',
      '--network',
      'none',
      '--min',
      '4',
      '--max',
      '4',
      'many',
    );
    const { document } = await compute(cloud, 'GET', '/servers?name=many');
    const ids = document.servers.map(({ id }) => id);
    assert.equal(ids.length, 4);
    for (const id of ids) assert.deepEqual(await claimedOn(cloud, id), [hostOf(await reaches(cloud, id, 'ACTIVE'))]);
    await remove(cloud, ...ids);
  },

  async 'no valid host'(cloud) {
    const made = await cloud.openstack(
      'server',
      'create',
      '--flavor',
      'huge',
      '--image',
      'plain',
      '--network',
      'none',
      'huge',
    );
    const server = await reaches(cloud, made.id, 'ERROR');
    assert.match(server.fault.message, /^No valid host was found\./);
    assert.ok(!server.fault.message.includes('\n'));
    if (isBerth(cloud)) assert.match(server.fault.message, /req-/);
    await remove(cloud, made.id);
  },

  async 'anti-affinity and affinity'(cloud) {
    const apart = (await cloud.openstack('server', 'group', 'create', '--policy', 'anti-affinity', 'apart')).id;
    const ids = [];
    for (const name of ['a1', 'a2', 'a3', 'a4']) ids.push(await create(cloud, name, '--hint', `group=${apart}`));
    const hosts = [];
    const failed = [];
    for (const id of ids) {
      const server = await ends(cloud, id);
      (server.status === 'ACTIVE' ? hosts : failed).push(hostOf(server) ?? id);
    }
    assert.deepEqual(hosts.sort(), [...cloud.computes]);
    assert.equal(failed.length, 1);
    await remove(cloud, ...ids);
    const together = (await cloud.openstack('server', 'group', 'create', '--policy', 'affinity', 'together')).id;
    const both = [];
    for (const name of ['t1', 't2']) {
      both.push(await create(cloud, name, '--hint', `group=${together}`));
      await reaches(cloud, both.at(-1), 'ACTIVE');
    }
    const [one, other] = await Promise.all(both.map((id) => show(cloud, id)));
    assert.equal(hostOf(one), hostOf(other));
    await remove(cloud, ...both);
  },

  async 'resize, confirm and revert'(cloud) {
    const id = await create(cloud, 'resize');
    const before = hostOf(await reaches(cloud, id, 'ACTIVE'));
    await cloud.openstackQuiet('server', 'resize', '--flavor', 'medium', id);
    const resized = hostOf(await reaches(cloud, id, 'VERIFY_RESIZE'));
    assert.notEqual(resized, before);
    await cloud.openstackQuiet('server', 'resize', 'confirm', id);
    await reaches(cloud, id, 'ACTIVE');
    assert.deepEqual(await claimedOn(cloud, id), [resized]);
    await cloud.openstackQuiet('server', 'resize', '--flavor', 'small', id);
    await reaches(cloud, id, 'VERIFY_RESIZE');
    await cloud.openstackQuiet('server', 'resize', 'revert', id);
    assert.equal(hostOf(await reaches(cloud, id, 'ACTIVE')), resized);
    assert.deepEqual(await claimedOn(cloud, id), [resized]);
    await remove(cloud, id);
  },

  async 'cold migration'(cloud) {
    const id = await create(cloud, 'cold');
    const before = hostOf(await reaches(cloud, id, 'ACTIVE'));
    await cloud.openstackQuiet('server', 'migrate', id);
    assert.notEqual(hostOf(await reaches(cloud, id, 'VERIFY_RESIZE')), before);
    await cloud.openstackQuiet('server', 'migration', 'confirm', id);
    await reaches(cloud, id, 'ACTIVE');
    await remove(cloud, id);
  },

  async 'live migration'(cloud) {
    const id = await create(cloud, 'live');
    const before = hostOf(await reaches(cloud, id, 'ACTIVE'));
    await cloud.openstackQuiet('server', 'migrate', '--live-migration', id);
    const after = await until('the move', async () => {
      const server = await show(cloud, id);
      return (
        server.status === 'ACTIVE' &&
        server['OS-EXT-STS:task_state'] === null &&
        hostOf(server) !== before &&
        hostOf(server)
      );
    });
    await until('one allocation', async () => (await claimedOn(cloud, id)).join() === after, 20);
    await remove(cloud, id);
  },

  async 'shelve and unshelve'(cloud) {
    const id = await create(cloud, 'shelve');
    await reaches(cloud, id, 'ACTIVE');
    await cloud.openstackQuiet('server', 'shelve', '--offload', id);
    await reaches(cloud, id, 'SHELVED_OFFLOADED');
    // The compute removes the allocations after it saved the status.
    await until('no allocations', async () => (await claimedOn(cloud, id)).length === 0, 20);
    await cloud.openstackQuiet('server', 'unshelve', id);
    assert.deepEqual(await claimedOn(cloud, id), [hostOf(await reaches(cloud, id, 'ACTIVE'))]);
    await remove(cloud, id);
  },

  async 'rebuild with another image'(cloud) {
    const id = await create(cloud, 'rebuild');
    const before = hostOf(await reaches(cloud, id, 'ACTIVE'));
    await cloud.openstack('server', 'rebuild', '--image', 'other', id);
    await sleep(1_000);
    assert.equal(hostOf(await reaches(cloud, id, 'ACTIVE')), before);
    await remove(cloud, id);
  },

  async 'aggregate for a flavor, trait of an image'(cloud) {
    await cloud.openstack('aggregate', 'create', '--property', 'ssd=true', '--zone', 'fast', 'ssd');
    await cloud.openstack('aggregate', 'add', 'host', 'ssd', 'cn2');
    const made = await cloud.openstack(
      'server',
      'create',
      '--flavor',
      'ssd',
      '--image',
      'plain',
      '--network',
      'none',
      'on-ssd',
    );
    assert.equal(hostOf(await reaches(cloud, made.id, 'ACTIVE')), 'cn2');
    const zoned = await create(cloud, 'in-zone', '--availability-zone', 'fast');
    assert.equal(hostOf(await reaches(cloud, zoned, 'ACTIVE')), 'cn2');
    const providers = await cloud.openstack('resource', 'provider', 'list', '--name', 'cn3');
    await cloud.openstack('trait', 'create', 'CUSTOM_BERTH_TRAIT').catch(() => null);
    const { document } = await cloud.berth(`/resource_providers/${providers[0].uuid}/traits`);
    const traits = [...document.traits, 'CUSTOM_BERTH_TRAIT'];
    await cloud.berth('/traits/CUSTOM_BERTH_TRAIT', { method: 'PUT' });
    const body = { resource_provider_generation: document.resource_provider_generation, traits };
    assert.equal(
      (await cloud.berth(`/resource_providers/${providers[0].uuid}/traits`, { method: 'PUT', body })).status,
      200,
    );
    const traited = await cloud.openstack(
      'server',
      'create',
      '--flavor',
      'small',
      '--image',
      'traited',
      '--network',
      'none',
      'traited',
    );
    assert.equal(hostOf(await reaches(cloud, traited.id, 'ACTIVE')), 'cn3');
    await remove(cloud, made.id, zoned, traited.id);
    await cloud.openstackQuiet('aggregate', 'remove', 'host', 'ssd', 'cn2');
    await cloud.openstackQuiet('aggregate', 'delete', 'ssd');
  },

  async 'a disabled host'(cloud) {
    for (const host of ['cn1', 'cn2'])
      await cloud.openstackQuiet(
        'compute',
        'service',
        'set',
        '--disable',
        '--disable-reason',
        'berth',
        host,
        'nova-compute',
      );
    const id = await create(cloud, 'elsewhere');
    assert.equal(hostOf(await reaches(cloud, id, 'ACTIVE')), 'cn3');
    for (const host of ['cn1', 'cn2'])
      await cloud.openstackQuiet('compute', 'service', 'set', '--enable', host, 'nova-compute');
    await remove(cloud, id);
  },

  async evacuate(cloud) {
    const id = await create(cloud, 'evacuate');
    const before = hostOf(await reaches(cloud, id, 'ACTIVE'));
    await cloud.endService(before, 'SIGKILL');
    await cloud.openstackQuiet('compute', 'service', 'set', '--down', before, 'nova-compute');
    // `openstack server evacuate` of this release cannot print its answer.
    assert.equal((await compute(cloud, 'POST', `/servers/${id}/action`, { evacuate: {} })).status, 200);
    const after = await until(
      'the evacuation',
      async () => {
        const server = await show(cloud, id);
        return server['OS-EXT-STS:task_state'] === null && hostOf(server) !== before && hostOf(server);
      },
      60,
    );
    assert.deepEqual(await claimedOn(cloud, id), [after, before].sort());
    cloud.startCompute(before);
    // nova refuses while the compute still has evacuations to finish.
    const raise = () => cloud.openstackQuiet('compute', 'service', 'set', '--up', before, 'nova-compute');
    await until('the service is up again', () => raise().then(() => true), 60);
    await until('the source gives its part back', async () => (await claimedOn(cloud, id)).join() === after, 60);
    await remove(cloud, id);
  },

  async 'the switch to nova-scheduler and back'(cloud) {
    if (cloud.scheduler !== 'berth') return;
    const servers = [];
    const createOne = async (name) => {
      servers.push(await create(cloud, name));
      return reaches(cloud, servers.at(-1), 'ACTIVE');
    };
    await createOne('by-berth');
    await cloud.switchTo('nova');
    await createOne('by-nova');
    const check = await cloud.berthCommand('scheduler', 'check');
    assert.equal(check.status, 0, check.output);
    assert.match(check.output, /Queue scheduler has 1 consumer/);
    await cloud.switchTo('berth');
    await createOne('by-berth-again');
    assert.equal((await decisionOf(cloud, servers.at(-1))).outcome, 'placed');
    await sleep(6_000);
    const audit = await cloud.berthCommand('audit');
    assert.equal(audit.status, 0, audit.output);
    // An allocation that nova lost track of, and one that it expects.
    const [kept, robbed] = servers;
    const { document } = await cloud.berth(`/allocations/${kept}`);
    const orphan = newUuid();
    const { project_id, user_id, consumer_type } = document;
    const claim = (allocations, consumer_generation) => ({
      allocations,
      project_id,
      user_id,
      consumer_type,
      consumer_generation,
    });
    const bare = Object.fromEntries(
      Object.entries(document.allocations).map(([uuid, { resources }]) => [uuid, { resources }]),
    );
    const made = await cloud.berth(`/allocations/${orphan}`, { method: 'PUT', body: claim(bare, null) });
    assert.equal(made.status, 204, JSON.stringify(made.document));
    assert.equal((await cloud.berth(`/allocations/${robbed}`, { method: 'DELETE' })).status, 204);
    const found = await cloud.berthCommand('audit', '--fix');
    assert.match(found.output, new RegExp(orphan));
    assert.match(found.output, new RegExp(robbed));
    assert.deepEqual(await claimedOn(cloud, orphan), []);
    assert.deepEqual(await claimedOn(cloud, robbed), [hostOf(await show(cloud, robbed))]);
    const clean = await cloud.berthCommand('audit');
    assert.equal(clean.status, 0, clean.output);
    await remove(cloud, ...servers);
  },

  async 'a broker that restarts'(cloud) {
    await cloud.endService('rabbit');
    await cloud.startRabbit();
    await until('the consumers are back', () => cloud.hasScheduler(), 60);
    const id = await create(cloud, 'after-restart');
    await reaches(cloud, id, 'ACTIVE');
    await remove(cloud, id);
  },

  async 'a race of a group through two schedulers'(cloud) {
    if (cloud.scheduler !== 'berth') return;
    await cloud.startScheduler('second');
    for (let round = 0; round < 3; round += 1) {
      const group = (await cloud.openstack('server', 'group', 'create', '--policy', 'anti-affinity', `race-${round}`))
        .id;
      const servers = await createMany(cloud, 8, { 'os:scheduler_hints': { group } });
      const ended = await Promise.all(servers.map((id) => ends(cloud, id)));
      const hosts = ended.filter(({ status }) => status === 'ACTIVE').map(hostOf);
      assert.equal(new Set(hosts).size, hosts.length, `a host twice: ${hosts.join()}`);
      assert.equal(hosts.length, cloud.computes.length);
      await remove(cloud, ...servers);
    }
    await cloud.endService('second');
  },

  async 'a scheduler that is killed with calls in flight'(cloud) {
    if (cloud.scheduler !== 'berth') return;
    let lost = 0;
    for (let round = 0; round < KILLS && lost === 0; round += 1) {
      await cloud.startScheduler('second');
      // While the first is stopped, every record is of the second.
      cloud.signal('scheduler', 'SIGSTOP');
      const making = createMany(cloud, 12, {});
      const isDeciding = async () => (await cloud.sql('SELECT 1 FROM nova_calls', 'placement')).length > 0;
      await until('a call in flight', isDeciding, 60, 5);
      await cloud.endService('second', 'SIGKILL');
      cloud.signal('scheduler', 'SIGCONT');
      const servers = await making;
      const ended = await Promise.all(servers.map((id) => ends(cloud, id, 120)));
      for (const server of ended) {
        const wanted = server.status === 'ACTIVE' ? hostOf(server) : '';
        // A claim of a lost call is released after the call has expired.
        const isSo = async () => (await claimedOn(cloud, server.id)).join() === wanted;
        await until(`the claim of ${server.id} is on '${wanted}'`, isSo, 180);
      }
      lost += ended.filter(({ status }) => status !== 'ACTIVE').length;
      await remove(cloud, ...servers);
    }
    process.stdout.write(`          ${lost} calls were lost with the process\n`);
  },
};
