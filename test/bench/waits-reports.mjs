// The worst requests for reports, the stream of changes and the console: cases as in waits-cases.mjs.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { addChanges } from './loaders.mjs';
import { Client } from './meter.mjs';
import { providerUuid } from './worlds.mjs';

const ZONES = 3;
const AGGREGATES = 300;
const FLAVORS = 30;
const REPORTED_EACH = 4;
const REFUSALS = 200;
/** Streams that one user can open, and the number of streams in the benchmark. */
const STREAMS_OF_USER = 20;
const STREAMS = 200;
const WRITES_PER_SECOND = 20;

const numbers = (count) => Array.from({ length: count }, (_, at) => at);
const get = (path) => (client) => client.send('GET', path);

async function ask(client, method, path, body) {
  const answer = await client.send(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text().slice(0, 500)}`);
  return JSON.parse(answer.text() || '{}');
}

async function each(count, work, atOnce = 8) {
  let next = 0;
  const go = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(numbers(atOnce).map(go));
}

/** Creates host aggregates and zones, flavors, hosts that report, and decisions that found no host. */
async function describe({ made, service, users }) {
  const client = new Client(service, { connections: 8, headers: users.quiet });
  const roots = made.providers.filter(({ name }) => name.startsWith('flat-'));
  const size = Math.floor(roots.length / AGGREGATES);
  const aggregate = (at) => ({
    name: `aggregate-${at}`,
    metadata: { availability_zone: `zone-${at % ZONES}` },
    hosts: roots.slice(at * size, (at + 1) * size).map(({ name }) => name),
  });
  // One after the other, because all of them take the same lock.
  await each(AGGREGATES, (at) => ask(client, 'POST', '/scheduler/host_aggregates', aggregate(at)), 1);
  await each(FLAVORS, (at) =>
    ask(client, 'POST', '/scheduler/flavors', {
      id: `flavor-${at}`,
      name: `flavor-${at}`,
      vcpus: 1 + (at % 8),
      memory_mb: 1024 * (1 + (at % 16)),
      root_gb: at % 5,
    }),
  );
  const report = (at) => {
    const { uuid, name } = roots[at * REPORTED_EACH];
    return ask(client, 'PUT', `/scheduler/hosts/${name}/${name}`, { uuid, vcpus_total: 32 });
  };
  await each(Math.floor(roots.length / REPORTED_EACH), report, 1);
  await each(REFUSALS, (at) =>
    client.send('POST', '/scheduler/select_destinations', {
      project_id: 'bench',
      user_id: 'bench',
      num_instances: 1,
      explain: 'none',
      flavor: { vcpus: 1, memory_mb: 1024, root_gb: 0, extra_specs: { [`trait:CUSTOM_BENCH_${at % 60}`]: 'required' } },
      availability_zone: `zone-${at % (2 * ZONES)}`,
    }),
  );
  client.close();
}

/** Repeats the request until `isSettled` accepts the answer. */
const settled = (path, isSettled) => async (client) => {
  for (;;) {
    const answer = await client.send('GET', path);
    if (answer.status !== 200 || isSettled(JSON.parse(answer.text()))) return answer;
    await pause(100);
  }
};

/** Opens `count` streams, each user with as many as allowed. It counts the received events and does not keep them. */
async function openStreams({ service, users }, count, position) {
  const { hostname: host, port } = new URL(service);
  const query = position === undefined ? '' : `?position=${encodeURIComponent(position)}`;
  const heard = { streams: 0, refused: 0, bytes: 0, events: 0, position: undefined };
  const open = (at) =>
    new Promise((resolve) => {
      const name = `watcher-${Math.floor(at / STREAMS_OF_USER)}:bench`;
      const headers = { ...users.worst, ...(users.worst['x-auth-token'].includes(':') && { 'x-auth-token': name }) };
      const request = http.get({ host, port, path: `/reports/changes${query}`, headers, agent: false }, (answer) => {
        if (answer.statusCode === 200) heard.streams += 1;
        else heard.refused += 1;
        answer.setEncoding('utf8').on('data', (text) => {
          heard.bytes += text.length;
          heard.events += text.split('event: change').length - 1;
          heard.position = /^id: (\S+)$/m.exec(text)?.[1] ?? heard.position;
          resolve(request);
        });
        answer.on('error', () => undefined).on('end', () => resolve(request));
      });
      request.on('error', () => resolve(request));
    });
  const requests = await Promise.all(numbers(count).map(open));
  const close = () => requests.forEach((request) => request.destroy());
  return { heard, close };
}

/**
 * Sends writes at a steady rate while the streams listen. The writes change traits, so each event carries a whole tree.
 */
const listening = (streams, ms) => async (client, world) => {
  const { heard, close } = await openStreams(world, streams);
  const { providers } = world.made;
  let failed = 0;
  const writes = [];
  for (const [began, count] = [performance.now(), (ms / 1_000) * WRITES_PER_SECOND]; writes.length < count;) {
    const number = writes.length;
    const provider = providers[(number * 7_919) % (providers.length - 1)];
    writes.push(touch(world, client, provider, number).catch(() => (failed += 1)));
    await pause(Math.max(0, began + ((number + 1) * 1_000) / WRITES_PER_SECOND - performance.now()));
  }
  await Promise.all(writes);
  // Waits for the last events.
  await pause(500);
  close();
  const reported = `${heard.streams} streams heard ${heard.events} changes, ${failed} writes failed`;
  return { status: heard.refused > 0 ? `${heard.refused} refused` : reported, bytes: heard.bytes };
};

/** Adds or removes a trait of a provider. Other clients claim meanwhile, so it reads the generation first. */
async function touch({ service, users }, _client, { uuid }, number) {
  const client = new Client(service, { headers: users.quiet, keepAlive: false });
  const path = `/resource_providers/${uuid}/traits`;
  const { traits, resource_provider_generation: generation } = await ask(client, 'GET', path);
  const others = traits.filter((name) => name !== 'HW_CPU_X86_SGX');
  const next = number % 2 === 0 || others.length === traits.length ? [...others, 'HW_CPU_X86_SGX'] : others;
  await ask(client, 'PUT', path, { traits: next, resource_provider_generation: generation });
  client.close();
}

/** All streams reconnect at once after the largest number of missed changes: each is served from the log. */
const comingBack = (streams, changes, kind) => async (_client, world) => {
  const before = await openStreams(world, 1);
  const { position } = before.heard;
  before.close();
  await addChanges(world.url, world.made, changes, kind);
  const { heard, close } = await openStreams(world, streams, position);
  close();
  return { status: `${heard.streams} streams, ${heard.events} changes, ${heard.refused} refused`, bytes: heard.bytes };
};

/** Every file that the page names, and the files that these name, repeatedly, by several clients at once. */
const consoleFiles =
  (clients, rounds, encoding) =>
  async (_client, { service, users }) => {
    const headers = { ...users.quiet, 'accept-encoding': encoding };
    const one = new Client(service, { headers: { ...headers, 'accept-encoding': 'identity' } });
    const page = await one.send('GET', '/console/');
    const paths = new Set(['/console/']);
    for (const [, path] of page.text().matchAll(/(?:src|href)="([^"]+)"/g)) paths.add(path);
    for (const path of [...paths].filter((each) => each.endsWith('.js'))) {
      const text = (await one.send('GET', path)).text();
      for (const [, name] of text.matchAll(/["'`](?:\.\/|assets\/)([\w-]+\.(?:js|css))["'`]/g)) {
        paths.add(`/console/assets/${name}`);
      }
    }
    one.close();
    let bytes = 0;
    const statuses = new Map();
    const visit = async () => {
      const client = new Client(service, { connections: 6, headers });
      for (const path of numbers(rounds).flatMap(() => [...paths])) {
        const answer = await client.send('GET', path);
        bytes += answer.bytes;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      client.close();
    };
    await Promise.all(numbers(clients).map(visit));
    return { status: [...statuses].map(([status, times]) => `${times} × ${status}`).join(', '), bytes };
  };

