// The race campaign and the freshness pairs, with the processes on different nodes of a cluster.
import { placementPair, registryPair } from '../freshness/pairs.mjs';
import { Cloud, runCampaign } from '../races/campaign.mjs';
import { createDatabase, startProcesses } from './processes.mjs';

const AT_ONCE = 8;
const FAULTS_SHOWN = 20;

/** Runs the rounds of every kind; returns the number of faults. */
export async function races(cluster, { rounds, onlyFirst = false, entry, report }) {
  const database = await createDatabase(cluster, 'races');
  const placements = cluster.nodes.map((node) => [node]);
  const { processes, stop } = await startProcesses(placements, database, { ...(entry !== undefined && { entry }) });
  try {
    const cloud = new Cloud(
      processes.map(({ url }) => url),
      tablesOf(cluster.nodes.at(-1), database),
    );
    const faults = await runCampaign(cloud, rounds, { onlyFirst, report: (line) => report(`  ${line}`) });
    for (const fault of faults.slice(0, FAULTS_SHOWN)) report(`  FAULT ${fault}`);
    return faults.length;
  } finally {
    await stop();
    await cluster.nodes[0].query(`DROP DATABASE ${database}`).catch(() => undefined);
  }
}

/** Queries the tables of one node after it has applied all acknowledged writes. */
function tablesOf(node, database) {
  return async (sql) => {
    await node.query(`USE ${database}`);
    await node.query('SET SESSION wsrep_sync_wait = 1');
    return node.query(sql);
  };
}

/**
 * Writes through one process and searches through another one, on another node. Returns the number of stale answers.
 */
export async function freshness(cluster, { pairs, entry, report }) {
  const database = await createDatabase(cluster, 'freshness');
  const { processes, stop } = await startProcesses(
    cluster.nodes.map((node) => [node]),
    database,
    { ...(entry !== undefined && { entry }) },
  );
  try {
    const clouds = processes.map(({ url }) => new Cloud([url]));
    const stale = [];
    let done = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (done < pairs) {
          const number = done;
          done += 1;
          const [writer, reader] = [clouds[number % clouds.length], clouds[(number + 1) % clouds.length]];
          const pair = number % 4 === 3 ? registryPair : placementPair;
          stale.push(...(await pair(writer, reader)));
        }
      }),
    );
    for (const line of stale.slice(0, FAULTS_SHOWN)) report(`  STALE ${line}`);
    return stale.length + clouds.reduce((sum, cloud) => sum + cloud.serverErrors.length, 0);
  } finally {
    await stop();
    await cluster.nodes[0].query(`DROP DATABASE ${database}`).catch(() => undefined);
  }
}
