// `node test/fuzz/run.mjs [--requests 200000] [--database sqlite|mysql] [--seed 1] [--raw 0.05] [--seconds 600] [--profile]`:
// sends corrupted requests and raw bytes to a service of its own, and checks these rules. Every request has an answer.
// No answer is a 5xx except 503 with Retry-After. The service stays alive. Its event loop is never held for more than
// 50 ms of the thread's CPU time. A refused write changes nothing: it is sent once more and the tables are compared.
// The heap does not grow.
// It prints the seed, and every fault with its request; the exit code is 1 if there is a fault. `--attach FILE` uses a
// running service from a file (url, databaseUrl, routes), as the suites do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../races/campaign.mjs';
import { Requests } from './requests.mjs';
import { Tables } from './tables.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    database: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    raw: { type: 'string', default: '0.05' },
    seconds: { type: 'string', default: 'Infinity' },
    window: { type: 'string', default: '2000' },
    attach: { type: 'string' },
    profile: { type: 'boolean', default: false },
    dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) },
  },
});
const TOTAL = Number(options.requests);
const WINDOW = Number(options.window);
const CONNECTIONS = 16;
const ANSWER_MS = 60_000;
const HOLD_MS = 50;
/** A batch that does not fit as a whole is claimed in part and rolled back, which raises only generations. */
const UNDONE = /^\/scheduler\/select_destinations/;
const isUndone = ({ path }) => UNDONE.test(path);
/** The service of a host records that a report of it was refused. */
const isReport = ({ method, path }) => method === 'PUT' && path.startsWith('/scheduler/hosts/');
const FAULTS_REPORTED = 30;
/** The service can keep waiting for more after incomplete bytes. */
const RAW_MS = 50;
/** Allowed growth of the heap, for compiled code and filled caches. */
const GROWTH = 1.5;
const GROWTH_MIB = 32;

const folder = mkdtempSync(join(tmpdir(), 'berth-fuzz-'));
const heapFile = join(folder, 'heap.json');
const faults = new Map();
const statuses = {};
const holds = [];
let reported = 0;

function fault(kind, request) {
  faults.set(kind, (faults.get(kind) ?? 0) + 1);
  if (faults.get(kind) > 3 || (reported += 1) > FAULTS_REPORTED) return;
  console.log(`FAULT ${kind}\n  seed ${options.seed}: ${shown(request)}`);
}

const secondsGone = () => (performance.now() - began) / 1000;
const mib = (bytes) => (bytes / 2 ** 20).toFixed(0);
const shown = (request) =>
  Buffer.isBuffer(request)
    ? JSON.stringify(request.toString('latin1').slice(0, 1_500))
    : JSON.stringify(request)?.slice(0, 1_500);

const service = options.attach === undefined ? await ownService() : attached();
const requests = new Requests(Number(options.seed), service.routes);
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const began = performance.now();
let sent = 0;
let compared = 0;
let unsendable = 0;
const heaps = [];
console.log(`seed ${options.seed}, ${TOTAL} requests, ${service.routes.length} routes, ${options.database}`);
try {
  while (sent < TOTAL && !service.isGone() && secondsGone() < Number(options.seconds)) {
    for (const request of requests.world()) await ask(request);
    await service.beginHolds();
    const refused = [];
    const count = Math.min(WINDOW, TOTAL - sent);
    let left = count;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left > 0 && !service.isGone()) {
          left -= 1;
          if (requests.chance(Number(options.raw))) await askRaw(requests.bytes());
          else {
            const request = requests.next();
            const status = await ask(request);
            if (status >= 400 && request.method !== 'GET') refused.push(request);
          }
        }
      }),
    );
    sent += count;
    await service.endHolds(sent);
    const { tables } = service;
    const wholly = (before, after) => tables.difference(before, after);
    const beyondRaised = (before, after) => tables.differenceBeyondRaised(before, after);
    await compare(refused.filter((each) => !isUndone(each) && !isReport(each)).slice(-300), wholly);
    await compare(refused.filter(isReport).slice(-100), (before, after) =>
      tables.differenceBeyondRefusals(before, after),
    );
    await compare(refused.filter(isUndone).slice(-100), beyondRaised);
    if (sent === count || sent >= TOTAL || sent % (WINDOW * 5) === 0) {
      const heap = await service.heap();
      if (heap !== undefined) heaps.push([sent, heap]);
      console.log(progress(heap));
    }
  }
  report();
} finally {
  agent.destroy();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Sends the refused requests again and checks with `difference` that no table changed. Requests that succeed now are
 * left out.
 */
async function compare(refused, difference) {
  let again = refused;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await service.tables.dump();
    const stillRefused = [];
    for (const request of again) if ((await ask(request)) >= 400) stillRefused.push(request);
    const changed = difference(before, await service.tables.dump());
    if (stillRefused.length === again.length) {
      compared += again.length;
      if (changed !== undefined) fault(`a refused request changed ${changed}`, await culprit(again, difference));
      return;
    }
    again = stillRefused;
  }
}

