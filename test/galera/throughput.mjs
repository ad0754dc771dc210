// Measures claims per second with 32 clients: a single server, one process on one node of a cluster, two processes on
// two nodes.
import { randomUUID } from 'node:crypto';
import { allocationBody, Cloud } from '../races/campaign.mjs';
import { Cluster } from './cluster.mjs';
import { createDatabase, startProcesses } from './processes.mjs';

const CLIENTS = 32;
const WARM_MS = 2_000;
const MEASURED_MS = 10_000;
const HOSTS = 100;

export async function throughput(cluster, { report }) {
  const alone = await Cluster.start({ nodes: 1, isReplicated: false });
  try {
    report(`a server by itself: ${await claimsPerSecond(alone, [[alone.nodes[0]]])} claims per second`);
  } finally {
    await alone.close();
  }
  const [one, two] = cluster.nodes;
  report(`a cluster, one process writes: ${await claimsPerSecond(cluster, [[one]])} claims per second`);
  report(
    `a cluster, two processes on two nodes write: ${await claimsPerSecond(cluster, [[one], [two]])} claims per second`,
  );
}

async function claimsPerSecond(cluster, placements) {
  const database = await createDatabase(cluster, 'throughput');
  const { processes, stop } = await startProcesses(placements, database);
  try {
    const clouds = processes.map(({ url }) => new Cloud([url]));
    const hosts = [];
    for (let at = 0; at < HOSTS; at += 1) hosts.push(await clouds[0].provider({ VCPU: { total: 10_000_000 } }));
    await claimed(clouds, hosts, WARM_MS);
    const granted = await claimed(clouds, hosts, MEASURED_MS);
    return Math.round((granted * 1000) / MEASURED_MS);
  } finally {
    await stop();
    await cluster.nodes[0].query(`DROP DATABASE ${database}`);
  }
}

/** The number of claims that the clients get granted, one after the other, in this time. */
async function claimed(clouds, hosts, forMs) {
  const until = Date.now() + forMs;
  let granted = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const cloud = clouds[client % clouds.length];
      while (Date.now() < until) {
        const host = hosts[Math.floor(Math.random() * hosts.length)];
        const body = allocationBody({ [host]: { VCPU: 1 } }, null);
        await cloud.must(204, 'PUT', `/allocations/${randomUUID()}`, body);
        granted += 1;
      }
    }),
  );
  return granted;
}
