// The cost of a search, and its behaviour at its limits: asserted in steps, never with a clock.

import { worldGraph } from '../../../test/world/world';
import { parseQuery } from '../../../test/world/world-query';
import { runToCompletion } from '../../platform/values/task';
import type { CandidateQuery, Candidates, CandidateShape, GraphRows, ProviderGraph } from './index';
import { buildGraph, judgeHosts, searchCandidates, searchTask, Work } from './index';

const times = (count: number, value: number): number[] => new Array<number>(count).fill(value);

/** A host for each list: a root with cores, and a child for each room. */
type Cloud = readonly (readonly number[])[];

const hosts = (count: number, rooms: readonly number[]): Cloud => Array.from({ length: count }, () => rooms);

/** Drawings are for people; these are too large to be drawn. */
function graphOf(cloud: Cloud): ProviderGraph {
  return withSharers(cloud, 0);
}

/** The same, next to this many providers of unshared disks. */
function withSharers(cloud: Cloud, sharers: number): ProviderGraph {
  const rows: { -readonly [K in keyof GraphRows]: GraphRows[K][number][] } = {
    providers: [],
    inventories: [],
    traits: [],
    aggregates: [],
  };
  const add = (parentId: number | null, resourceClass: string, total: number): number => {
    const id = rows.providers.length + 1;
    rows.providers.push({ id, uuid: `rp-${id}`, name: `rp-${id}`, parentId, rootId: parentId ?? id });
    const record = { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
    rows.inventories.push({ ...record, id, providerId: id, resourceClass, capacity: total, used: 0, version: 0 });
    return id;
  };
  for (const rooms of cloud) {
    const rootId = add(null, 'VCPU', 8);
    for (const room of rooms) add(rootId, 'SRIOV_NET_VF', room);
  }
  for (let sharer = 0; sharer < sharers; sharer += 1) {
    rows.traits.push({ providerId: add(null, 'DISK_GB', 10), trait: 'MISC_SHARES_VIA_AGGREGATE' });
  }
  return buildGraph(rows);
}

const asking = (amounts: readonly number[], rest = 'group_policy=none'): string =>
  `${amounts.map((amount, at) => `resources${at + 1}=VF:${amount}`).join('&')}&${rest}`;

/** 81 units; eight providers of ten have room for eighty. */
const UNITS_81 = [...times(8, 6), ...times(7, 4), 5];
const ROOMS_85 = [11, 11, 10, 10, 11, 11, 11, 10];
/** Fits nowhere, which only enumeration shows. */
const UNEQUAL = [977, 953, 911, 883, 859, 827, 797, 769, 743, 719, 691, 661, 631, 607, 577, 547];
const UNEQUAL_ROOMS = [1531, 1549, 1511, 1523, 1543, 1499, 1481, 1515];
/** Fits at the first try. */
const ROOMY = times(8, 4_000);

interface Costed extends Candidates {
  readonly steps: number;
}

function search(cloud: Cloud, query: string, overrides: Partial<CandidateQuery> = {}, work = new Work()): Costed {
  const found = searchCandidates(graphOf(cloud), parseQuery(query, overrides), { work });
  return { ...found, steps: work.done };
}

/** As many as it pulls, and the most steps between two of them. */
function slicesOf(graph: ProviderGraph, query: CandidateQuery): { readonly pulls: number; readonly most: number } {
  const work = new Work({ stepsBetweenPauses: 1_000 });
  const task = searchTask(graph, query, { work });
  let [pulls, most, before] = [0, 0, 0];
  for (let step = task.next(); ; step = task.next()) {
    pulls += 1;
    most = Math.max(most, work.done - before);
    before = work.done;
    if (step.done === true) return { pulls, most };
  }
}

describe('a host that fits', () => {
  it('is found among any number of hosts that do not fit', () => {
    const alone = hosts(1, ROOMS_85);
    const query = asking(UNITS_81, 'group_policy=none&limit=1');
    expect(search(alone, query).list).toHaveLength(1);
    expect(search([...hosts(55, times(8, 10)), ...alone], query).list).toHaveLength(1);
  });

  it('is found although the search gives up the hosts before it', () => {
    const bounds = { stepsPerAnchorMax: 3_000 };
    const query = asking(UNEQUAL, 'group_policy=none');
    const cloud = [...hosts(5, UNEQUAL_ROOMS), ...hosts(1, ROOMY)];
    const { list, gaveUp, truncated } = search(cloud, query, { perRoot: 1 }, new Work(bounds));
    expect([list.length, gaveUp, truncated]).toEqual([1, true, true]);
  });

  it('is found when the groups fill it exactly', () => {
    const found = Array.from({ length: 20 }, (_, seed) => {
      const { amounts, rooms } = exactFit(seed);
      return search(hosts(1, rooms), asking(amounts, 'group_policy=none&limit=1')).list.length;
    });
    expect(found).toEqual(times(20, 1));
  });
});

describe('refutes impossible requests', () => {
  it.each<[string, Cloud, string, number]>([
    ['more units than all have', hosts(100, times(8, 10)), asking(UNITS_81), 200 * 100],
    ['units that leave room over', hosts(60, times(8, 10)), asking([...times(9, 6), ...times(7, 3)]), 1_500 * 60],
    ['fives and fours in eights', hosts(60, times(8, 8)), asking([...times(8, 5), ...times(5, 4)]), 4_000 * 60],
    ['isolated groups', hosts(60, times(8, 8)), asking(times(16, 1), 'group_policy=isolate'), 100 * 60],
  ])('%s', (_, cloud, query, stepsMax) => {
    const { list, gaveUp, truncated, steps } = search(cloud, query);
    expect([list.length, gaveUp, truncated]).toEqual([0, false, false]);
    expect(steps).toBeLessThan(stepsMax);
  });

  it.each([
    [3, 10_000],
    [24, 20_000],
    [100, 100_000],
  ])('%d isolated siblings in one subtree', (count, stepsMax) => {
    const drawing = ['r', '  top', ...times(300, 0).map((_, at) => `    c${at} VF:8`)].join('\n');
    const suffixes = times(count, 0).map((_, at) => at + 1);
    const rest = `group_policy=isolate&same_subtree=${suffixes.join()}&limit=1`;
    const work = new Work();
    const found = searchCandidates(worldGraph(drawing), parseQuery(asking(times(count, 1), rest)), { work });
    expect([found.list.length, found.gaveUp, found.truncated]).toEqual([0, false, false]);
    expect(work.done).toBeLessThan(stepsMax);
  });
});

describe('wide trees', () => {
  it('cost work in proportion to the limit, not to the tree', () => {
    for (const policy of ['isolate', 'none']) {
      const query = `${asking(times(6, 1))}&resources=VCPU:1`.replace('=none', `=${policy}`);
      const { list, steps } = search(hosts(20, times(8, 8)), `${query}&limit=1000`);
      expect(list).toHaveLength(1000);
      expect(steps).toBeLessThan(40 * 1000);
    }
  });
});

describe('a search beyond its step limits', () => {
  const impossible = asking(UNEQUAL);

  it('gives up one anchor and reports it', () => {
    const graph = graphOf(hosts(1, UNEQUAL_ROOMS));
    const work = new Work({ stepsPerAnchorMax: 5_000 });
    const { list, truncated, gaveUp } = searchCandidates(graph, parseQuery(impossible), { work });
    expect([list.length, truncated, gaveUp]).toEqual([0, true, true]);
    expect(work.done).toBeLessThan(10_000);
  });

  it('stops at the limit of the whole search and returns what it has found', () => {
    const cloud = [...hosts(1, ROOMY), ...hosts(50, UNEQUAL_ROOMS), ...hosts(1, ROOMY)];
    const bounds = { stepsMax: 60_000, stepsPerAnchorMax: 20_000 };
    for (const strategy of ['depth-first', 'breadth-first'] as const) {
      const found = search(cloud, impossible, { perRoot: 1, strategy }, new Work(bounds));
      expect([found.list.length, found.truncated, found.gaveUp]).toEqual([1, true, true]);
      expect(found.steps).toBeLessThan(70_000);
    }
  });

  it('reports trees that it did not finish as not fitting, within limits of its own', () => {
    const graph = graphOf(hosts(3, UNEQUAL_ROOMS));
    const judged = runToCompletion(judgeHosts(graph, parseQuery(impossible)));
    expect(judged.map(({ failures }) => failures.map(({ code }) => code))).toEqual(times(3, 0).map(() => ['given_up']));
  });
});

describe('a search yields between steps', () => {
  const nested = hosts(200, times(12, 8));
  it.each<[string, Cloud, string]>([
    ['while it matches', hosts(3_000, [1]), 'resources=VCPU:9&resources1=VF:1'],
    ['while it sifts', hosts(6_000, []), 'resources=VCPU:9'],
    ['while it combines', nested, asking(times(6, 1), 'group_policy=isolate&limit=5000')],
    ['while it packs', hosts(2, UNEQUAL_ROOMS), asking(UNEQUAL)],
    ['under a root of thousands', hosts(1, times(5_000, 8)), asking([1, 2, 3, 4], 'group_policy=isolate&limit=1')],
  ])('%s', (_, cloud, text) => {
    for (const strategy of ['depth-first', 'breadth-first'] as const) {
      const { pulls, most } = slicesOf(graphOf(cloud), parseQuery(text, { strategy }));
      expect(pulls).toBeGreaterThan(5);
      expect(most).toBeLessThan(1_000 + 2_000);
    }
  });

  it('while it draws a random sample', () => {
    const query = parseQuery('resources=VCPU:1', { randomize: true });
    const work = new Work({ stepsBetweenPauses: 1_000 });
    const task = searchTask(graphOf(hosts(5_000, [])), query, { random: () => 0.5, work });
    let pulls = 1;
    while (task.next().done !== true) pulls += 1;
    expect(pulls).toBeGreaterThan(5);
  });

  it('while it judges hosts', () => {
    let pulls = 1;
    const task = judgeHosts(graphOf(nested), parseQuery(asking(times(6, 1), 'group_policy=none')));
    while (task.next().done !== true) pulls += 1;
    expect(pulls).toBeGreaterThan(200);
  });

  it('but not when it is short', () => {
    const task = searchTask(graphOf(hosts(1_000, [])), parseQuery('resources=VCPU:1&limit=1000'));
    expect(task.next().done).toBe(true);
  });

  it('and stops when the generator is closed', () => {
    const work = new Work();
    const task = searchTask(graphOf(nested), parseQuery(asking(times(6, 1))), { work });
    task.next();
    const before = work.done;
    task.return({} as Candidates);
    expect([task.next().done, work.done]).toEqual([true, before]);
  });
});

describe('an answer that is too large', () => {
  const query = (rest: string, overrides: Partial<CandidateQuery> = {}): CandidateQuery =>
    parseQuery(asking(times(3, 1), rest), overrides);
  const graph = graphOf(hosts(50, times(8, 8)));
  const bytesOfShape = (shape: CandidateShape): number => 100 * shape.resources.length;

  it('stops at the byte limit and is marked as too large', () => {
    const found = searchCandidates(graph, query('group_policy=isolate'), { bytesOfShape, maxBytes: 3_000 });
    expect([found.isTooLarge, found.truncated, found.gaveUp, found.list.length]).toEqual([true, true, false, 11]);
  });

  it('counts the drawn sample, not all candidates generated for it', () => {
    const drawn = (limit: number): boolean =>
      searchCandidates(graph, query(`group_policy=isolate&limit=${limit}`, { randomize: true }), {
        random: () => 0.5,
        bytesOfShape,
        maxBytes: 3_000,
      }).isTooLarge;
    expect([drawn(10), drawn(11)]).toEqual([false, true]);
  });

  it('is not marked when it fits', () => {
    const found = searchCandidates(graph, query('group_policy=isolate&limit=10'), { bytesOfShape, maxBytes: 3_000 });
    expect([found.isTooLarge, found.truncated, found.list.length]).toEqual([false, false, 10]);
  });
});

/** 13 to 18 distinct amounts, in no order, that fill six to nine providers exactly. */
function exactFit(seed: number): { readonly amounts: readonly number[]; readonly rooms: readonly number[] } {
  let state = seed * 7919 + 1;
  const between = (low: number, high: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return low + ((state >>> 8) % (high - low + 1));
  };
  const rooms = times(between(6, 9), 0);
  const amounts = new Set<number>();
  for (const count = between(13, 18); amounts.size < count;) {
    const [amount, before] = [between(3, 60), amounts.size];
    const at = before < rooms.length ? before : between(0, rooms.length - 1);
    if (amounts.add(amount).size > before) rooms[at] = (rooms[at] ?? 0) + amount;
  }
  return { amounts: [...amounts].sort((first, second) => ((first * 37) % 61) - ((second * 37) % 61)), rooms };
}