async function culprit(refused, difference) {
  for (const request of refused) {
    const before = await service.tables.dump();
    await ask(request);
    if (difference(before, await service.tables.dump()) !== undefined) return request;
  }
  return { note: 'none of them by itself', first: refused[0] };
}

function ask(request) {
  const { method, path, headers, payload } = request;
  return new Promise((settle) => {
    let sending;
    const failed = (error) => {
      // The server can answer and close before it has read the whole request.
      if (service.isGone()) fault('the service ended', request);
      else if (!['ECONNRESET', 'EPIPE'].includes(error.code))
        fault(`no answer: ${error.code ?? error.message}`, request);
      settle(0);
    };
    try {
      const length =
        payload === undefined || headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(payload) };
      sending = http.request({
        agent,
        host: service.url.hostname,
        port: service.url.port,
        method,
        path,
        headers: { ...headers, ...length },
      });
    } catch {
      unsendable += 1;
      return settle(0);
    }
    sending.setTimeout(ANSWER_MS, () => sending.destroy(Object.assign(new Error(), { code: 'ANSWER_TIMEOUT' })));
    sending.on('error', failed);
    sending.on('response', (answer) => {
      answer.on('error', failed).resume();
      answer.on('end', () => {
        judge(answer.statusCode, answer.headers['retry-after'], request);
        settle(answer.statusCode);
      });
    });
    sending.end(payload);
  });
}

function judge(status, retryAfter, request) {
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status >= 500 && !(status === 503 && retryAfter !== undefined)) fault(`status ${status}`, request);
}

function askRaw(bytes) {
  return new Promise((settle) => {
    const socket = net.connect(Number(service.url.port), service.url.hostname);
    let heard = '';
    const timer = setTimeout(() => socket.destroy(), RAW_MS);
    socket.setEncoding('latin1').on('data', (text) => (heard += text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      for (const [, status, rest] of heard.matchAll(/^HTTP\/1\.1 (\d{3})([^]*?)\r\n\r\n/gm)) {
        if (Number(status) >= 200) judge(Number(status), /retry-after/i.exec(rest) ?? undefined, bytes);
      }
      if (service.isGone()) fault('the service ended', bytes);
      settle();
    });
    socket.write(bytes);
    socket.end();
  });
}

function progress(heap) {
  const rate = (sent / ((performance.now() - began) / 1000)).toFixed(0);
  const memory = heap === undefined ? '' : `, heap ${mib(heap.heapUsed)} MiB, rss ${mib(heap.rss)} MiB`;
  return `${sent} requests, ${rate}/s${memory}, ${[...faults.values()].reduce((a, b) => a + b, 0)} faults`;
}

