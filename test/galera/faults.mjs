// Faults of the cluster under a steady load of claims: a node is killed, frozen, isolated or emptied, and all nodes are
// restarted in turn. After each fault every acknowledged write must be on every node, and the pause in service must
// have been short.
import { setTimeout as sleep } from 'node:timers/promises';
import { Cloud } from '../races/campaign.mjs';
import { wrongBooks } from './books.mjs';
import { Load } from './load.mjs';
import { createDatabase, startProcesses } from './processes.mjs';

const CLAIMS_PER_SECOND = 150;
const BACK_WITHIN_MS = 10_000;
const CALM_MS = 3_000;
/** Claims find room at first and are refused at the end. */
const HOSTS = 24;
const ROOM = 60;
const ROOMY = 100_000;

/** The faults. `suffers` is the index of the affected node; undefined if each is affected in turn. */
const FAULTS = [
  // A process with several nodes in its address starts on the first one, and later uses each affected node.
  {
    name: 'a node is killed, and comes back',
    inShort: true,
    suffers: 0,
    strike: async (cluster, node) => {
      await node.kill();
      await sleep(12_000);
      await cluster.up(node);
    },
  },
  {
    name: 'a node is stopped for 20 s',
    suffers: 1,
    strike: async (_cluster, node) => {
      node.freeze();
      await sleep(20_000);
      node.thaw();
    },
  },
  {
    name: 'a node is isolated for 15 s',
    inShort: true,
    suffers: 0,
    strike: async (_cluster, node) => {
      await node.isolate();
      await sleep(15_000);
      await node.heal();
    },
  },
  {
    name: 'a node loses its data, and is given all of it',
    suffers: 1,
    strike: async (cluster, node) => {
      await node.kill();
      node.wipe();
      await cluster.up(node);
    },
  },
  {
    name: 'all nodes are restarted, one after the other',
    suffers: undefined,
    strike: async (cluster) => {
      for (const node of cluster.nodes) {
        await node.stop();
        await cluster.up(node);
        await cluster.whole();
        await sleep(CALM_MS);
      }
    },
  },
];

/** `only` selects faults by a part of their name. Returns the number of violations. */
export async function faultCampaign(cluster, { isShort, only = '', report }) {
  const database = await createDatabase(cluster, 'faults');
  const { processes, stop } = await startProcesses(
    [...cluster.nodes.map((node) => [node]), [...cluster.nodes]],
    database,
  );
  try {
    let wrong = 0;
    const chosen = FAULTS.filter(({ inShort, name }) => (inShort === true || !isShort) && name.includes(only));
    for (const fault of chosen) {
      wrong += await struck({ cluster, database, processes, fault, report });
    }
    return wrong;
  } finally {
    await stop();
    await cluster.nodes[0].query(`DROP DATABASE ${database}`).catch(() => undefined);
  }
}

async function struck({ cluster, database, processes, fault, report }) {
  const cloud = new Cloud(processes.map(({ url }) => url));
  const providers = [];
  for (let at = 0; at < HOSTS; at += 1) {
    providers.push(await cloud.provider({ VCPU: { total: at % 2 === 0 ? ROOM : ROOMY } }));
  }
  const load = new Load(processes, providers, CLAIMS_PER_SECOND);
  await sleep(CALM_MS);
  const began = Date.now();
  load.listenAfresh();
  const victim = fault.suffers === undefined ? undefined : cluster.nodes[fault.suffers];
  const wrong = [];
  await fault.strike(cluster, victim);
  const isBound = (service) => service.nodes.length > 1 || (victim !== undefined && service.nodes[0] !== victim);
  await sleep(CALM_MS);
  const silences = processes.map((service) => ({ service, ms: load.silenceOf(service), isBound: isBound(service) }));
  for (const { service, ms, isBound: isLate } of silences) {
    if (isLate && ms > BACK_WITHIN_MS) wrong.push(`the process ${service.name} granted nothing for ${ms} ms`);
  }
  await cluster.whole();
  const lost = await awaitAll(processes, load);
  wrong.push(...lost);
  await load.stop();
  wrong.push(...(await wrongBooks({ cluster, database, load, processes })));
  report(`${fault.name}: ${((Date.now() - began) / 1000).toFixed(0)} s, answers ${JSON.stringify(load.counts)}`);
  report(
    `  longest without a grant: ${silences.map(({ service, ms }) => `${service.name}: ${seconds(ms)}`).join('; ')}`,
  );
  for (const each of wrong.slice(0, 20)) report(`  FAULT ${each}`);
  return wrong.length;
}

/** Once the cluster is complete, every process must soon grant claims again, even if its own node was down. */
async function awaitAll(processes, load) {
  const wholeAt = Date.now();
  const isSilent = (service) => load.lastOf(service) < wholeAt;
  while (Date.now() - wholeAt < BACK_WITHIN_MS && processes.some(isSilent)) await sleep(200);
  return processes
    .filter(isSilent)
    .map(({ name }) => `the process ${name} granted nothing within ${BACK_WITHIN_MS} ms of the cluster being whole`);
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
