// `node test/bench/run.mjs [--hosts 1000,10000] [--cases flat] [--requests 200] [--database mysql|sqlite]
//                   [--database-pids 3] [--other URL --other-pids 1,2 --other-database mysql://…]`
//
// Loads each world directly into the database, starts the built service on it and measures every case: CPU per request
// of the service and the database, median latency at concurrency 1 minus that of `GET /`, bytes, candidates. For
// another Placement endpoint it loads the same world into its database, sends requests to both in alternation and
// prints ratios. One write precedes every tenth search; amounts and names vary per request. It prints a table, or JSON
// with --json.
// `--cases auth` measures the cost of a known token and needs neither world nor database.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startLoaded } from './loaded-service.mjs';
import { loadIntoReference } from './loaders.mjs';
import { Measured, timed } from './measured.mjs';
import { BurstClient, Client, median, rssMib } from './meter.mjs';
import { CASES, dice, world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000' },
    cases: { type: 'string', default: '' },
    requests: { type: 'string', default: '200' },
    database: { type: 'string', default: 'mysql' },
    other: { type: 'string' },
    'other-pids': { type: 'string', default: '' },
    'other-database': { type: 'string' },
    'other-requests': { type: 'string', default: '10' },
    'database-pids': { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const listOf = (text) => text.split(',').filter(Boolean).map(Number);
const databasePids = databasePidsOf(options);
const otherPids = listOf(options['other-pids']);
const results = [];
if (options.cases === 'auth') {
  const { measureAuthentication } = await import('./authentication.mjs');
  await measureAuthentication();
  process.exit(0);
}
/** Requests before the measurement: a long-running service uses the code that is compiled in them. */
const WARM_UP = 5_000;
/** The same for the other endpoint, whose code is ready from the start. */
const WARM_UP_OTHER = 10;
/** How often the two endpoints alternate, so a machine that slows down affects both. */
const ROUNDS = 5;
/** Rate of claims during the measurement of searches. */
const CLAIMS_PER_SECOND = 200;

for (const hosts of options.hosts.split(',').map(Number)) {
  const wanted = CASES.filter((each) => each.name.includes(options.cases) || options.cases === 'writes');
  for (const kind of [...new Set(wanted.map((each) => each.world))]) {
    const cases = options.cases === 'writes' ? [] : wanted.filter((each) => each.world === kind);
    await measureWorld(kind, Math.min(hosts, cases[0]?.hostsMax ?? hosts), cases);
    if (options.cases === 'writes') break;
  }
}
if (options.json) console.log(JSON.stringify(results, undefined, 2));

async function measureWorld(kind, hosts, cases) {
  const made = world(kind, hosts);
  const { service, end } = await startLoaded(options.database, made);
  if (options.other) await reloadOther(made);
  try {
    console.log(
      `\n${kind}, ${hosts} hosts, ${made.providers.length} providers, ${options.database}; ready in ${service.readyMs} ms, ${rssMib(service.pid).toFixed(0)} MiB`,
    );
    const berth = { client: new Client(service.url), pids: [service.pid, ...databasePids] };
    const other = options.other
      ? { client: new Client(options.other, { keepAlive: false }), pids: [...otherPids, ...databasePids] }
      : undefined;
    for (const each of cases) await measureCase(each, hosts, made, berth, other);
    if (kind === 'flat') await measureOthers(hosts, made, berth, other);
    console.log(`  afterwards ${rssMib(service.pid).toFixed(0)} MiB`);
  } finally {
    await end();
  }
}

async function reloadOther(made) {
  const tables =
    'allocations consumers resource_provider_aggregates resource_provider_traits inventories resource_providers placement_aggregates projects users';
  const { default: mysql } = await import('mysql2/promise');
  const connection = await mysql.createConnection({ uri: options['other-database'] });
  await connection.query('SET foreign_key_checks = 0');
  for (const table of tables.split(' ')) await connection.query(`DELETE FROM ${table}`);
  await connection.query("DELETE FROM traits WHERE name LIKE 'CUSTOM_BENCH%'");
  await connection.end();
  await loadIntoReference(options['other-database'], made);
}

async function measureCase(each, hosts, made, berth, other) {
  const ask = (client, random) => client.send('GET', `/allocation_candidates?${each.query(random)}`);
  const counts = [Number(options.requests), Number(options['other-requests'])];
  const [ours, theirs] = await measure(berth, other, counts, ask, made);
  const answer = JSON.parse(ours.last.text());
  report({
    case: each.name,
    hosts,
    ...figures(ours, theirs),
    candidates: answer.allocation_requests.length,
    summaries: Object.keys(answer.provider_summaries).length,
    bytes: ours.last.bytes,
  });
}

/** Claims, and the reads that compute services send continuously. */
async function measureOthers(hosts, made, berth, other) {
  const hostOf = (random) => made.providers[Math.floor(random() * made.providers.length)];
  const reads = {
    'GET inventories': (random) => `/resource_providers/${hostOf(random).uuid}/inventories`,
    'GET allocations of a provider': (random) => `/resource_providers/${hostOf(random).uuid}/allocations`,
    'GET traits of a provider': (random) => `/resource_providers/${hostOf(random).uuid}/traits`,
    'GET ?in_tree=': (random) => `/resource_providers?in_tree=${hostOf(random).uuid}`,
  };
  for (const [name, path] of Object.entries(reads)) {
    const ask = (client, random) => client.send('GET', path(random));
    report({ case: name, hosts, ...figures(...(await measure(berth, other, [2_000, 100], ask, made))) });
  }
  const ask = (client, random) => claim(client, hostOf(random).uuid);
  report({
    case: 'claim, three classes',
    hosts,
    ...figures(...(await measure(berth, other, [2_000, 100], ask, made, false))),
  });
  const rates = { berth: [], other: [] };
  for (let run = 0; run < 5; run += 1) {
    rates.berth.push(await claimsPerSecond(berth.client, made));
    if (other) rates.other.push(await claimsPerSecond(other.client, made));
  }
  const [perSecond, otherPerSecond] = [median(rates.berth), median(rates.other)];
  report({
    case: '204s per second, 32 at once',
    hosts,
    perSecond: Math.round(perSecond),
    ...(other && { otherPerSecond: Math.round(otherPerSecond), ratio: Math.round(perSecond / otherPerSecond) }),
  });
  await measureDuringClaims(hosts, made, berth);
}

/** The median of a search alone, and during claims at a steady rate. */
async function measureDuringClaims(hosts, made, { client }) {
  const random = dice(7);
  const search = CASES.find((each) => each.name === 'flat, limit 1000');
  const medianOf = async () => {
    const times = [];
    for (let at = 0; at < 200; at += 1) {
      times.push(await timed(() => client.send('GET', `/allocation_candidates?${search.query(random)}`)));
    }
    return median(times);
  };
  const alone = await medianOf();
  const many = new Client(client.url.href, { connections: 32 });
  const under = new Set();
  let granted = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * CLAIMS_PER_SECOND) / 1000) - granted - under.size;
    for (let at = 0; at < Math.min(due, 32 - under.size); at += 1) {
      const host = made.providers[Math.floor(random() * made.providers.length)];
      const one = claim(many, host.uuid).then(({ status }) => {
        under.delete(one);
        if (status === 204) granted += 1;
      });
      under.add(one);
    }
  }, 5);
  const during = await medianOf();
  clearInterval(timer);
  await Promise.all(under);
  const claimsPerSecond = Math.round((granted * 1000) / (performance.now() - began));
  many.close();
  const round = (value) => Number(value.toPrecision(3));
  report({
    case: 'search during claims, limit 1000',
    hosts,
    claimsPerSecond,
    aloneMs: round(alone),
    duringMs: round(during),
    ratio: round(during / alone),
  });
}

