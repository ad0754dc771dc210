// Checks every node after a fault: the tables against the record of the clients, against each other, and against what
// the processes answer.
import { brokenLaws, Cloud } from '../races/campaign.mjs';
import { verified } from './processes.mjs';

const SHOWN = 5;

/** Returns a message for each violation. */
export async function wrongBooks({ cluster, database, load, processes }) {
  const wrong = load.faults.splice(0);
  for (const node of cluster.nodes) {
    const db = (sql) => node.query(sql);
    await node.query(`USE ${database}`);
    // This read waits until the node has applied every acknowledged write.
    await node.query('SET SESSION wsrep_sync_wait = 1');
    const found = [
      ...contradictions(load.reported, await db(HELD)),
      ...(await db('SELECT id, used, capacity FROM inventories WHERE used > capacity')).map(
        ({ id, used, capacity }) => `inventory ${id}: ${used} used of ${capacity}`,
      ),
      ...(await brokenLaws(db)),
    ];
    wrong.push(...found.map((each) => `${node.name}: ${each}`));
    const inconsistent = await verified(node, database);
    if (inconsistent !== undefined) wrong.push(inconsistent);
  }
  for (const service of processes) wrong.push(...(await staleViews(service, await freeUnits(cluster))));
  return wrong;
}

const HELD =
  'SELECT c.uuid, p.uuid AS provider FROM consumers c JOIN allocations a ON a.consumer_id = c.id ' +
  'JOIN resource_providers p ON p.id = a.resource_provider_id';

function contradictions(reported, rows) {
  const held = new Map(rows.map(({ uuid, provider }) => [uuid, provider]));
  const wrong = [];
  for (const [consumer, { what, provider }] of reported) {
    const isHeld = held.get(consumer);
    if (what === 'held' && isHeld !== provider) wrong.push(`${consumer}: acknowledged, and held on ${isHeld}`);
    if (what !== 'held' && isHeld !== undefined) wrong.push(`${consumer}: ${what}, and held on ${isHeld}`);
  }
  return wrong.length <= SHOWN ? wrong : [...wrong.slice(0, SHOWN), `and ${wrong.length - SHOWN} more of the kind`];
}

async function freeUnits(cluster) {
  const rows = await cluster.nodes[0].query(
    'SELECT p.uuid, i.capacity - i.used AS free FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id',
  );
  return new Map(rows.map(({ uuid, free }) => [uuid, Number(free)]));
}

/**
 * Compares the searches of a process, which use its memory, with the tables: each host must show exactly its free
 * capacity.
 */
async function staleViews(service, free) {
  const cloud = new Cloud([service.url]);
  const wrong = [];
  for (const [uuid, units] of free) {
    for (const [amount, expected] of [
      [units, units > 0 ? 1 : undefined],
      [units + 1, 0],
    ]) {
      if (expected === undefined) continue;
      const path = `/allocation_candidates?resources=VCPU:${amount}&in_tree=${uuid}`;
      const found = (await cloud.must(200, 'GET', path)).allocation_requests.length;
      if (found !== expected) wrong.push(`stale: the process ${service.name} finds ${found} for ${amount} of ${units}`);
    }
  }
  return wrong;
}
