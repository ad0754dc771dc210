// `node test/freshness/hammer.mjs [--pairs 2000] [--processes 2]`: writes through one process, searches through another, and
// counts answers without an acknowledged write. Runs on MySQL/MariaDB with built processes, unrelated writers, and
// writers that hold their transactions open after they took their number; variants trim the log or restart a process
// meanwhile. Prints the counts; exit code 1 for any stale answer.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import { allocationBody, Cloud, openDatabase, startServices } from '../races/campaign.mjs';
import { placementPair, registryPair } from './pairs.mjs';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '2' },
    holders: { type: 'string', default: '4' },
  },
});
const PAIRS = Number(values.pairs);
const PROCESSES = Number(values.processes);
const AT_ONCE = 8;

let stale = 0;
await variant('plain', {});
await variant('the log is trimmed meanwhile', { trims: true, pairs: Math.ceil(PAIRS / 4), seconds: 100 });
await variant('a process restarts meanwhile', { restarts: true, pairs: Math.ceil(PAIRS / 4) });
console.log(`${stale} stale answers in all`);
process.exit(stale === 0 ? 0 : 1);

async function variant(name, { pairs = PAIRS, seconds = 0, trims = false, restarts = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-freshness-'));
  const database = await openDatabase('mysql', folder);
  const env = { BERTH_BERTH__CHANGE_LOG_RETENTION_SECONDS: trims ? '60' : '3600' };
  const services = await startServices({ count: PROCESSES, databaseUrl: database.url, env });
  const direct = mysql.createPool({ uri: database.url, connectionLimit: Number(values.holders) + 2 });
  const state = { isDone: false, held: 0, other: 0, trimmed: 0, awoken: 0 };
  try {
    const clouds = services.urls.map((url) => new Cloud([url], database.query));
    const background = [
      ...Array.from({ length: 3 }, () => unrelatedWrites(clouds, state)),
      ...Array.from({ length: Number(values.holders) }, () => slowWrites(direct, clouds[0], state)),
      ...(trims ? [trimming(direct, state), sleeping(database, env, clouds[0], state)] : []),
    ];
    // The first error ends the run and is reported; errors of the stopped tasks are not.
    for (const each of background) each.catch(() => undefined);
    let restarted = 0;
    let done = 0;
    const found = [];
    const began = Date.now();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (done < pairs || Date.now() - began < seconds * 1000) {
          done += 1;
          const number = done;
          const writer = clouds[number % clouds.length];
          const reader = clouds[(number + 1) % clouds.length];
          found.push(...(await onePair(writer, reader, number)));
          if (restarts && number % 20 === 0) {
            const extra = await startServices({ count: 1, databaseUrl: database.url, env });
            const fresh = new Cloud(extra.urls, database.query);
            found.push(...(await onePair(clouds[0], fresh)));
            await extra.stop();
            restarted += 1;
          }
        }
      }),
    );
    state.isDone = true;
    found.push(...(await Promise.all(background)).flatMap((wrong) => wrong ?? []));
    const counts = await refreshCounts(services.urls);
    stale += found.length;
    console.log(
      `${name}: ${done} pairs in ${((Date.now() - began) / 1000).toFixed(1)} s, ${found.length} stale; beside them ` +
        `${state.other} unrelated writes, ${state.held} writes held 50 to 500 ms${restarts ? `, ${restarted} restarts` : ''}` +
        `${trims ? `, ${state.trimmed} rows trimmed, ${state.awoken} times a process that slept past the log` : ''}; ` +
        `refreshes ${counts.refreshes}, of which whole reloads ${counts.wholeReloads}`,
    );
    for (const line of found.slice(0, 5)) console.log(`  STALE ${line}`);
  } finally {
    state.isDone = true;
    await services.stop();
    await direct.end();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes to Placement's records, and every fourth time to the scheduler's registries. */
async function onePair(writer, reader, number = 0) {
  return number % 4 === 3 ? registryPair(writer, reader) : placementPair(writer, reader);
}

/** Claims and releases on one host through every process: several processes write the same inventory rows. */
async function unrelatedWrites(clouds, state) {
  state.host ??= clouds[0].provider({ VCPU: { total: 1000 } });
  const host = await state.host;
  for (let turn = 0; !state.isDone; turn += 1) {
    const cloud = clouds[turn % clouds.length];
    const consumer = randomUUID();
    await cloud.call('PUT', `/allocations/${consumer}`, allocationBody({ [host]: { VCPU: 1 } }, null));
    await cloud.call('DELETE', `/allocations/${consumer}`);
    state.other += 2;
    await sleep(5);
  }
}

/** A separate writer lane that takes its number early and commits late, like a slow process. */
async function slowWrites(direct, cloud, state) {
  const uuid = await cloud.provider({ VCPU: { total: 10 } });
  const connection = await direct.getConnection();
  const now = 'UNIX_TIMESTAMP()';
  const [lane] = await connection.query(
    `INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES ('slow writer', ${now}, ${now})`,
  );
  const [[provider]] = await connection.query('SELECT id FROM resource_providers WHERE uuid = ?', [uuid]);
  for (let seq = 1; !state.isDone; seq += 1) {
    await connection.query('START TRANSACTION');
    await connection.query(
      `INSERT INTO change_log (lane, seq, kind, ref_id, resource_provider_id, created_at) VALUES (?, ?, 1, ?, ?, ${now})`,
      [lane.insertId, seq, provider.id, provider.id],
    );
    await sleep(50 + Math.random() * 450);
    await connection.query('COMMIT');
    state.held += 1;
  }
  connection.release();
}

/** Ages the log, so maintenance by the services and by this task removes most of it repeatedly. */
async function trimming(direct, state) {
  while (!state.isDone) {
    const [{ affectedRows }] = await direct.query(
      'DELETE FROM change_log WHERE created_at < UNIX_TIMESTAMP() - 30 LIMIT 5000',
    );
    state.trimmed += affectedRows;
    await sleep(300);
  }
}

/** A process without requests until unread rows are gone; it must detect that and reload. */
async function sleeping(database, env, writer, state) {
  const service = await startServices({ count: 1, databaseUrl: database.url, env });
  const wrong = [];
  try {
    const reader = new Cloud(service.urls, database.query);
    while (!state.isDone) {
      for (let slept = 0; slept < 38 && !state.isDone; slept += 1) await sleep(1000);
      wrong.push(...(await onePair(writer, reader)));
      state.awoken += 1;
    }
  } finally {
    await service.stop();
  }
  return wrong;
}

async function refreshCounts(urls) {
  const total = { refreshes: 0, wholeReloads: 0 };
  for (const url of urls) {
    const counts = await (await fetch(`${url}/readyz`)).json();
    total.refreshes += counts.graph?.refreshes ?? 0;
    total.wholeReloads += counts.graph?.wholeReloads ?? 0;
  }
  return total;
}
