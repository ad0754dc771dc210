// The verdicts on hosts on random worlds: a host fails something exactly if the model has no candidate under its root, and what a
// provider fails, no candidate gets from it. BERTH_SEED repeats a run.

import type { CandidateQuery, GraphRows } from '../../src/placement/candidate-search';
import { buildGraph, ConditionChecks, judgeHosts, searchCandidates } from '../../src/placement/candidate-search';
import { runToCompletion } from '../../src/platform/values/task';
import { modelAnchors } from './candidates-model';
import { describe as describeCase, Dice, drawQuery, drawWorld } from './candidates-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 2000);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const QUERIES_PER_WORLD = 4;

jest.setTimeout(3_700_000);

function eachCase(salt: number, judge: (dice: Dice, rows: GraphRows, query: CandidateQuery) => void): void {
  for (let round = 0; round < ROUNDS;) {
    const dice = new Dice(SEED + salt + round * 7919);
    const rows = drawWorld(dice);
    for (let at = 0; at < QUERIES_PER_WORLD; at += 1, round += 1) judge(dice, rows, drawQuery(dice, rows));
  }
}

/** Reports the random world and query if a check fails; one `expect` per check would be too slow. */
function hold(rows: GraphRows, query: CandidateQuery, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  const drawn = { seed: SEED, case: describeCase(rows, query) };
  expect({ ...drawn, actual }).toEqual({ ...drawn, actual: expected });
}

describe(`verdicts on random worlds, seed ${SEED}`, () => {
  it('refuse a host exactly if the model has no candidate under it', () => {
    const codes = new Map<string, number>();
    eachCase(0, (_, rows, query) => {
      const anchors = modelAnchors(rows, query);
      if (anchors === null) return;
      const judged = runToCompletion(judgeHosts(buildGraph(rows), query));
      const expected = judged.map(({ root }) => [root.id, anchors.get(root.id)?.size === 0]);
      const actual = judged.map(({ root, failures }) => [root.id, failures.length > 0]);
      hold(rows, query, actual, expected);
      for (const { code } of judged.flatMap(({ failures }) => failures)) codes.set(code, (codes.get(code) ?? 0) + 1);
    });
    expect(codes.size).toBeGreaterThan(12);
  });

  it('deny a part of the request to a provider only if no candidate gets it there', () => {
    let denied = 0;
    eachCase(1, (dice, rows, query) => {
      const graph = buildGraph(rows);
      const provider = graph.findProviderByUuid(dice.pick(rows.providers).uuid);
      const tree = provider && graph.findTreeOf(provider.id);
      if (provider === undefined || tree === undefined) return;
      const { list } = searchCandidates(graph, { ...query, limit: null });
      for (const { condition } of new ConditionChecks(graph, query).failuresOfProvider(tree, provider)) {
        if (condition.kind !== 'resource' || condition.parts.length > 1) continue;
        denied += 1;
        const [suffix = ''] = condition.groups;
        const [name = ''] = condition.names;
        const isUsed = list.some(
          ({ root, mappings, allocations }) =>
            root.id === provider.rootId &&
            mappings[suffix]?.includes(provider.uuid) === true &&
            allocations[provider.uuid]?.resources[name] !== undefined,
        );
        hold(rows, query, { condition: name, isUsed }, { condition: name, isUsed: false });
      }
    });
    expect(denied).toBeGreaterThan(ROUNDS / 10);
  });
});