async function claimsPerSecond(client, made) {
  const many = Array.from({ length: 32 }, () => new BurstClient(client.url, { keepAlive: client.keepAlive }));
  const random = dice(Date.now());
  const began = performance.now();
  const end = began + 4_000;
  let granted = 0;
  const keepClaiming = async (one) => {
    while (performance.now() < end) {
      const host = made.providers[Math.floor(random() * made.providers.length)];
      // If an endpoint drops the connection, the claim counts as not granted.
      const answer = await claim(one, host.uuid).catch(() => ({ status: 0 }));
      if (answer.status === 204) granted += 1;
    }
    one.close();
  };
  await Promise.all(many.map(keepClaiming));
  if (granted === 0)
    throw new Error(`nothing was granted: ${made.providers.length} providers are full, take more --hosts`);
  return (granted * 1000) / (performance.now() - began);
}

function claim(client, host) {
  const body = {
    allocations: { [host]: { resources: { VCPU: 1, MEMORY_MB: 64, DISK_GB: 1 } } },
    project_id: 'bench',
    user_id: 'bench',
    consumer_generation: null,
  };
  return client.send('PUT', `/allocations/${randomUUID()}`, body);
}

/** Sends `counts` requests to both endpoints in alternation; returns the figures of each. */
async function measure(berth, other, counts, ask, made, withWrites = true) {
  const sides = [berth, other].flatMap((side, at) =>
    side === undefined ? [] : [new Measured(side, Math.ceil(counts[at] / ROUNDS), ask, made, withWrites)],
  );
  for (const [at, side] of sides.entries()) await side.warmUp(at === 0 ? WARM_UP : WARM_UP_OTHER);
  for (let round = 0; round < ROUNDS; round += 1) for (const side of sides) await side.measureOnce();
  return sides.map((side) => side.figures);
}

function figures(ours, theirs) {
  const round = (value) => Number(value.toPrecision(3));
  return {
    cpuMs: round(ours.cpu),
    latencyMs: round(ours.latency),
    ...(theirs && {
      otherCpuMs: round(theirs.cpu),
      otherLatencyMs: round(theirs.latency),
      ratio: round(theirs.cpu / ours.cpu),
      latencyRatio: round(theirs.latency / ours.latency),
    }),
  };
}

function report(row) {
  results.push(row);
  const { case: name, hosts: _hosts, ...rest } = row;
  console.log(
    `  ${name.padEnd(46)} ${Object.entries(rest)
      .map(([key, value]) => `${key} ${value}`)
      .join('  ')}`,
  );
}

/** The named processes; by default every database server of this machine. */
function databasePidsOf({ database, 'database-pids': named }) {
  if (database !== 'mysql') return [];
  return named === '' ? [...pidsOf('mariadbd'), ...pidsOf('mysqld')] : listOf(named);
}

function pidsOf(name) {
  try {
    return execFileSync('pgrep', ['-x', name]).toString().trim().split('\n').map(Number);
  } catch {
    return [];
  }
}
