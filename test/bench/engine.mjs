// `npm run bench:engine [-- --hosts 1000,10000,100000]`: what the candidate engine costs by itself, without database and
// HTTP: the curve over the number of hosts with the answer's size fixed, what writing the answer costs beside it, and
// how long building the graph takes. Prints a table.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { median } from './meter.mjs';
import { dice, world } from './worlds.mjs';

const require = createRequire(import.meta.url);
const { buildGraph, searchCandidates } = require('../../dist/src/candidate-search');
const { presentCandidates } = require('../../dist/src/allocation-candidates/allocation-candidates.presenter');
const { ApiVersion } = require('../../dist/src/microversion/api-version');

const { values } = parseArgs({ options: { hosts: { type: 'string', default: '1000,10000,100000' } } });
const API = ApiVersion.find('1.36');

for (const hosts of values.hosts.split(',').map(Number)) {
  const began = performance.now();
  const graph = buildGraph(rowsOf(world('flat', hosts)));
  const builtMs = performance.now() - began;
  for (const limit of [1, 1000]) {
    const random = dice(hosts + limit);
    const [search, write] = [[], []];
    for (let at = 0; at < 300; at += 1) {
      const start = performance.now();
      const query = queryOf(random, limit);
      const found = searchCandidates(graph, query);
      const middle = performance.now();
      presentCandidates(found, query, API);
      if (at < 100) continue;
      search.push(middle - start);
      write.push(performance.now() - middle);
    }
    console.log(
      `${String(hosts).padStart(7)} hosts, limit ${String(limit).padEnd(5)} engine ${median(search).toFixed(3)} ms` +
        `, writing ${median(write).toFixed(3)} ms   (graph built in ${builtMs.toFixed(0)} ms)`,
    );
  }
}

function queryOf(random, limit) {
  const amount = (most) => 1 + Math.floor(random() * most);
  const group = {
    suffix: '',
    resources: new Map([
      ['VCPU', amount(4)],
      ['MEMORY_MB', 256 * amount(8)],
      ['DISK_GB', 10 * amount(4)],
    ]),
    ...{ requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [], inTree: null },
  };
  return {
    groups: [group],
    ...{ groupPolicy: 'none', sameSubtree: [], rootRequired: [], rootForbidden: [], nestedAware: true },
    ...{ limit, maxCandidates: 100_000, strategy: null, perRoot: null, randomize: false },
  };
}

function rowsOf(made) {
  return {
    providers: made.providers.map(({ id, uuid, name, parent, root }) => ({
      ...{ id, uuid, name, parentId: parent, rootId: root },
    })),
    inventories: made.inventories.map(({ provider, name, total, reserved, ratio, capacity, used }, at) => ({
      ...{ id: at + 1, providerId: provider, resourceClass: name, total, reserved, minUnit: 1, maxUnit: total },
      ...{ stepSize: 1, allocationRatio: ratio, capacity, used, version: 0 },
    })),
    traits: made.traits.map(([providerId, trait]) => ({ providerId, trait })),
    aggregates: made.aggregates.map(([providerId, aggregate]) => ({ providerId, aggregate })),
  };
}
