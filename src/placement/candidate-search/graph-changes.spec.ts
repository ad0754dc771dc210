import { graphEquals } from '../../../test/support/graph-dump';
import { describedRows, world, worldGraph } from '../../../test/world/world';
import { parseWorld } from '../../../test/world/world-description';
import { parseQuery } from '../../../test/world/world-query';
import { runToCompletion } from '../../platform/values/task';
import { IdIndex } from './id-index';
import { IdMap } from './id-map';
import type { GraphRows } from './index';
import { applyUsage, buildGraph, replaceTrees, searchCandidates, treesConcerned } from './index';

const TWO_TREES = 'a VCPU:4\n  a1 VGPU:1\nb VCPU:4\n  b1 VGPU:1';

function without(rows: GraphRows, id: number): GraphRows {
  return {
    providers: rows.providers.filter((row) => row.id !== id),
    inventories: rows.inventories.filter((row) => row.providerId !== id),
    traits: rows.traits,
    aggregates: rows.aggregates,
  };
}

function moved(rows: GraphRows, id: number, parentId: number, rootId: number): GraphRows {
  const providers = rows.providers.map((row) => (row.id === id ? { ...row, parentId, rootId } : row));
  return { ...rows, providers };
}

describe('replaceTrees', () => {
  it('removes a provider that the rows no longer have', () => {
    const rows = without(world(TWO_TREES), 2);
    expect(graphEquals(runToCompletion(replaceTrees(worldGraph(TWO_TREES), [2], rows)), buildGraph(rows))).toBe(true);
  });

  it('moves a provider from its old tree to the new one', () => {
    const rows = moved(world(TWO_TREES), 2, 3, 3);
    expect(graphEquals(runToCompletion(replaceTrees(worldGraph(TWO_TREES), [2], rows)), buildGraph(rows))).toBe(true);
  });

  it('leaves no provider in two trees when the rows are newer than the list of changes', () => {
    const rows = moved(world(TWO_TREES), 2, 3, 3);
    expect(graphEquals(runToCompletion(replaceTrees(worldGraph(TWO_TREES), [3], rows)), buildGraph(rows))).toBe(true);
  });

  it('shares unchanged trees and does not modify the old snapshot', () => {
    const graph = worldGraph(TWO_TREES);
    const next = runToCompletion(replaceTrees(graph, [3], without(world(TWO_TREES), 4)));
    expect(next.findTree(1)).toBe(graph.findTree(1));
    expect(graphEquals(graph, worldGraph(TWO_TREES))).toBe(true);
  });
});

describe('applyUsage', () => {
  it('applies a change only if its version is higher', () => {
    const graph = worldGraph('a VCPU:4');
    const used = (version: number) =>
      applyUsage(graph, [{ inventoryId: 1, used: 4, version }]).graph.findProvider(1)?.inventories[0]?.used;
    expect([used(0), used(1)]).toEqual([0, 4]);
  });

  it('returns the row ids that the graph does not have', () => {
    expect(applyUsage(worldGraph('a VCPU:4'), [{ inventoryId: 9, used: 1, version: 1 }]).unknownIds).toEqual([9]);
  });

  it('is visible to the next search, not to the previous snapshot', () => {
    const before = worldGraph('a VCPU:4');
    const after = applyUsage(before, [{ inventoryId: 1, used: 4, version: 1 }]).graph;
    const count = (graph: typeof before): number => searchCandidates(graph, parseQuery('resources=VCPU:1')).list.length;
    expect([count(before), count(after)]).toEqual([1, 0]);
  });
});

it('buildGraph refuses a provider whose parent is not among the rows', () => {
  const rows = describedRows(parseWorld('a\n  b'));
  expect(() => buildGraph({ ...rows, providers: rows.providers.slice(1) })).toThrow('root');
});

