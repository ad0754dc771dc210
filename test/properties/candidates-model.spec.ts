// The engine against the model on random worlds, and the laws that hold without a model.
// BERTH_ROUNDS raises the number of pairs of world and query; BERTH_SEED repeats a run.

import {
  RecordingTrace,
  applyUsage,
  buildGraph,
  graphEquals,
  providersToSummarise,
  replaceTrees,
  searchCandidates,
} from '../../src/candidate-search';
import type { Candidate, CandidateQuery, GraphRows } from '../../src/candidate-search';
import { modelCandidates, modelSummarised } from './candidates-model';
import { Dice, describe as describeCase, drawChange, drawQuery, drawWorld } from './candidates-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 20_000);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const SECONDS_MAX = process.env['BERTH_ROUNDS'] === undefined ? 18 : 3600;
const QUERIES_PER_WORLD = 5;
const OTHER_ROUNDS = Math.max(1000, Math.floor(ROUNDS / 20));

jest.setTimeout(3_700_000);

function show({ allocations, mappings }: Candidate): string {
  const sums = allocations.flatMap(({ provider, resources }) =>
    [...resources].map(([resourceClass, amount]) => `${provider.uuid}/${resourceClass}:${amount}`),
  );
  const pairs = [...mappings].flatMap(([suffix, uuids]) => uuids.map((uuid) => `${suffix}>${uuid}`));
  return `${sums.sort().join(' ')} | ${pairs.sort().join(' ')}`;
}

function engine(rows: GraphRows, query: CandidateQuery, env = {}): readonly string[] {
  return searchCandidates(buildGraph(rows), query, env).list.map(show);
}

function differ(rows: GraphRows, query: CandidateQuery): boolean {
  const expected = modelCandidates(rows, query);
  return expected !== null && JSON.stringify([...expected].sort()) !== JSON.stringify([...engine(rows, query)].sort());
}

/** The same disagreement with as few facts as leaving out one after another can reach. */
function shrink(rows: GraphRows, query: CandidateQuery): GraphRows {
  for (const table of ['inventories', 'traits', 'aggregates'] as const) {
    for (const row of rows[table]) {
      const fewer = { ...rows, [table]: (rows[table] as readonly unknown[]).filter((other) => other !== row) };
      if (differ(fewer, query)) return shrink(fewer, query);
    }
  }
  return rows;
}

function eachCase(
  rounds: number,
  salt: number,
  judge: (dice: Dice, rows: GraphRows, query: CandidateQuery) => void,
): void {
  for (let round = 0; round < rounds;) {
    const dice = new Dice(SEED + salt + round * 7919);
    const rows = drawWorld(dice);
    for (let query = 0; query < QUERIES_PER_WORLD; query += 1, round += 1) judge(dice, rows, drawQuery(dice, rows));
  }
}

