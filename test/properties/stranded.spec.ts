// What the reports say is stranded, and how many of a flavor fit, against everything tried by hand in small clouds.
// BERTH_SEED repeats a run; a failure shows the smallest cloud that still fails. BERTH_ROUNDS raises the number of clouds.

import { applyUsage } from '../../src/candidate-search';
import type { ProviderGraph } from '../../src/candidate-search';
import { finish } from '../../src/domain/walk';
import { FindingsKeeper } from '../../src/reports/stranded/cloud-findings';
import type { FindingsBounds, Standing } from '../../src/reports/stranded/cloud-findings';
import { worldGraph } from '../world/world';
import { Dice } from './candidates-worlds';
import { StrandedModel, TooMuch } from './stranded-model';
import type { ModelCloud } from './stranded-model';
import { cloudAsText, drawCloud, requestOf, shrunken } from './stranded-worlds';

const ROUNDS = Math.max(250, Number(process.env['BERTH_ROUNDS'] ?? 0));
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BOUNDS: FindingsBounds = {
  candidates: 2_000,
  makes: 100,
  steps: 5_000,
  items: 500,
  likes: 100,
  stepsInAll: 1_000_000,
};

jest.setTimeout(3_700_000);

interface Line {
  readonly what: string;
  readonly value: number;
  readonly isExact: boolean;
}

const standingOf = (root: { readonly isSharing: boolean }): Standing => (root.isSharing ? 'none' : 'usable');

/** What the reports say, a line a fact. */
function reported(cloud: ModelCloud, bounds: FindingsBounds): readonly Line[] {
  return linesOf(worldGraph(cloudAsText(cloud)), new FindingsKeeper(cloud.flavors.map(requestOf), bounds));
}

function linesOf(graph: ProviderGraph, keeper: FindingsKeeper): readonly Line[] {
  const found = finish(keeper.find(graph, standingOf));
  const lines: Line[] = [];
  for (const [rootId, { stranded }] of found.hosts) {
    const name = graph.findTree(rootId)?.root.name ?? '';
    for (const { resourceClass, amount, isExact } of stranded) {
      lines.push({ what: `stranded ${resourceClass} on ${name}`, value: amount, isExact });
    }
  }
  for (const [at, { count, isExact }] of found.flavors.entries()) {
    lines.push({ what: `fit of flavor ${at}`, value: count, isExact });
  }
  return lines;
}

/** The graph after some of what it has is used otherwise, pools included. */
function usedOtherwise(graph: ProviderGraph, dice: Dice): ProviderGraph {
  const inventories = graph.rootIds.flatMap((id) =>
    (graph.findTree(id)?.providers ?? []).flatMap((provider) => provider.inventories),
  );
  const changes = dice.some(inventories, 0.3).map(({ id, version, capacity }) => {
    return { inventoryId: id, version: version + 1, used: dice.between(0, Math.max(0, capacity + 1)) };
  });
  return applyUsage(graph, changes).graph;
}

/** The same by trying; null where that would take too long. */
function tried(cloud: ModelCloud): ReadonlyMap<string, number> | null {
  const model = new StrandedModel(cloud);
  const lines = new Map<string, number>();
  try {
    const hosts = model.roots().filter(({ traits }) => !traits.includes('MISC_SHARES_VIA_AGGREGATE'));
    for (const root of hosts) {
      for (const name of ['VCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU']) {
        lines.set(`stranded ${name} on ${root.name}`, model.stranded(root, name));
      }
    }
    for (const [at, flavor] of cloud.flavors.entries()) lines.set(`fit of flavor ${at}`, model.fit(hosts, flavor));
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
  return lines;
}

/** Exact figures are the model's; others are bounds of it, on the side that they say. */
function isRight({ what, value, isExact }: Line, expected: number): boolean {
  if (isExact) return value === expected;
  return what.startsWith('stranded') ? value >= expected : value <= expected;
}

function wrongLines(cloud: ModelCloud, bounds: FindingsBounds): readonly string[] {
  const expected = tried(cloud);
  if (expected === null) return [];
  return reported(cloud, bounds).flatMap((line) => {
    const right = expected.get(line.what) ?? 0;
    return isRight(line, right) ? [] : [`${line.what}: ${line.value}${line.isExact ? '' : ' (a bound)'}, not ${right}`];
  });
}

/** Throws with the smallest cloud that shows a wrong line. */
function check(cloud: ModelCloud, bounds: FindingsBounds): void {
  if (wrongLines(cloud, bounds).length === 0) return;
  const smallest = shrunken(cloud, (smaller) => wrongLines(smaller, bounds).length > 0);
  const shown = [
    cloudAsText(smallest),
    ...smallest.flavors.map((flavor) => JSON.stringify(flavor)),
    ...wrongLines(smallest, bounds),
  ];
  throw new Error(`seed ${SEED}\n${shown.join('\n')}`);
}

describe(`stranded amounts and fits, seed ${SEED}`, () => {
  it('are those of everything tried, wherever they are said to be exact, and nearly always are', () => {
    const counts = { lines: 0, exact: 0, stranded: 0, fitting: 0, compared: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const cloud = drawCloud(new Dice(SEED + round * 7919));
      if (tried(cloud) === null) continue;
      check(cloud, BOUNDS);
      counts.compared += 1;
      for (const { what, value, isExact } of reported(cloud, BOUNDS)) {
        counts.lines += 1;
        if (isExact) counts.exact += 1;
        if (value > 0) counts[what.startsWith('stranded') ? 'stranded' : 'fitting'] += 1;
      }
    }
    expect(counts.compared).toBeGreaterThan(ROUNDS / 2);
    expect(counts.exact).toBeGreaterThan(counts.lines * 0.95);
    expect(Math.min(counts.stranded, counts.fitting)).toBeGreaterThan(ROUNDS / 5);
  });

  it('are bounds on the right side when there is next to no work allowed', () => {
    let cut = 0;
    const bounds = { ...BOUNDS, steps: 1, items: 3, candidates: 3 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const cloud = drawCloud(new Dice(SEED + round * 104_729));
      if (tried(cloud) === null) continue;
      check(cloud, bounds);
      cut += reported(cloud, bounds).filter(({ isExact }) => !isExact).length;
    }
    expect(cut).toBeGreaterThan(ROUNDS / 10);
  });

  it('are after every change what they would be if nothing had been known before', () => {
    let changed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const dice = new Dice(SEED + round * 15_485_863);
      const cloud = drawCloud(dice);
      const keeper = new FindingsKeeper(cloud.flavors.map(requestOf), BOUNDS);
      let graph = worldGraph(cloudAsText(cloud));
      let before = linesOf(graph, keeper);
      for (let step = 0; step < 4; step += 1) {
        graph = usedOtherwise(graph, dice);
        const lines = linesOf(graph, keeper);
        const afresh = linesOf(graph, new FindingsKeeper(cloud.flavors.map(requestOf), BOUNDS));
        expect({ seed: SEED, round, step, lines }).toEqual({ seed: SEED, round, step, lines: afresh });
        if (JSON.stringify(lines) !== JSON.stringify(before)) changed += 1;
        before = lines;
      }
    }
    expect(changed).toBeGreaterThan(ROUNDS);
  });
});
