// Checks that every read of a search is counted. All inner loops of a search read the offers of a tree, so the test
// counts these reads from outside and compares them with the steps that the search reports between two pauses.

import type { CandidateQuery, GraphRows, ProviderGraph, RequestGroup } from '../../src/placement/candidate-search';
import { buildGraph, searchTask, Work } from '../../src/placement/candidate-search';

const STEPS = 500;
/** A step reads an offer a few times, and some steps are combined. */
const READS_MAX = 12 * STEPS;

type Rows = { -readonly [K in keyof GraphRows]: GraphRows[K][number][] };

const NOTHING = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [], inTree: null };

/** One tree: the root, and a child with many children. */
function wideTree(rooms: readonly number[]): GraphRows {
  const rows: Rows = { providers: [], inventories: [], traits: [], aggregates: [] };
  const add = (id: number, parentId: number | null, total: number): void => {
    rows.providers.push({ id, uuid: `rp-${id}`, name: `rp-${id}`, parentId, rootId: 1 });
    if (total === 0) return;
    const record = { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
    const ids = { id, providerId: id, resourceClass: 'SRIOV_NET_VF', capacity: total, used: 0, version: 0 };
    rows.inventories.push({ ...record, ...ids });
  };
  add(1, null, 0);
  add(2, 1, 0);
  rooms.forEach((room, at) => add(at + 3, 2, room));
  return rows;
}

function groupsOf(amounts: readonly number[]): readonly RequestGroup[] {
  return amounts.map((amount, at) => ({
    ...NOTHING,
    suffix: `_${at}`,
    resources: new Map([['SRIOV_NET_VF', amount]]),
  }));
}

function asked(amounts: readonly number[], rest: Partial<CandidateQuery> = {}): CandidateQuery {
  return {
    groups: groupsOf(amounts),
    groupPolicy: 'none',
    sameSubtree: [],
    rootRequired: [],
    rootForbidden: [],
    limit: 1,
    nestedAware: true,
    maxCandidates: 100_000,
    strategy: 'depth-first',
    perRoot: null,
    randomize: false,
    ...rest,
  };
}

const times = (count: number, value: number): number[] => new Array<number>(count).fill(value);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Searches that spend their work in different inner loops. */
const CASES: readonly (readonly [string, GraphRows, CandidateQuery])[] = [
  ['matching', wideTree(times(9_000, 60)), asked(upTo(20))],
  ['combining, looking back', wideTree(times(60, 1)), asked(times(55, 1), { limit: 2_000 })],
  ['matchings of a judgement', wideTree(upTo(200)), asked([...times(100, 101), ...upTo(90).map((at) => at + 105)])],
  [
    'what same_subtree can reach',
    wideTree(times(4_000, 60)),
    asked(upTo(12), { groupPolicy: 'isolate', sameSubtree: [groupsOf(upTo(12)).map(({ suffix }) => suffix)] }),
  ],
];

/** The search with more reads than steps, or null. */
export function findUncountedWork(): string | null {
  for (const [name, rows, query] of CASES) {
    const most = mostReadsBetweenPauses(buildGraph(rows), query);
    if (most > READS_MAX) return `${name}: ${most} looks between two pauses`;
  }
  return null;
}

function mostReadsBetweenPauses(graph: ProviderGraph, query: CandidateQuery): number {
  let reads = 0;
  countReads(graph, () => (reads += 1));
  const walk = searchTask(graph, query, { work: new Work({ stepsBetweenPauses: STEPS, stepsPerAnchorMax: 300_000 }) });
  let most = 0;
  for (let step = walk.next(); step.done !== true; step = walk.next()) {
    most = Math.max(most, reads);
    reads = 0;
  }
  return Math.max(most, reads);
}

function countReads(graph: ProviderGraph, count: () => void): void {
  for (const rootId of graph.rootIds) {
    for (const offers of graph.findTree(rootId)?.offers?.values() ?? []) {
      for (const offer of offers) {
        const { provider } = offer;
        Object.defineProperty(offer, 'provider', { get: () => (count(), provider) });
      }
    }
  }
}
