// Statements of refusals on random small clouds: which hosts have room, what the nearest hosts lack, what hosts can
// never hold, and which part of the request requires a trait. BERTH_ROUNDS is the number of refusals, BERTH_SEED
// repeats a run; a failure names the cloud.
import type { ResourceRequest } from '../../src/placement/candidate-search';
import { ConditionChecks, TreeFit } from '../../src/placement/candidate-search';
import { DEFAULT_SCHEDULER_OPTIONS } from '../../src/scheduler/assemble/default-options.fixture';
import { assembleScheduler } from '../../src/scheduler/assemble/scheduler-pipeline';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import { simulatedPorts } from '../../src/scheduler/simulate/simulated-cloud';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import type { Decision } from '../../src/scheduling-rules/pipeline/decision';
import type { ClaimCounts } from './refusal-claims';
import { RefusalJudge } from './refusal-claims';
import type { RefusalCase } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 400);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PIPELINE = assembleScheduler(DEFAULT_SCHEDULER_OPTIONS);

jest.setTimeout(3_700_000);

interface Asked {
  readonly decision: Decision;
  /** The first query; null if the request was refused before it. */
  readonly request: ResourceRequest | null;
}

async function ask({ document, seed }: RefusalCase): Promise<Asked> {
  const ports = simulatedPorts(document, { defaultAvailabilityZone: 'nova', hostsFromInventory: true });
  const { candidates, hosts, references, claims, env } = ports;
  let request: ResourceRequest | null = null;
  const search: typeof candidates.search = (query, bounds) => {
    request ??= query;
    return candidates.search(query, bounds);
  };
  const noted = Object.assign(Object.create(candidates) as typeof candidates, { search });
  const service = new SchedulerService(PIPELINE, noted, hosts, references, claims, env);
  const { decision } = await service.decide({
    body: document.request,
    requestId: 'req',
    dryRun: true,
    mode: 'first',
    explains: 'empty',
    seed: seed >>> 0,
    returnAlternates: false,
  });
  return { decision, request };
}

/** The conditions that hosts with candidates fail. */
function failedOfFitting({ document }: RefusalCase, request: ResourceRequest): readonly string[] {
  const graph = simulatedGraph(document.providers ?? [], { aggregates: new Map(), traits: new Map() });
  const fit = new TreeFit(graph, request);
  const checks = new ConditionChecks(graph, request);
  const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []).filter((tree) => fit.fits(tree));
  return trees.flatMap(({ root }) => checks.failedBy(root.id).map(({ at }) => checks.conditions[at]?.text ?? ''));
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
  };
  const wrong: object[] = [];
  let refusals = 0;
  for (let at = 0; refusals < ROUNDS && at < 20 * ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const { decision, request } = await ask(drawn);
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
