// `node test/bench/engine.mjs [--hosts 1000,10000,100000 --cases flat --times 300]`: measures the candidate engine alone,
// without database and HTTP: the cost by number of hosts for a fixed size of the answer, the cost of writing the
// answer, and the CPU time of both for all threads of the process, including garbage collection. Prints a table.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { median } from './meter.mjs';
import { CASES, dice, world } from './worlds.mjs';

const require = createRequire(import.meta.url);
require('../../dist/src/platform/process-settings');
const { buildGraph, searchCandidates } = require('../../dist/src/placement/candidate-search');
const { bytesOf } = require('../../dist/src/platform/http/body-bytes');
const {
  CandidateTexts,
  presentCandidates,
} = require('../../dist/src/placement/allocation-candidates/allocation-candidates.presenter');
const { runToCompletion } = require('../../dist/src/platform/values/task');
const { parseCandidateQuery } = require('../../dist/src/placement/allocation-candidates/query-parser');
const { QueryParams } = require('../../dist/src/platform/http/query-params');
const { MICROVERSIONS } = require('../../dist/src/placement/microversions');

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000,10000,100000' },
    cases: { type: 'string', default: '' },
    times: { type: 'string', default: '300' },
  },
});
const API = MICROVERSIONS.find('1.36');
const TIMES = Number(values.times);
const BOUNDS = { maxCandidates: 100_000, strategy: null, perRoot: null, randomize: false };

for (const hosts of values.hosts.split(',').map(Number)) {
  const wanted = CASES.filter((each) => each.name.includes(values.cases) && hosts <= (each.hostsMax ?? hosts));
  for (const kind of [...new Set(wanted.map((each) => each.world))]) {
    // Concatenated strings are slow to read; a database driver returns flat ones, as JSON.parse does.
    const graph = buildGraph(JSON.parse(JSON.stringify(rowsOf(world(kind, hosts)))));
    for (const each of wanted.filter((one) => one.world === kind)) await measure(each, graph, hosts);
  }
}

async function measure(each, graph, hosts) {
  const random = dice(hosts);
  const [search, write] = [[], []];
  let bytes = 0;
  let before = process.cpuUsage();
  for (let at = -TIMES; at < TIMES; at += 1) {
    if (at === 0) before = process.cpuUsage();
    const params = QueryParams.parse(each.query(random));
    const start = performance.now();
    const query = { ...parseCandidateQuery(params, API), ...BOUNDS };
    const found = searchCandidates(graph, query);
    const middle = performance.now();
    bytes = runToCompletion(
      bytesOf(await presentCandidates(found, query, new CandidateTexts(API)), Number.POSITIVE_INFINITY),
    ).length;
    if (at < 0) continue;
    search.push(middle - start);
    write.push(performance.now() - middle);
  }
  const { user, system } = process.cpuUsage(before);
  const row = { engine: median(search), writing: median(write), cpu: (user + system) / 1000 / TIMES };
  const figures = Object.entries(row).map(([name, ms]) => `${name} ${ms.toFixed(3).padStart(7)} ms`);
  console.log(`${String(hosts).padStart(7)} hosts  ${each.name.padEnd(46)} ${figures.join('  ')}  ${bytes} bytes`);
}

function rowsOf(made) {
  return {
    providers: made.providers.map(({ id, uuid, name, parent, root }) => ({
      id,
      uuid,
      name,
      parentId: parent,
      rootId: root,
    })),
    inventories: made.inventories.map(({ provider, name, total, reserved, ratio, capacity, used }, at) => ({
      id: at + 1,
      providerId: provider,
      resourceClass: name,
      total,
      reserved,
      minUnit: 1,
      maxUnit: total,
      stepSize: 1,
      allocationRatio: ratio,
      capacity,
      used,
      version: 0,
    })),
    traits: made.traits.map(([providerId, trait]) => ({ providerId, trait })),
    aggregates: made.aggregates.map(([providerId, aggregate]) => ({ providerId, aggregate })),
  };
}
