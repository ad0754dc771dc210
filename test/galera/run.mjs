// `node test/galera/run.mjs [--short] [--only packets,races,freshness,faults] [--rounds 200] [--pairs 2000]`: starts a Galera
// cluster of three nodes on this machine and Berth processes on different nodes, and runs the campaigns.
// `--fault stopped` runs only the faults whose name contains `stopped`. `--throughput` measures instead; `--up` only
// keeps the cluster running. The exit code is 1 if there is a violation.
import { parseArgs } from 'node:util';
import { Cluster, whatIsMissing } from './cluster.mjs';
import { faultCampaign } from './faults.mjs';
import { packets } from './packets.mjs';
import { freshness, races } from './races.mjs';
import { throughput } from './throughput.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: 'packets,races,freshness,faults' },
    rounds: { type: 'string' },
    pairs: { type: 'string' },
    entry: { type: 'string' },
    fault: { type: 'string', default: '' },
    throughput: { type: 'boolean', default: false },
    up: { type: 'boolean', default: false },
  },
});
const isShort = values.short;
const rounds = Number(values.rounds ?? (isShort ? 6 : 200));
const pairs = Number(values.pairs ?? (isShort ? 80 : 2000));

const missing = await whatIsMissing();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}

const began = Date.now();
const report = (line) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`);
const cluster = await Cluster.start();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void cluster.close().finally(() => process.exit(1)));
}
report(`a cluster of ${cluster.nodes.length} nodes is up`);

const CAMPAIGNS = {
  packets: () => packets(cluster, { report }),
  races: () => races(cluster, { rounds, report, ...(values.entry !== undefined && { entry: values.entry }) }),
  freshness: () => freshness(cluster, { pairs, report }),
  faults: () => faultCampaign(cluster, { isShort, only: values.fault, report }),
};

let wrong = 0;
try {
  if (values.up) await kept();
  else if (values.throughput) await throughput(cluster, { report });
  else for (const name of values.only.split(',')) wrong += await campaign(name);
} catch (error) {
  console.error(error);
  wrong += 1;
} finally {
  await cluster.close();
}
report(`${wrong} faults in all`);
process.exit(wrong === 0 ? 0 : 1);

async function campaign(name) {
  const run = CAMPAIGNS[name];
  if (run === undefined) throw new Error(`there is no campaign "${name}": ${Object.keys(CAMPAIGNS).join(', ')}`);
  report(`${name} …`);
  const found = await run();
  report(`${name}: ${found} faults`);
  return found;
}

function kept() {
  for (const node of cluster.nodes) report(`${node.name}: ${node.url}`);
  return new Promise(() => setInterval(() => undefined, 1 << 30));
}
