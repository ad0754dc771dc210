// `node test/bench/stranded.mjs [--hosts 10000 --flavors 30 --worlds flat,nested]`, after a build: what it costs to work
// out what is stranded on every host and how many of each flavor fit, at first and after a hundred hosts have changed, and
// the longest piece between two chances of others.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { dice, world } from './worlds.mjs';

const require = createRequire(import.meta.url);
require('../../dist/src/process-settings');
const { applyUsage, buildGraph } = require('../../dist/src/candidate-search');
const { REPORT_LIMITS } = require('../../dist/src/config/limits');
const { FindingsKeeper } = require('../../dist/src/reports/stranded/cloud-findings');

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    flavors: { type: 'string', default: '30' },
    worlds: { type: 'string', default: 'flat,full,nested,cells,sharing' },
  },
});
const CHANGED = 100;

/** Sizes of general, compute and memory flavors; the larger the rarer. */
const SHAPES = [
  [1, 2_048, 20],
  [2, 4_096, 40],
  [4, 8_192, 80],
  [8, 16_384, 160],
  [1, 4_096, 20],
  [2, 8_192, 40],
  [4, 16_384, 80],
  [2, 16_384, 40],
  [4, 32_768, 80],
  [1, 512, 1],
];

for (const name of values.worlds.split(',')) {
  const random = dice(7);
  const graph = buildGraph(
    rowsOf(world(name === 'full' ? 'flat' : name === 'cells' ? 'nested' : name, Number(values.hosts)), name, random),
  );
  const requests = Array.from({ length: Number(values.flavors) }, (_, at) => requestOf(at, name));
  const keeper = new FindingsKeeper(requests, REPORT_LIMITS.strandedWork);
  const first = measure(keeper, graph);
  const changes = [...Array(CHANGED)].map((_, at) => changeOf(graph, graph.rootIds[at * 37], random));
  const second = measure(keeper, applyUsage(graph, changes.filter(Boolean)).graph);
  const inexact = [...first.found.hosts.values()].flatMap(({ stranded }) => stranded).filter(({ isExact }) => !isExact);
  console.log(
    `${values.hosts} hosts ${name.padEnd(8)} ${values.flavors} flavors  first ${ms(first.cpu)}  longest ${ms(first.longest)}` +
      `  after ${CHANGED} changes ${ms(second.cpu)}  longest ${ms(second.longest)}  bounds ${inexact.length}` +
      `  flavors exact ${first.found.flavors.filter(({ isExact }) => isExact).length}`,
  );
}

function measure(keeper, graph) {
  global.gc?.();
  const walk = keeper.find(graph, ({ isSharing }) => (isSharing ? 'none' : 'usable'));
  const before = process.cpuUsage();
  let longest = 0;
  for (;;) {
    const start = cpuMs();
    const step = walk.next();
    longest = Math.max(longest, cpuMs() - start);
    if (step.done) {
      const { user, system } = process.cpuUsage(before);
      return { cpu: (user + system) / 1_000, longest, found: step.value };
    }
  }
}

function requestOf(at, name) {
  const [vcpus, memory, disk] = SHAPES[at % SHAPES.length];
  const isTraited = at >= SHAPES.length * 2;
  const isCelled = name === 'cells';
  const own = { VCPU: vcpus, MEMORY_MB: memory + 256 * Math.floor(at / SHAPES.length) };
  const group = (suffix, resources, requiredTraits = []) => ({
    suffix,
    resources: new Map(Object.entries(resources)),
    requiredTraits,
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
  });
  const groups = isCelled
    ? [
        group('', { DISK_GB: disk }),
        group('1', own, [['HW_NUMA_ROOT']]),
        ...(at % 5 === 0 ? [group('2', { PGPU: 1 })] : []),
      ]
    : [group('', { ...own, DISK_GB: disk }, isTraited && name === 'flat' ? [['CUSTOM_BENCH_HALF']] : [])];
  return {
    groups,
    groupPolicy: 'none',
    sameSubtree: [],
    rootRequired: [],
    rootForbidden: ['COMPUTE_STATUS_DISABLED'],
    limit: null,
    nestedAware: true,
  };
}

function changeOf(graph, rootId, random) {
  const inventory = graph.findTree(rootId)?.providers.at(-1)?.inventories[0];
  return (
    inventory && {
      inventoryId: inventory.id,
      used: Math.floor(random() * inventory.capacity),
      version: inventory.version + 1,
    }
  );
}

/** As drawn, but every provider used to a degree of its own; `full` nearly so. */
function rowsOf(made, name, random) {
  return {
    providers: made.providers.map(({ id, uuid, name: text, parent, root }) => ({
      id,
      uuid,
      name: text,
      parentId: parent,
      rootId: root,
    })),
    inventories: made.inventories.map(({ provider, name: resourceClass, total, reserved, ratio, capacity }, at) => {
      const share = name === 'full' ? 0.9 + random() * 0.1 : random();
      const step = resourceClass === 'MEMORY_MB' ? 256 : 1;
      const used = Math.floor((capacity * share) / step) * step;
      return {
        id: at + 1,
        providerId: provider,
        resourceClass,
        total,
        reserved,
        minUnit: 1,
        maxUnit: total,
        stepSize: 1,
        allocationRatio: ratio,
        capacity,
        used,
        version: 0,
      };
    }),
    traits: made.traits.map(([providerId, trait]) => ({ providerId, trait })),
    aggregates: made.aggregates.map(([providerId, aggregate]) => ({ providerId, aggregate })),
  };
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0).padStart(6)} ms`;
}

/** Of the process: on a busy machine the clock tells how busy it is. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