describe('IdMap', () => {
  it('keeps ids of many magnitudes and does not modify the previous map', () => {
    const ids = [0, 1, 31, 32, 1023, 1024, 2 ** 30 - 1, 2 ** 30, 2 ** 31 + 5, 2 ** 52];
    const edit = new IdMap<string>().edit();
    for (const id of ids) edit.set(id, `v${id}`);
    const map = edit.done();
    const next = map.edit();
    next.set(1, 'other');
    next.delete(1024);
    const later = next.done();
    expect(ids.map((id) => map.get(id))).toEqual(ids.map((id) => `v${id}`));
    expect([later.get(1), later.get(1024), later.get(0), later.get(77)]).toEqual(['other', undefined, 'v0', undefined]);
  });
});

describe('IdIndex', () => {
  it.each([3, 40, 9_001])('stays ascending and distinct through %i changes at once', (count) => {
    const numbers = Array.from({ length: count }, (_, at) => (at * 7919) % 10_007);
    const edit = new IdIndex().edit();
    for (const id of numbers) edit.file('k', id);
    const index = edit.done();
    expect(index.get('k')).toEqual([...numbers].sort((first, second) => first - second));
    const remove = index.edit();
    for (const id of numbers.slice(1)) remove.remove('k', id);
    expect(remove.done().get('k')).toEqual(numbers.slice(0, 1));
  });

  it('keeps the same array for a key whose removed ids are all added again, and does not modify the previous index', () => {
    const edit = new IdIndex().edit();
    for (const id of [1, 2, 2 ** 31, 2 ** 51]) for (const key of ['kept', 'changed']) edit.file(key, id);
    const before = edit.done();
    const next = before.edit();
    for (const id of before.get('kept')) next.remove('kept', id);
    for (const id of before.get('kept')) next.file('kept', id);
    next.remove('changed', 2 ** 31);
    const after = next.done();
    expect(after.get('kept')).toBe(before.get('kept'));
    expect([before.get('changed'), after.get('changed')]).toEqual([
      [1, 2, 2 ** 31, 2 ** 51],
      [1, 2, 2 ** 51],
    ]);
    expect([before.keys, after.keys]).toEqual([
      ['changed', 'kept'],
      ['changed', 'kept'],
    ]);
  });
});

describe('a graph of many hosts', () => {
  const HOSTS = 12_000;

  /** Hosts without children, each with a class, a trait and an aggregate. */
  function manyRows(): GraphRows {
    const ids = Array.from({ length: HOSTS }, (_, at) => 1 + ((at * 7_919) % HOSTS));
    const record = { total: 8, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 1 };
    const inventory = { ...record, resourceClass: 'VCPU', capacity: 8, used: 0, version: 0 };
    return {
      providers: ids.map((id) => ({ id, uuid: `rp-${id}`, name: `rp-${id}`, parentId: null, rootId: id })),
      inventories: ids.map((id) => ({ ...inventory, id, providerId: id })),
      traits: ids.map((providerId) => ({ providerId, trait: 'HW_CPU' })),
      aggregates: ids.map((providerId) => ({ providerId, aggregate: `agg-${providerId % 7}` })),
    };
  }

  it('is replaced as a whole in steps', () => {
    const rows = manyRows();
    const built = buildGraph(rows);
    const ids = rows.providers.map(({ id }) => id);
    expect(treesConcerned(built, ids)).toEqual(ids);
    let steps = 0;
    const replacing = replaceTrees(built, ids, rows);
    let step = replacing.next();
    for (; step.done !== true; step = replacing.next()) steps += 1;
    expect(steps).toBeGreaterThan(HOSTS / 10);
    expect(step.value.rootIds).toEqual([...ids].sort((first, second) => first - second));
    expect(step.value.parts.everything.get('roots')).toBe(built.parts.everything.get('roots'));
  });

  it('shares one object between equal lists, and between empty lists', () => {
    const graph = buildGraph(manyRows());
    expect(graph.findProvider(1)?.aggregates).toBe(graph.findProvider(8)?.aggregates);
    expect(graph.findProvider(1)?.traits).toBe(graph.findProvider(2)?.traits);
    const bare = buildGraph({ ...manyRows(), inventories: [], traits: [], aggregates: [] });
    const [one, other] = [bare.findProvider(1), bare.findProvider(2)];
    expect(one?.aggregates).toBe(other?.aggregates);
    expect(one?.inventories).toBe(other?.inventories);
  });
});
