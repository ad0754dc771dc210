// The explanation of a search on random worlds: every tree is counted once, and every reason is true by its own
// numbers. BERTH_SEED repeats a run.

import type {
  CandidateQuery,
  ExplainedGroup,
  GraphRows,
  ProviderGraph,
  RequestGroup,
} from '../../src/placement/candidate-search';
import {
  buildGraph,
  explainAnswer,
  ExplainedGroups,
  explainProvider,
  REJECTION_SENTENCES,
  searchCandidates,
} from '../../src/placement/candidate-search';
import { fitsUnits } from '../../src/placement/domain/inventory';
import { runToCompletion } from '../../src/platform/values/task';
import { modelAnchors } from './candidates-model';
import { faultOf } from './candidates-reasons';
import { showCandidate } from './candidates-shown';
import { describe as describeCase, Dice, drawQuery, drawWorld } from './candidates-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 2000);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const QUERIES_PER_WORLD = 4;

jest.setTimeout(3_700_000);

function groupsOf(graph: ProviderGraph, query: CandidateQuery): readonly ExplainedGroup[] {
  const explained = new ExplainedGroups(graph, query);
  for (const rootId of graph.rootIds) explained.count(rootId);
  return explained.groups;
}

function eachCase(salt: number, judge: (dice: Dice, rows: GraphRows, query: CandidateQuery) => void): void {
  for (let round = 0; round < ROUNDS;) {
    const dice = new Dice(SEED + salt + round * 7919);
    const rows = drawWorld(dice);
    for (let at = 0; at < QUERIES_PER_WORLD; at += 1, round += 1) {
      const query = drawQuery(dice, rows);
      judge(dice, rows, dice.chance(0.4) ? { ...query, limit: dice.between(1, 3) } : query);
    }
  }
}

/** Reports the random world and query if a check fails; one `expect` per check would be too slow. */
function hold(rows: GraphRows, query: CandidateQuery, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  const drawn = { seed: SEED, case: describeCase(rows, query) };
  expect({ ...drawn, actual }).toEqual({ ...drawn, actual: expected });
}

