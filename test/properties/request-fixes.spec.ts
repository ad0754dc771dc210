// Changes that an explanation offers, on random small clouds: each is applied, and the hosts that gain a candidate are
// counted again. BERTH_ROUNDS is the number of clouds, BERTH_SEED repeats a run; a failure names the cloud.
import type { ConditionReport, ResourceRequest } from '../../src/placement/candidate-search';
import { reportConditions, TreeFit } from '../../src/placement/candidate-search';
import { runToCompletion } from '../../src/platform/values/task';
import { DEFAULT_SCHEDULER_OPTIONS } from '../../src/scheduler/assemble/default-options.fixture';
import { assembleScheduler } from '../../src/scheduler/assemble/scheduler-pipeline';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import { simulatedPorts } from '../../src/scheduler/simulate/simulated-cloud';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import type { Provider, RefusalCase } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 400);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const PIPELINE = assembleScheduler(DEFAULT_SCHEDULER_OPTIONS);

jest.setTimeout(3_700_000);

/** The first query of the scheduler for the request; null if it is refused before. */
async function requestOf({ document, seed }: RefusalCase): Promise<ResourceRequest | null> {
  const ports = simulatedPorts(document, { defaultAvailabilityZone: 'nova', hostsFromInventory: true });
  const { candidates, hosts, references, claims, env } = ports;
  let request: ResourceRequest | null = null;
  const search: typeof candidates.search = (query, bounds) => {
    request ??= query;
    return candidates.search(query, bounds);
  };
  const noted = Object.assign(Object.create(candidates) as typeof candidates, { search });
  const service = new SchedulerService(PIPELINE, noted, hosts, references, claims, env);
  const how = { dryRun: true, mode: 'first', explains: 'never', returnAlternates: false } as const;
  await service.decide({ body: document.request, requestId: 'req', seed: seed >>> 0, ...how });
  return request;
}

/** The roots with a candidate. */
function fitting(providers: readonly Provider[], request: ResourceRequest): ReadonlySet<string> {
  if (request.groups.length === 0) return new Set();
  const graph = simulatedGraph(providers, { aggregates: new Map(), traits: new Map() });
  const fit = new TreeFit(graph, request);
  const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []);
  const wanted = request.groups.find(({ inTree }) => inTree !== null)?.inTree ?? null;
  const inTree = wanted === null ? trees : trees.filter(({ root }) => root.uuid === wanted);
  return new Set(inTree.filter((tree) => fit.fits(tree)).map(({ root }) => root.uuid));
}

/** The roots that have a candidate after the change. */
function after(
  { kind, conditions, amount }: ConditionReport['fixes'][number],
  providers: readonly Provider[],
  request: ResourceRequest,
): ReadonlySet<string> {
  const [condition] = conditions;
  const [name = ''] = condition?.names ?? [];
  if (kind === 'without')
    return fitting(
      providers,
      conditions.reduce((from, each) => each.without(from), request),
    );
  if (kind === 'amount') {
    const groups = request.groups.map((group) =>
      group.suffix === condition?.group
        ? { ...group, resources: new Map([...group.resources, [name, amount ?? 0]]) }
        : group,
    );
    return fitting(providers, { ...request, groups });
  }
  const roots = providers.filter(({ parent_uuid: parent }) => parent === undefined || parent === null);
  const gaining = roots.filter(({ uuid }) => {
    const changed = providers.map((each) =>
      each.uuid === uuid ? { ...each, traits: [...(each.traits ?? []), name] } : each,
    );
    return fitting(changed, request).has(uuid);
  });
  return new Set(gaining.map(({ uuid }) => uuid));
}

it(`each offered change gives exactly the hosts that it names a candidate, in ${ROUNDS} clouds, seed ${SEED}`, async () => {
  const counts = { without: 0, amount: 0, trait: 0, several: 0 };
  const wrong: object[] = [];
  for (let at = 0, clouds = 0; clouds < ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const providers = drawn.document.providers ?? [];
    const request = await requestOf(drawn);
    if (request === null) continue;
    clouds += 1;
    const graph = simulatedGraph(providers, { aggregates: new Map(), traits: new Map() });
    const before = fitting(providers, request);
    for (const fix of runToCompletion(reportConditions(graph, request)).fixes) {
      counts[fix.kind] += 1;
      if (fix.conditions.length > 1) counts.several += 1;
      const gained = [...after(fix, providers, request)].filter((uuid) => !before.has(uuid)).sort();
      const named = fix.roots.map(({ uuid }) => uuid).sort();
      if (JSON.stringify(gained) === JSON.stringify(named)) continue;
      const { kind, conditions, amount } = fix;
      wrong.push({ seed: drawn.seed, kind, conditions: conditions.map(({ text }) => text), amount, named, gained });
    }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(Object.entries(counts).filter(([, count]) => count < ROUNDS / 100)).toEqual([]);
});