export const REPORT_WAITS = [
  {
    world: 'flat',
    hosts: 10_000,
    prepare: describe,
    cases: [
      ['report: capacity', get('/reports/capacity')],
      ['report: capacity by trait', get('/reports/capacity?group_by=trait')],
      ['report: capacity by host aggregate', get('/reports/capacity?group_by=host_aggregate')],
      ['report: 1 000 hosts by use', get('/reports/hosts?sort=-use:VCPU')],
      ['report: 1 000 hosts by instances', get('/reports/hosts?sort=-instances')],
      ['report: hosts with room for a flavor', get('/reports/hosts?flavor=flavor-3')],
      ['report: map', get('/reports/map')],
      ['report: map by use', get('/reports/map?resource_class=VCPU')],
      ['report: map by flavor', get('/reports/map?flavor=flavor-3')],
      ['report: flavors', settled('/reports/flavors', ({ state }) => state !== 'computing')],
      ['report: advice', settled('/reports/advice', ({ state }) => state !== 'computing')],
      ['report: refusals of a week', get('/reports/refusals?hours=168')],
      ['report: one host', get(`/reports/hosts/${providerUuid(5_001)}`)],
      ['decisions, a page', get('/scheduler/decisions')],
      ['stream: 20 writes a second, no listener', listening(0, 10_000)],
      [`stream: 20 writes a second, ${STREAMS} listen`, listening(STREAMS, 10_000)],
      [`stream: ${STREAMS} come back behind 2 000 of usage`, comingBack(STREAMS, 2_000, 'usage')],
      [`stream: ${STREAMS} come back behind 2 000 of trees`, comingBack(STREAMS, 2_000, 'tree')],
      ['console: its files, 20 visitors, pressed', consoleFiles(20, 3, 'br, gzip')],
      ['console: its files, 20 visitors, as they are', consoleFiles(20, 3, 'identity')],
    ],
  },
  {
    world: 'crowded',
    hosts: 1,
    cases: [
      ['report: a host with 100 000 consumers', get(`/reports/hosts/${providerUuid(1)}`)],
      ['report: hosts by instances, 100 000 on one', get('/reports/hosts?sort=-instances')],
      ['report: capacity, 100 000 on one host', get('/reports/capacity')],
      ['report: advice, 100 000 on one host', settled('/reports/advice', ({ state }) => state !== 'computing')],
    ],
  },
];