function report() {
  console.log(`statuses ${JSON.stringify(statuses)}; ${unsendable} no client would send`);
  console.log(`${compared} refused writes sent again without effect`);
  const longest = holds.sort((a, b) => b.cpuMs - a.cpuMs).slice(0, 5);
  for (const { cpuMs, at, by } of longest)
    console.log(`hold ${cpuMs.toFixed(0)} ms before request ${at}${by ? `: ${by}` : ''}`);
  // The first window is exempt: the service loads and compiles code in it.
  const late = holds.filter(({ cpuMs, at }) => cpuMs > HOLD_MS && at > WINDOW);
  if (late.length > 0) fault(`the loop was held more than ${HOLD_MS} ms in ${late.length} windows`, late[0]);
  const [first, last] = [heaps[1] ?? heaps[0], heaps.at(-1)];
  if (
    last !== undefined &&
    last[1].heapUsed > Math.max(first[1].heapUsed * GROWTH, first[1].heapUsed + GROWTH_MIB * 2 ** 20)
  ) {
    fault(`the heap grew from ${mib(first[1].heapUsed)} to ${mib(last[1].heapUsed)} MiB`, { from: first[0] });
  }
  console.log(
    `${sent} requests in ${((performance.now() - began) / 1000).toFixed(0)} s, faults: ${faults.size === 0 ? 'none' : JSON.stringify([...faults])}`,
  );
  if (faults.size > 0 || service.isGone()) process.exitCode = 1;
}

function attached() {
  const { url, databaseUrl, routes } = JSON.parse(readFileSync(options.attach, 'utf8'));
  const nothing = async () => undefined;
  const tables = new Tables(databaseUrl);
  return {
    url: new URL(url),
    routes,
    tables,
    isGone: () => false,
    beginHolds: nothing,
    endHolds: nothing,
    heap: nothing,
    stop: () => tables.close(),
  };
}

async function ownService() {
  const dist = resolve(options.dist);
  const database = await openDatabase(options.database, folder);
  const imports = [new URL('../bench/waits-holds.mjs', import.meta.url), new URL('./heap-probe.mjs', import.meta.url)];
  const child = spawn(process.execPath, [...imports.flatMap(({ href }) => ['--import', href]), join(dist, 'main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      PORT: '0',
      BERTH_HEAP_FILE: heapFile,
      LOG_LEVEL: 'info',
      // A sample of the history would be a change by a refused request.
      BERTH_BERTH__HISTORY_INTERVAL_SECONDS: '0',
      ...(options.profile && { BERTH_HOLD_PROFILE: '1' }),
    },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  let isGone = false;
  const url = await new Promise((settle, refuse) => {
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-20_000);
      for (const [line] of String(chunk).matchAll(/^.*"level":"(?:error|fatal)".*$/gm))
        fault('an error in the log', { line });
      const found = /"url":"(http[^"]+)"/.exec(log);
      if (found) settle(found[1]);
    });
    child.on('exit', () => {
      isGone = true;
      refuse(new Error(`the service ended:\n${log}`));
    });
  });
  const tables = new Tables(database.url);
  return {
    url: new URL(url),
    routes: routesOf(dist),
    tables,
    isGone: () => isGone,
    beginHolds: async () => child.send('begin'),
    endHolds: async (at) => {
      if (isGone) return;
      child.send('end');
      const [hold] = await once(child, 'message');
      holds.push({ ...hold, at });
    },
    heap: async () => {
      rmSync(heapFile, { force: true });
      child.kill('SIGUSR2');
      for (let left = 200; left > 0 && !existsSync(heapFile); left -= 1) await pause(50);
      return existsSync(heapFile) ? JSON.parse(readFileSync(heapFile, 'utf8')) : undefined;
    },
    stop: async () => {
      if (!isGone) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await tables.close();
      await database.close();
    },
  };
}

function routesOf(dist) {
  const load = createRequire(import.meta.url);
  const { describeRoutes } = load('./routes.cjs');
  const files = readdirSync(join(dist, 'src'), { recursive: true }).filter((name) => name.endsWith('.controller.js'));
  const controllers = files
    .flatMap((name) => Object.values(load(join(dist, 'src', name))))
    .filter((each) => typeof each === 'function' && Reflect.hasMetadata('path', each));
  return describeRoutes(controllers, {
    ...load(join(dist, 'src/platform/microversion/versioned-schema.js')),
    ...load(join(dist, 'src/placement/microversions.js')),
  });
}
