// Reported stranded amounts and fits compared with a brute-force model in small clouds. BERTH_SEED repeats a run; a
// failure shows the smallest cloud that still fails. BERTH_ROUNDS raises the number of clouds.

import { runToCompletion } from '../../src/platform/values/task';
import { findingsOf } from '../../src/reports/stranded/cloud-findings';
import { worldGraph } from '../world/world';
import { Dice } from './candidates-worlds';
import type { ModelCloud } from './stranded-model';
import { StrandedModel, TooMuch } from './stranded-model';
import { cloudAsText, drawCloud, requestOf, shrunken } from './stranded-worlds';

const ROUNDS = Math.max(250, Number(process.env['BERTH_ROUNDS'] ?? 0));
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const CANDIDATES = 2_000;

jest.setTimeout(3_700_000);

interface Line {
  readonly what: string;
  readonly value: number;
  readonly isExact: boolean;
}

/** The values of the reports, one line per value. */
function reported(cloud: ModelCloud, candidates: number): readonly Line[] {
  const graph = worldGraph(cloudAsText(cloud));
  const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []).filter(({ root }) => !root.isSharing);
  const found = runToCompletion(findingsOf(graph, { requests: cloud.flavors.map(requestOf), trees, candidates }));
  const lines: Line[] = [];
  for (const [rootId, stranded] of found.hosts) {
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

/** The same values from the model; null if that would take too long. */
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

/** Exact values equal the model's; the others are bounds of it on the stated side. */
function isRight({ what, value, isExact }: Line, expected: number): boolean {
  if (isExact) return value === expected;
  return what.startsWith('stranded') ? value >= expected : value <= expected;
}

function wrongLines(cloud: ModelCloud, candidates: number): readonly string[] {
  const expected = tried(cloud);
  if (expected === null) return [];
  return reported(cloud, candidates).flatMap((line) => {
    const right = expected.get(line.what) ?? 0;
    return isRight(line, right) ? [] : [`${line.what}: ${line.value}${line.isExact ? '' : ' (a bound)'}, not ${right}`];
  });
}

/** Throws with the smallest cloud that shows a wrong line. */
function check(cloud: ModelCloud, candidates: number): void {
  if (wrongLines(cloud, candidates).length === 0) return;
  const smallest = shrunken(cloud, (smaller) => wrongLines(smaller, candidates).length > 0);
  const shown = [
    cloudAsText(smallest),
    ...smallest.flavors.map((flavor) => JSON.stringify(flavor)),
    ...wrongLines(smallest, candidates),
  ];
  throw new Error(`seed ${SEED}\n${shown.join('\n')}`);
}

describe(`stranded amounts and fits, seed ${SEED}`, () => {
  it('equal the model wherever they are exact, which is nearly always', () => {
    const counts = { lines: 0, exact: 0, stranded: 0, fitting: 0, compared: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const cloud = drawCloud(new Dice(SEED + round * 7919));
      if (tried(cloud) === null) continue;
      check(cloud, CANDIDATES);
      counts.compared += 1;
      for (const { what, value, isExact } of reported(cloud, CANDIDATES)) {
        counts.lines += 1;
        if (isExact) counts.exact += 1;
        if (value > 0) counts[what.startsWith('stranded') ? 'stranded' : 'fitting'] += 1;
      }
    }
    expect(counts.compared).toBeGreaterThan(ROUNDS / 2);
    expect(counts.exact).toBeGreaterThan(counts.lines * 0.95);
    expect(Math.min(counts.stranded, counts.fitting)).toBeGreaterThan(ROUNDS / 5);
  });

  it('are bounds on the right side if most ways to place a flavor are skipped', () => {
    let cut = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const cloud = drawCloud(new Dice(SEED + round * 104_729));
      if (tried(cloud) === null) continue;
      check(cloud, 1);
      cut += reported(cloud, 1).filter(({ isExact }) => !isExact).length;
    }
    expect(cut).toBeGreaterThan(ROUNDS / 10);
  });
});
