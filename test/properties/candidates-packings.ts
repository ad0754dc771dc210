// Random trees that are hard to pack: equal and unequal children that the groups fill exactly or just miss, and queries
// that end only if the search refutes prefixes. Small ones for the model, large ones for laws without it.

import type { CandidateQuery, GraphRows, InventoryRow, RequestGroup } from '../../src/placement/candidate-search';
import { buildGraph, searchCandidates, Work } from '../../src/placement/candidate-search';
import { showCandidate } from './candidates-shown';
import type { Dice } from './candidates-worlds';

type Rows = { -readonly [K in keyof GraphRows]: GraphRows[K][number][] };

interface Packing {
  readonly rows: GraphRows;
  readonly query: CandidateQuery;
}

const CLASS = 'CUSTOM_BANDWIDTH';
/** Numbers of children and groups for which the model can try all assignments. */
const SMALL_SIZES = [
  [2, 9],
  [3, 6],
  [4, 5],
  [5, 4],
] as const;

/** One or two trees that are small enough for the model. */
export function drawSmallPacking(dice: Dice): Packing {
  const [children, groups] = dice.pick(SMALL_SIZES);
  const packing = dice.chance(0.3)
    ? drawMatching(dice, dice.between(3, 5))
    : drawPacking(dice, dice.between(1, 2), children, groups, 4);
  const suffixes = packing.query.groups.map(({ suffix }) => suffix).filter(() => dice.chance(0.7));
  return {
    rows: packing.rows,
    query: {
      ...packing.query,
      groupPolicy: dice.chance(0.4) ? 'isolate' : 'none',
      sameSubtree: dice.chance(0.4) && suffixes.length > 1 ? [suffixes] : [],
      nestedAware: dice.chance(0.9),
    },
  };
}

/** Two to five trees, of which only the first one fits for certain. */
function drawLargePacking(dice: Dice): Packing {
  return drawPacking(dice, dice.between(2, 5), dice.between(5, 8), dice.between(10, 15), 12);
}

function drawPacking(dice: Dice, trees: number, children: number, groups: number, amountMax: number): Packing {
  const areLike = dice.chance(0.4);
  const like = dice.between(1, amountMax);
  const amounts = Array.from({ length: groups }, () => (areLike ? like : dice.between(1, amountMax)));
  const rows: Rows = { providers: [], inventories: [], traits: [], aggregates: [] };
  for (let tree = 0; tree < trees; tree += 1) {
    const rooms = new Array<number>(children).fill(0);
    for (const amount of amounts) {
      const at = dice.between(0, children - 1);
      rooms[at] = (rooms[at] ?? 0) + amount;
    }
    if (tree > 0 || dice.chance(0.3)) spoil(dice, rooms);
    addTree(dice, rows, rooms);
  }
  return { rows, query: { ...REST, groups: amounts.map((amount, at) => groupOf(`_${at}`, amount)) } };
}

/** Groups with a class each, and about as many children, each with some of these classes. */
function drawMatching(dice: Dice, count: number): Packing {
  const rows: Rows = { providers: [], inventories: [], traits: [], aggregates: [] };
  const classes = Array.from({ length: count }, (_, at) => `${CLASS}_${at}`);
  const add = (parentId: number | null): void => {
    const id = rows.providers.length + 1;
    rows.providers.push({ id, uuid: `rp-${id}`, name: `rp-${id}`, parentId, rootId: 1 });
    for (const resourceClass of parentId === null ? [] : dice.some(classes, 0.6)) {
      rows.inventories.push(inventoryOf(rows, id, resourceClass, 1));
    }
  };
  add(null);
  for (let child = dice.between(count - 1, count); child > 0; child -= 1) {
    add(rows.providers.length > 1 && dice.chance(0.2) ? 2 : 1);
  }
  return { rows, query: { ...REST, groups: classes.map((name, at) => groupOf(`_${at}`, 1, name)) } };
}

