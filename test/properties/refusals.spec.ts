// Statements of refusals on random small clouds: which hosts have room, what the nearest hosts lack, what hosts can
// never hold, and which part of the request requires a trait. BERTH_ROUNDS is the number of refusals, BERTH_SEED
// repeats a run; a failure names the cloud.
import type { ResourceRequest } from '../../src/placement/candidate-search';
import { ConditionChecks } from '../../src/placement/candidate-search';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import { decideDry, rootsWithCandidates } from './refusal-asked';
import type { ClaimCounts } from './refusal-claims';
import { RefusalJudge } from './refusal-claims';
import type { RefusalCase } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 400);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(3_700_000);

/** The conditions that hosts with candidates fail. */
function failedOfFitting({ document }: RefusalCase, request: ResourceRequest): readonly string[] {
  const graph = simulatedGraph(document.providers ?? [], { aggregates: new Map(), traits: new Map() });
  const checks = new ConditionChecks(graph, request);
  const roots = [...rootsWithCandidates(document, request)].flatMap((uuid) => graph.findProviderByUuid(uuid) ?? []);
  return roots.flatMap(({ id }) => checks.failedBy(id).map(({ at }) => checks.conditions[at]?.text ?? ''));
}

it(`${ROUNDS} refusals are true, seed ${SEED}`, async () => {
  const counts: ClaimCounts = {
    miss: 0,
    room: 0,
    apart: 0,
    'no room': 0,
    never: 0,
    source: 0,
    condition: 0,
    unmet: 0,
    conflict: 0,
    named: 0,
  };
  const wrong: object[] = [];
  let refusals = 0;
  for (let at = 0; refusals < ROUNDS && at < 20 * ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const { decision, request } = await decideDry(drawn);
    if (request === null) continue;
    // Law: a host with a candidate fails no condition.
    expect({ seed: drawn.seed, failed: failedOfFitting(drawn, request) }).toEqual({ seed: drawn.seed, failed: [] });
    if (decision.placement?.hosts !== 0) continue;
    refusals += 1;
    const faults = new RefusalJudge(drawn.document, request, decision, counts).faults();
    const { sentence } = decision.summary;
    if (faults.length > 0) wrong.push({ seed: drawn.seed, sentence, faults, document: JSON.stringify(drawn.document) });
  }
  expect({ wrong: wrong.slice(0, 3), refusals }).toEqual({ wrong: [], refusals: ROUNDS });
  // Coverage: every kind of statement must occur.
  expect(Object.entries(counts).filter(([, count]) => count < ROUNDS / 100)).toEqual([]);
});