describe(`explanations on random worlds, seed ${SEED}`, () => {
  it('have every tree in the answer, in one rejection or not reached, as in the model', () => {
    const counts = { in_answer: 0, rejected: 0, not_reached: 0 };
    eachCase(0, (_, rows, query) => {
      const anchors = modelAnchors(rows, query);
      if (anchors === null) return;
      const { candidates, trees, rejections, statusOf } = runToCompletion(explainAnswer(buildGraph(rows), query));
      const returned = new Set(candidates.list.map(showCandidate));
      expect(returned.size).toBe(
        Math.min(query.limit ?? Infinity, new Set([...anchors.values()].flatMap((s) => [...s])).size),
      );
      const expected = new Map(
        [...anchors].map(([rootId, yielded]) => {
          if ([...yielded].some((candidate) => returned.has(candidate))) return [rootId, 'in_answer'] as const;
          return [rootId, yielded.size === 0 ? 'rejected' : 'not_reached'] as const;
        }),
      );
      const actual = new Map([...anchors.keys()].map((rootId) => [rootId, statusOf(rootId)] as const));
      hold(rows, query, [...actual], [...expected]);
      for (const status of expected.values()) counts[status] += 1;
      expect(trees.total).toBe(anchors.size);
      expect(trees.in_answer + trees.rejected + trees.not_reached).toBe(trees.total);
      const rejected = [...expected].filter(([, status]) => status === 'rejected').map(([rootId]) => rootId);
      expect(rejections.map(({ root }) => root.id)).toEqual(rejected.sort((a, b) => a - b));
    });
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(ROUNDS / 40);
  });

  it('belong to the answer of the search', () => {
    eachCase(1, (_, rows, query) => {
      const graph = buildGraph(rows);
      expect(runToCompletion(explainAnswer(graph, query)).candidates.list.map(showCandidate)).toEqual(
        searchCandidates(graph, query).list.map(showCandidate),
      );
    });
  });

  it('give reasons that their params prove, each with a sentence', () => {
    const codes = new Map<string, number>();
    eachCase(2, (_, rows, query) => {
      for (const rejection of runToCompletion(explainAnswer(buildGraph(rows), query)).rejections) {
        const fault = faultOf(rows, query, rejection);
        hold(rows, query, fault === null ? null : { fault, rejection }, null);
        const code = `${rejection.stage}.${rejection.code}`;
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    });
    expect([...codes.keys()].filter((code) => !REJECTION_SENTENCES.includes(code))).toEqual([]);
    // Impossible in an explanation: a repeated candidate counts as in the answer, and every query requests something.
    const rare = ['combine.same_as_other_anchor', 'combine.nothing_asked', 'combine.given_up'];
    const seen = REJECTION_SENTENCES.filter((code) => codes.has(code) && !rare.includes(code));
    expect(seen.length).toBeGreaterThan(15);
  });

  it('count consecutive stages, with an empty one only if nothing is found', () => {
    eachCase(3, (_, rows, query) => {
      const graph = buildGraph(rows);
      const { candidates, trees, wholeRequest } = runToCompletion(explainAnswer(graph, query));
      expect(wholeRequest[0]?.in).toBe(trees.total);
      expect(wholeRequest.at(-1)?.out).toBe(trees.in_answer + trees.not_reached);
      for (const { suffix, stages, firstEmpty, classes } of groupsOf(graph, query)) {
        for (const counts of [stages, ...classes.map((each) => each.stages), wholeRequest]) {
          for (const [at, { in: before, out }] of counts.entries()) {
            const isChained = out <= before && (at === 0 || counts[at - 1]?.out === before);
            hold(rows, query, isChained, true);
          }
        }
        expect(stages[0]?.in).toBe(rows.providers.length);
        const group = query.groups.find((each) => each.suffix === suffix);
        hold(
          rows,
          query,
          stages.slice(0, 2).map(({ out }) => out),
          group && [countOf(rows, group, hasClass), countOf(rows, group, hasRoom)],
        );
        if (firstEmpty !== null) hold(rows, query, candidates.list.length, 0);
      }
    });
  });

  it('of a provider deny a part of the request only if no candidate gives it that part', () => {
    eachCase(4, (dice, rows, query) => {
      const graph = buildGraph(rows);
      const provider = graph.findProviderByUuid(dice.pick(rows.providers).uuid);
      if (provider === undefined) return;
      const { list } = searchCandidates(graph, { ...query, limit: null });
      for (const { group, reason } of explainProvider(graph, query, provider)) {
        const servers = list
          .filter(({ root, mappings }) => root.id === provider.rootId && group !== '' && group in mappings)
          .flatMap(({ mappings }) => mappings[group] ?? []);
        if (reason === null) continue;
        hold(rows, query, { group, reason, isUsed: servers.includes(provider.uuid) }, { group, reason, isUsed: false });
        hold(rows, query, REJECTION_SENTENCES.includes(`${reason.stage}.${reason.code}`), true);
      }
    });
  });
});

type Holds = (rows: GraphRows, providerId: number, demand: readonly [string, number]) => boolean;

const hasClass: Holds = (rows, providerId, [resourceClass]) =>
  rows.inventories.some((row) => row.providerId === providerId && row.resourceClass === resourceClass);

const hasRoom: Holds = (rows, providerId, [resourceClass, amount]) =>
  rows.inventories.some(
    (row) =>
      row.providerId === providerId &&
      row.resourceClass === resourceClass &&
      row.used + amount <= row.capacity &&
      fitsUnits(row, amount),
  );

/** For the unsuffixed group one class is enough. */
function countOf(rows: GraphRows, { suffix, resources }: RequestGroup, holds: Holds): number {
  const demands = [...resources];
  return rows.providers.filter(({ id }) =>
    suffix === '' ? demands.some((each) => holds(rows, id, each)) : demands.every((each) => holds(rows, id, each)),
  ).length;
}