describe(`allocation candidates on random worlds, seed ${SEED}`, () => {
  it('are those of the model, mappings included, none twice', () => {
    let pairs = 0;
    let answered = 0;
    const startedAt = performance.now();
    eachCase(ROUNDS, 0, (_, rows, query) => {
      if (performance.now() - startedAt > SECONDS_MAX * 1000) return;
      const expected = modelCandidates(rows, query);
      if (expected === null) return;
      pairs += 1;
      if (expected.size > 0) answered += 1;
      const actual = [...engine(rows, query)].sort();
      if (JSON.stringify([...expected].sort()) !== JSON.stringify(actual)) {
        const small = shrink(rows, query);
        expect({ seed: SEED, case: describeCase(small, query), candidates: [...engine(small, query)].sort() }).toEqual({
          ...{ seed: SEED, case: describeCase(small, query) },
          candidates: [...(modelCandidates(small, query) ?? [])].sort(),
        });
      }
    });
    process.stdout.write(`${pairs} pairs compared, ${answered} with candidates, seed ${SEED}\n`);
    expect(answered).toBeGreaterThanOrEqual(pairs * 0.4);
    expect(pairs).toBeGreaterThan(0);
  });

  it('are summarised with the trees, before 1.29 with the providers, they take from', () => {
    eachCase(OTHER_ROUNDS, 1, (_, rows, query) => {
      const candidates = searchCandidates(buildGraph(rows), query);
      const givers = new Set(
        candidates.list.flatMap(({ allocations }) => allocations.map(({ provider }) => provider.uuid)),
      );
      for (const nestedAware of [true, false]) {
        const summarised = providersToSummarise(candidates, nestedAware).map(({ uuid }) => uuid);
        expect(summarised.sort()).toEqual(modelSummarised(rows, givers, nestedAware));
      }
    });
  });

  it('with a limit are the first of those without', () => {
    eachCase(OTHER_ROUNDS, 2, (dice, rows, query) => {
      const all = engine(rows, query);
      const limit = dice.between(1, 6);
      expect(engine(rows, { ...query, limit })).toEqual(all.slice(0, limit));
    });
  });

  it('drawn at random are among those generated, the same for the same seed', () => {
    eachCase(OTHER_ROUNDS, 3, (dice, rows, query) => {
      const all = new Set(engine(rows, query));
      const limit = dice.between(1, 6);
      const draw = (): readonly string[] =>
        engine(rows, { ...query, limit, randomize: true }, { random: new Dice(limit).next });
      const drawn = draw();
      expect(drawn.length).toBe(Math.min(limit, all.size));
      expect(drawn.every((candidate) => all.has(candidate))).toBe(true);
      expect(new Set(drawn).size).toBe(drawn.length);
      expect(draw()).toEqual(drawn);
    });
  });

  it('are the same breadth-first, and at most so many of each anchor when asked', () => {
    eachCase(OTHER_ROUNDS, 4, (_, rows, query) => {
      const all = [...engine(rows, query)].sort();
      expect([...engine(rows, { ...query, strategy: 'breadth-first' })].sort()).toEqual(all);
      const { list } = searchCandidates(buildGraph(rows), { ...query, perRoot: 2, strategy: 'breadth-first' });
      const counts = new Map<number, number>();
      for (const { anchorId } of list) counts.set(anchorId, (counts.get(anchorId) ?? 0) + 1);
      expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(2);
      const known = new Set(all);
      expect(list.map(show).every((candidate) => known.has(candidate))).toBe(true);
    });
  });

  it('never grow by a further required trait', () => {
    eachCase(OTHER_ROUNDS, 5, (dice, rows, query) => {
      const all = new Set(engine(rows, query));
      const chosen = dice.pick(query.groups);
      const stricter = { ...chosen, requiredTraits: [...chosen.requiredTraits, [dice.pick(['CUSTOM_A', 'CUSTOM_B'])]] };
      const groups = query.groups.map((group) => (group === chosen ? stricter : group));
      expect(engine(rows, { ...query, groups }).every((candidate) => all.has(candidate))).toBe(true);
    });
  });

  it('leave every other anchor in exactly one rejection', () => {
    eachCase(OTHER_ROUNDS, 6, (_, rows, query) => {
      const trace = new RecordingTrace();
      const { list } = searchCandidates(buildGraph(rows), query, { trace });
      expect(list.map(show)).toEqual(engine(rows, query));
      const answered = [...new Set(list.map(({ anchorId }) => anchorId))];
      const accounted = [...answered, ...trace.rejections.map(({ tree }) => tree.rootId)].sort((a, b) => a - b);
      const roots = rows.providers.filter(({ id, rootId }) => id === rootId).map(({ id }) => id);
      expect(accounted).toEqual(roots.sort((a, b) => a - b));
    });
  });
});

describe(`provider graphs after random changes, seed ${SEED}`, () => {
  it('equal a graph built anew when touched trees are replaced', () => {
    eachCase(OTHER_ROUNDS, 7, (dice, rows) => {
      const graph = buildGraph(rows);
      const before = JSON.stringify(rows);
      const { rows: after, touched } = drawChange(dice, rows);
      expect(graphEquals(replaceTrees(graph, touched, after), buildGraph(after))).toBe(true);
      expect(graphEquals(graph, buildGraph(JSON.parse(before) as GraphRows))).toBe(true);
    });
  });

  it('equal a graph built anew when usage is applied, higher versions only, in any order', () => {
    eachCase(OTHER_ROUNDS, 8, (dice, rows) => {
      const changes = rows.inventories
        .filter(() => dice.chance(0.4))
        .map(({ id, version }) => {
          return { inventoryId: id, used: dice.between(0, 9), version: version + dice.between(-1, 2) };
        });
      const stale = changes.map((change) => ({ ...change, used: 99, version: change.version - 1 }));
      const inventories = rows.inventories.map((row) => {
        const change = changes.find(({ inventoryId }) => inventoryId === row.id);
        return change === undefined || change.version <= row.version
          ? row
          : { ...row, used: change.used, version: change.version };
      });
      const outcome = applyUsage(buildGraph(rows), [
        ...changes,
        ...stale.filter(
          ({ inventoryId, version }) =>
            version <= (rows.inventories.find(({ id }) => id === inventoryId)?.version ?? 0),
        ),
        { inventoryId: 777_777, used: 1, version: 1 },
      ]);
      expect(outcome.unknownIds).toEqual([777_777]);
      expect(graphEquals(outcome.graph, buildGraph({ ...rows, inventories }))).toBe(true);
    });
  });
});
