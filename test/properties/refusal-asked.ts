// Dry decisions on a described cloud, with the query that Placement received first.
import type { ResourceRequest } from '../../src/placement/candidate-search';
import { TreeFit } from '../../src/placement/candidate-search';
import { DEFAULT_SCHEDULER_OPTIONS } from '../../src/scheduler/assemble/default-options.fixture';
import { assembleScheduler } from '../../src/scheduler/assemble/scheduler-pipeline';
import type { Decided } from '../../src/scheduler/decide/decision-run';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import { simulatedPorts } from '../../src/scheduler/simulate/simulated-cloud';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import type { SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import type { RefusalCase } from './refusal-worlds';

const PIPELINE = assembleScheduler(DEFAULT_SCHEDULER_OPTIONS);

type Described = Pick<SimulationDto, 'providers'>;

interface Asked extends Decided {
  /** Null if the request was refused before the query. */
  readonly request: ResourceRequest | null;
}

const ONE = { cpu: 1, ram: 1, disk: 1 };
const RATIOS = { initial: ONE, fixed: ONE };

export async function decideDry({ document, seed }: RefusalCase): Promise<Asked> {
  const ports = simulatedPorts(document, { defaultAvailabilityZone: 'nova', hostsFromInventory: true, ratios: RATIOS });
  const { candidates, hosts, references, claims, env } = ports;
  let request: ResourceRequest | null = null;
  const search: typeof candidates.search = (query, bounds) => {
    request ??= query;
    return candidates.search(query, bounds);
  };
  const noted = Object.assign(Object.create(candidates) as typeof candidates, { search });
  const service = new SchedulerService(PIPELINE, noted, hosts, references, claims, env);
  const decided = await service.decide({
    body: document.request,
    requestId: 'req',
    dryRun: true,
    mode: 'first',
    explains: 'empty',
    seed: seed >>> 0,
    returnAlternates: false,
  });
  return { ...decided, request };
}

/** The uuids of the roots that have a candidate, in the tree that the request names. */
export function rootsWithCandidates({ providers }: Described, request: ResourceRequest): ReadonlySet<string> {
  if (request.groups.length === 0) return new Set();
  const graph = simulatedGraph(providers ?? [], { aggregates: new Map(), traits: new Map() });
  const fit = new TreeFit(graph, request);
  const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []);
  const wanted = request.groups.find(({ inTree }) => inTree !== null)?.inTree ?? null;
  const asked = wanted === null ? trees : trees.filter(({ root }) => root.uuid === wanted);
  return new Set(asked.filter((tree) => fit.fits(tree)).map(({ root }) => root.uuid));
}
