// Kills a process while it places batches: two services on one database, large batches through one of them, `kill -9`
// at a random moment. A batch that was answered 200 must exist as a whole. Any other batch must exist as a whole or be
// gone once its lease has expired and another process has recovered it. All rounds wait for one lease together. Each
// round starts a new process.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokenLaws, Cloud, startServices } from './campaign.mjs';

const BATCH = 400;
const BATCHES_AT_ONCE = 3;
const HOSTS = 8;
/** After the last kill: the lease, one recovery round and the rollback itself. */
const PATIENCE_MS = 90_000;

/** Returns the broken rules. */
export async function killRounds({ databaseUrl, query, rounds, entry, report = () => {} }) {
  const start = () => startServices({ count: 1, databaseUrl, ...(entry !== undefined && { entry }) });
  const survivor = await start();
  const cloud = new Cloud(survivor.urls, query);
  const asked = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const victim = await start();
      for (let at = 0; at < HOSTS; at += 1) await reportHost(cloud, `batch-${at}`);
      asked.push(...(await killRound(victim, round / rounds)));
    }
    const faults = await settled(query, asked);
    const whole = asked.filter(({ status }) => status === 200).length;
    report(`killed in ${rounds} rounds: ${asked.length} batches of ${BATCH}, ${whole} of them answered before`);
    return [...faults, ...(await brokenLaws(query))];
  } finally {
    await survivor.stop();
  }
}

/** A report also counts as a heartbeat of the host. */
async function reportHost(cloud, host) {
  const { status } = await cloud.call('PUT', `/scheduler/hosts/${host}/${host}`, {
    vcpus_total: 64,
    vcpus_used: 0,
    memory_mb: 100_000_000,
    free_ram_mb: 100_000_000,
    local_gb: 1_000,
    report_providers: true,
  });
  if (status >= 300) throw new Error(`the report of ${host} was answered ${status}`);
}

/** Sends several batches to a process and kills it while they are placed. The kill comes later with every round. */
async function killRound({ urls, processes: [victim] }, share) {
  const cloud = new Cloud(urls, null);
  await cloud.must(200, 'GET', '/scheduler/instances?limit=1');
  const batches = Array.from({ length: BATCHES_AT_ONCE }, () => ({
    instances: Array.from({ length: BATCH }, () => randomUUID()),
    status: null,
  }));
  // Batches that the kill interrupts fail.
  const answers = Promise.allSettled(batches.map((batch) => place(cloud, batch)));
  await sleep(50 + share * 4_000 + Math.random() * 300);
  const gone = once(victim, 'exit');
  victim.kill('SIGKILL');
  await gone;
  await answers;
  return batches;
}

async function place(cloud, batch) {
  const flavor = { name: 'f', vcpus: 0, memory_mb: 64 };
  const body = { project_id: 'races', user_id: 'races', flavor, instances: batch.instances, explain: 'none' };
  batch.status = (await cloud.call('POST', '/scheduler/select_destinations', body)).status;
}

/** Waits until no batch is open. Returns the batches that are neither complete nor gone. */
async function settled(query, asked) {
  const until = Date.now() + PATIENCE_MS;
  while (Number((await query('SELECT COUNT(*) AS n FROM scheduler_batches'))[0].n) > 0) {
    if (Date.now() > until) return ['a batch was open long behind its lease'];
    await sleep(1_000);
  }
  const held = new Set((await query('SELECT uuid FROM consumers')).map(({ uuid }) => uuid));
  const placed = new Set((await query('SELECT uuid FROM scheduler_instances')).map(({ uuid }) => uuid));
  const faults = [];
  let expected = 0;
  for (const [at, { instances, status }] of asked.entries()) {
    const [claims, records] = [held, placed].map((set) => instances.filter((uuid) => set.has(uuid)).length);
    expected += claims;
    // If the kill loses the answer after the last commit, the batch is complete without an answer of 200.
    const isRight = claims === records && (claims === BATCH || (claims === 0 && status !== 200));
    if (!isRight) faults.push(`batch ${at}, answered ${status}: ${claims} claims and ${records} records of ${BATCH}`);
  }
  if (held.size !== expected) faults.push(`${held.size} consumers instead of ${expected}`);
  return faults;
}
