// Built Berth processes on the nodes of a cluster, and their common database.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServices } from '../races/campaign.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const VERIFY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 30_000;

/** Creates a database on every node; returns its name. */
export async function createDatabase(cluster, what) {
  const name = `berth_${what}_${Date.now()}`;
  await cluster.nodes[0].query(`CREATE DATABASE ${name}`);
  for (const node of cluster.nodes) await seen(node, name);
  return name;
}

/** Waits for the database on a node: data definition is replicated, but the statement does not wait for it. */
async function seen(node, name) {
  for (;;) {
    const rows = await node.query('SELECT 1 FROM information_schema.schemata WHERE schema_name = ?', [name]);
    if (rows.length > 0) return;
    await sleep(50);
  }
}

/** One database URL for `nodes`, in the order of preference. */
export function addressOf(nodes, database) {
  return `mysql://root@${nodes.map((node) => `127.0.0.1:${node.port}`).join(',')}/${database}`;
}

/**
 * Starts one process for each entry of `placements`, a list of nodes. They start one after the other, so the first one
 * migrates the schema. Returns `{ name, nodes, url }` of each and a function to stop them.
 */
export async function startProcesses(placements, database, options = {}) {
  const processes = [];
  const stops = [];
  const stop = async () => {
    await Promise.race([Promise.all(stops.map((each) => each())), sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
  };
  try {
    for (const nodes of placements) {
      const services = await startServices({ count: 1, databaseUrl: addressOf(nodes, database), ...options });
      stops.push(services.stop);
      processes.push({ name: `on ${nodes.map((node) => node.name).join(', ')}`, nodes, url: services.urls[0] });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { processes, stop };
}

/** The problems that `berth verify` finds on this node; undefined if all is consistent. */
export async function verified(node, database) {
  const child = spawn(process.execPath, [`${root}dist/cli.js`, 'verify'], {
    env: { ...process.env, DATABASE_URL: addressOf([node], database), LOG_LEVEL: 'error' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: VERIFY_WITHIN_MS,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'exit');
  return code === 0 ? undefined : `berth verify on ${node.name}: ${code}: ${said.slice(0, 500)}`;
}
