// The cloud that `npm run demo -- --keep` leaves: its hosts stay up, a rack is full, a project has hosts of its own, a
// flavor needs a trait that no host has, one host no longer reports, and instances come and go.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoValidHost, Unanswered, Unreachable } from '../client/dist/index.js';
import { expand, OWNER, uuidOf } from './cluster.mjs';
import { hostsOf, removeAggregate, reportOf } from './registry.mjs';
import { remove, wasThere } from './service.mjs';
import { count, faint, say } from './terminal.mjs';

/** Instances that come and go stay between these numbers. */
const FEWEST = 20;
const MOST = 80;
const PAGE = 1_000;
/** How long the service can be away, for example for an upgrade. */
const PATIENCE_MS = 600_000;

/** Replaces the residents, which only Placement knows, by instances, and lets the service report the hosts. */
export async function settle(client, cluster, { living }) {
  for (const { name, ...flavor } of living.flavors)
    await client.flavors.put(uuidOf('flavor', name), { name, ...flavor });
  for (const name of living.traits) await client.traits.create(name);
  for (const host of hostsOf(cluster)) {
    if (host.name === living.silent) continue;
    await client.hosts.report(host.name, host.name, { ...reportOf(host), stats: { berth_virtual: 'true' } });
  }
  let placed = 0;
  for (const { hosts, flavor, each } of living.residents) {
    for (const host of expand(hosts)) {
      for (let at = 0; at < each; at += 1) {
        const request = { flavor, requested_destination: { host } };
        if (await isPlaced(client, OWNER.project_id, uuidOf('living', `${host}/${at}`), request)) placed += 1;
      }
    }
  }
  for (const { name, hosts, metadata = {} } of living.host_aggregates) {
    await client.hostAggregates.put(uuidOf('aggregate', name), { name, metadata, hosts: expand(hosts) });
  }
  return placed;
}

/** Places or releases an instance every `paceMs`. Ends only if the service does not answer for `patienceMs`. */
export async function live(client, { living }, paceMs, patienceMs = PATIENCE_MS) {
  const running = [];
  let failingSince;
  for (;;) {
    const isComing = running.length < FEWEST || (running.length < MOST && Math.random() < 0.5);
    try {
      if (isComing) await come(client, draw(living.requests), randomUUID(), running);
      else await go(client, running);
      if (failingSince !== undefined) say(faint('  The service answers again'));
      failingSince = undefined;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (failingSince === undefined)
        say(faint(`  No answer (${error.message}); trying again for ${patienceMs / 1_000} s`));
      failingSince ??= performance.now();
      if (performance.now() - failingSince > patienceMs) throw error;
    }
    await sleep(paceMs);
  }
}

/** A restart of the service causes these. */
const isTransient = (error) =>
  error instanceof Unreachable || error instanceof Unanswered || [502, 503, 504].includes(error.status);

async function come(client, { flavor, project }, uuid, running) {
  const host = await hostOf(client, project, uuid, { flavor });
  if (host !== null) running.push(uuid);
  say(host === null ? `  ${flavor} for ${project}: no valid host` : `  ${flavor} for ${project}: on ${host}`);
}

async function go(client, running) {
  const at = Math.floor(Math.random() * running.length);
  const uuid = running[at];
  await wasThere(client.scheduler.instances.release(uuid));
  running.splice(at, 1);
  say(faint(`  ${uuid} is gone; ${count(running.length, 'instance')} left`));
}

function draw(requests) {
  let left = Math.random() * requests.reduce((sum, { share }) => sum + share, 0);
  return requests.find(({ share }) => (left -= share) < 0) ?? requests[0];
}

const isPlaced = async (...request) => (await hostOf(...request)) !== null;

/** The host of the new instance, or null if no host is valid. */
async function hostOf(client, project, uuid, request) {
  const instance_names = { [uuid]: `${request.flavor.replace('demo-', '')}-${uuid.slice(0, 4)}` };
  const body = { ...OWNER, project_id: project, ...request, instances: [uuid], instance_names, explain: 'none' };
  try {
    const { selections } = await client.scheduler.selectDestinations(body);
    return selections[0].selected.host;
  } catch (error) {
    if (error instanceof NoValidHost) return null;
    throw error;
  }
}

/** Releases all instances of the demo's user. Returns the number of released instances. */
export async function releaseLiving(client) {
  let released = 0;
  for (;;) {
    const query = new URLSearchParams({ user_id: OWNER.user_id, limit: String(PAGE) });
    const { instances } = await client.scheduler.instances.list(query);
    const before = released;
    for (const { uuid } of instances) if (await wasThere(client.scheduler.instances.release(uuid))) released += 1;
    if (released === before) return released;
  }
}

export async function removeLiving(client, { living }) {
  for (const { name } of living.host_aggregates) await removeAggregate(client, name);
  for (const { name } of living.flavors) await remove(name, client.flavors.delete(uuidOf('flavor', name)));
}

/** After the hosts are removed, because their user can have set the traits on them. */
export async function removeTraits(client, { living }) {
  for (const name of living.traits) await wasThere(client.traits.delete(name));
}