const REST: Omit<CandidateQuery, 'groups'> = {
  groupPolicy: 'none',
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
  limit: null,
  nestedAware: true,
  maxCandidates: 1_000_000,
  strategy: 'depth-first',
  perRoot: null,
  randomize: false,
};

function groupOf(suffix: string, amount: number, resourceClass = CLASS): RequestGroup {
  const nothing = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [], inTree: null };
  return { suffix, resources: new Map([[resourceClass, amount]]), ...nothing };
}

function inventoryOf(rows: Rows, providerId: number, resourceClass: string, total: number): InventoryRow {
  const record = { total, reserved: 0, minUnit: 1, maxUnit: total, stepSize: 1, allocationRatio: 1 };
  const id = rows.inventories.length + 1;
  return { ...record, id, providerId, resourceClass, capacity: total, used: 0, version: 0 };
}

/** Moves room from one child to another, so an exact fit can become impossible. */
function spoil(dice: Dice, rooms: number[]): void {
  const [from, to] = [dice.between(0, rooms.length - 1), dice.between(0, rooms.length - 1)];
  const moved = Math.min(rooms[from] ?? 0, dice.between(1, 2));
  rooms[from] = (rooms[from] ?? 0) - moved;
  rooms[to] = (rooms[to] ?? 0) + moved;
}

/** A root, sometimes with room of its own, and its children, some of them nested. */
function addTree(dice: Dice, rows: Rows, rooms: readonly number[]): void {
  const rootId = rows.providers.length + 1;
  const addProvider = (parentId: number | null, room: number): void => {
    const id = rows.providers.length + 1;
    rows.providers.push({ id, uuid: `rp-${id}`, name: `rp-${id}`, parentId, rootId });
    if (room === 0) return;
    const maxUnit = dice.chance(0.1) ? dice.between(1, room) : room;
    rows.inventories.push({ ...inventoryOf(rows, id, CLASS, room), maxUnit });
  };
  const isDeep = dice.chance(0.3);
  const [first = 0, ...others] = rooms;
  const isOfRoot = dice.chance(0.5);
  addProvider(null, isOfRoot ? first : 0);
  (isOfRoot ? others : rooms).forEach((room, at) => addProvider(isDeep && at % 2 === 1 ? rootId + 1 : rootId, room));
}

/**
 * Law: below the limit of the whole search, a tree has the same result with and without other trees, including giving
 * up. Returns the difference, or null.
 */
export function findLostAmongOthers(dice: Dice): string | null {
  const { rows, query } = drawLargePacking(dice);
  const bounds = { stepsPerAnchorMax: dice.pick([500, 5_000, 50_000]), stepsBetweenPauses: 200 };
  const asked = {
    ...query,
    perRoot: dice.between(1, 3),
    strategy: dice.pick(['depth-first', 'breadth-first'] as const),
  };
  const answer = (some: GraphRows): { readonly shown: readonly string[]; readonly gaveUp: boolean } => {
    const { list, gaveUp } = searchCandidates(buildGraph(some), asked, { work: new Work(bounds) });
    return { shown: list.map(showCandidate).sort(), gaveUp };
  };
  const roots = rows.providers.filter(({ id, rootId }) => id === rootId);
  const alone = roots.map(({ id }) => answer(onlyTree(rows, id)));
  const expected = { shown: alone.flatMap(({ shown }) => shown).sort(), gaveUp: alone.some(({ gaveUp }) => gaveUp) };
  const amongOthers = answer(rows);
  const isEqual = JSON.stringify(amongOthers) === JSON.stringify(expected);
  return isEqual ? null : JSON.stringify({ expected, amongOthers });
}

function onlyTree(rows: GraphRows, wanted: number): GraphRows {
  const providers = rows.providers.filter(({ rootId }) => rootId === wanted);
  const ids = new Set(providers.map(({ id }) => id));
  return { ...rows, providers, inventories: rows.inventories.filter(({ providerId }) => ids.has(providerId)) };
}
