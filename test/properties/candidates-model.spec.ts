// The engine compared with the model on random worlds, and laws that need no model. BERTH_ROUNDS raises the number of
// pairs of world and query; BERTH_SEED repeats a run.

import type { CandidateQuery, GraphRows } from '../../src/placement/candidate-search';
import {
  applyUsage,
  buildGraph,
  providersOf,
  replaceTrees,
  searchCandidates,
  treesOf,
} from '../../src/placement/candidate-search';
import { runToCompletion } from '../../src/platform/values/task';
import { graphEquals } from '../support/graph-dump';
import { compare, engineCandidates } from './candidates-compare';
import { hitsOf, WANTED } from './candidates-coverage';
import { modelSummarised } from './candidates-model';
import { showCandidate } from './candidates-shown';
import { describe as describeCase, Dice, drawChange, drawQuery, drawQueryOfEra, drawWorld } from './candidates-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 26_000);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** The minimum coverage of every parameter, era and rule in a run of 20 000 pairs. */
const HITS_MIN = 200;
const QUERIES_PER_WORLD = 5;
const OTHER_ROUNDS = Math.max(1000, Math.floor(ROUNDS / 20));

jest.setTimeout(3_700_000);

const differ = (rows: GraphRows, query: CandidateQuery): boolean => compare(rows, query)?.isEqual === false;
const engine = engineCandidates;
const show = showCandidate;

/** The same difference with as few facts as possible: leaves out one fact after another. */
function shrink(rows: GraphRows, query: CandidateQuery): GraphRows {
  for (const table of ['inventories', 'traits', 'aggregates'] as const) {
    for (const row of rows[table]) {
      const fewer = { ...rows, [table]: (rows[table] as readonly unknown[]).filter((other) => other !== row) };
      if (differ(fewer, query)) return shrink(fewer, query);
    }
  }
  return rows;
}

function report(rows: GraphRows, query: CandidateQuery): void {
  const found = compare(rows, query);
  const drawn = { seed: SEED, case: describeCase(rows, query) };
  expect({ ...drawn, candidates: found?.actual }).toEqual({ ...drawn, candidates: found?.expected });
  throw new Error(`the limit was not kept: ${describeCase(rows, query)}`);
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
  it('equal those of the model for any query, including mappings, without duplicates', () => {
    const hits = new Map(WANTED.map((name) => [name, 0]));
    let pairs = 0;
    let answered = 0;
    for (let world = 0; pairs < ROUNDS; world += 1) {
      const dice = new Dice(SEED + world * 7919);
      const rows = drawWorld(dice);
      for (let at = 0; at < QUERIES_PER_WORLD; at += 1) {
        const { query: drawn, era } = drawQueryOfEra(dice, rows);
        const query =
          era !== 'allocationCandidatesApi' && dice.chance(0.1) ? { ...drawn, limit: dice.between(1, 4) } : drawn;
        const noted = new Set<string>();
        const comparison = compare(rows, query, noted);
        if (comparison === null) continue;
        pairs += 1;
        if (comparison.expected.length > 0) answered += 1;
        if (!comparison.isEqual) report(shrink(rows, query), query);
        for (const hit of hitsOf(rows, query, era, noted)) hits.set(hit, (hits.get(hit) ?? 0) + 1);
      }
    }
    const table = [...hits].map(([name, count]) => `${String(count).padStart(7)}  ${name}`).join('\n');
    process.stdout.write(`${table}\n${pairs} pairs compared, ${answered} with candidates, seed ${SEED}\n`);
    expect(pairs).toBeGreaterThanOrEqual(ROUNDS);
    expect(answered).toBeGreaterThanOrEqual(pairs * 0.4);
    const hitsMin = Math.floor((HITS_MIN * Math.min(ROUNDS, 20_000)) / 20_000);
    expect([...hits].filter(([, count]) => count < hitsMin)).toEqual([]);
    expect([...hits.keys()].filter((name) => !WANTED.includes(name))).toEqual([]);
  });

  it('are summarised with their trees; before 1.29 with the providers that they take from', () => {
    eachCase(OTHER_ROUNDS, 1, (_, rows, query) => {
      const candidates = searchCandidates(buildGraph(rows), query);
      const suppliers = new Set(candidates.list.flatMap(({ allocations }) => Object.keys(allocations)));
      for (const nestedAware of [true, false]) {
        const summarised = (
          nestedAware ? treesOf(candidates).flatMap(({ providers }) => providers) : providersOf(candidates)
        ).map(({ uuid }) => uuid);
        expect(summarised.sort()).toEqual(modelSummarised(rows, suppliers, nestedAware));
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

  it('are the same breadth-first, with the given maximum per anchor', () => {
    eachCase(OTHER_ROUNDS, 4, (_, rows, query) => {
      const all = [...engine(rows, query)].sort();
      expect([...engine(rows, { ...query, strategy: 'breadth-first' })].sort()).toEqual(all);
      const { list } = searchCandidates(buildGraph(rows), { ...query, perRoot: 2, strategy: 'breadth-first' });
      const counts = new Map<number, number>();
      for (const { root } of list) counts.set(root.id, (counts.get(root.id) ?? 0) + 1);
      expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(2);
      const known = new Set(all);
      expect(list.map(show).every((candidate) => known.has(candidate))).toBe(true);
    });
  });

  it('never increase with a further required trait', () => {
    eachCase(OTHER_ROUNDS, 5, (dice, rows, query) => {
      const all = new Set(engine(rows, query));
      const chosen = dice.pick(query.groups);
      const stricter = { ...chosen, requiredTraits: [...chosen.requiredTraits, [dice.pick(['CUSTOM_A', 'CUSTOM_B'])]] };
      const groups = query.groups.map((group) => (group === chosen ? stricter : group));
      expect(engine(rows, { ...query, groups }).every((candidate) => all.has(candidate))).toBe(true);
    });
  });
});

describe(`provider graphs after random changes, seed ${SEED}`, () => {
  it('equal a new graph after touched trees are replaced', () => {
    eachCase(OTHER_ROUNDS, 7, (dice, rows) => {
      const graph = buildGraph(rows);
      const before = JSON.stringify(rows);
      const { rows: after, touched } = drawChange(dice, rows);
      expect(graphEquals(runToCompletion(replaceTrees(graph, touched, after)), buildGraph(after))).toBe(true);
      expect(graphEquals(graph, buildGraph(JSON.parse(before) as GraphRows))).toBe(true);
    });
  });

  it('equal a new graph after usage is applied, higher versions only, in any order', () => {
    eachCase(OTHER_ROUNDS, 8, (dice, rows) => {
      const changes = rows.inventories
        .filter(() => dice.chance(0.4))
        .map(({ id, version }) => ({
          inventoryId: id,
          used: dice.between(0, 9),
          version: version + dice.between(-1, 2),
        }));
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
