// A small cloud in memory behind the scheduler's ports, for specs: one provider per host unless slots are given, claims
// that count against capacity, and claims scripted to fail. Not part of the product.

import type { ResourceRequest } from '../placement/candidate-search';
import type { Candidate, Provider } from '../placement/candidate-search';
import { addTo } from '../platform/values/lists-by-key';
import { inventoryHostState } from '../scheduling-rules/host-state/build-host-state';
import type { HostAggregate, HostService, HostState } from '../scheduling-rules/host-state/host-state';
import { provider, resource } from '../scheduling-rules/host-state/host-state.fixture';
import type { PrefilterCloud } from '../scheduling-rules/pipeline/define-prefilter';
import type { SchedulerExtension } from '../scheduling-rules/pipeline/registry';
import type { InstanceGroup } from '../scheduling-rules/request-spec/request-spec';
import type { TargetNode, WantedTarget } from '../scheduling-rules/request-spec/target-host';
import { DEFAULT_SCHEDULER_OPTIONS } from './assemble/default-options.fixture';
import type { SchedulerOptions } from './assemble/scheduler-options';
import { assembleScheduler } from './assemble/scheduler-pipeline';
import type { DecideCommand, Decided } from './decide/decision-run';
import type { CandidateAnswer, ClaimRefusal, ClaimRequest, FoundReferences, SearchBounds } from './ports';
import type {
  AlternatesOffer,
  CandidateSource,
  ClaimBatch,
  Claims,
  HeldInstance,
  HostSource,
  ReferenceSource,
  SchedulerEnvironment,
} from './ports';
import type { References } from './request/normalize-request';
import { NOTHING_RESOLVED } from './request/normalize-request';
import type { SelectDestinationsDto } from './request/request.schema';
import { SchedulerService } from './scheduler.service';

/** A host; `slots` are child providers of one CUSTOM_SLOT each, and each slot is a candidate. */
export interface FixtureHost {
  readonly name: string;
  readonly memoryMb?: number;
  readonly usedMb?: number;
  readonly vcpus?: number;
  readonly slots?: number;
  /** The slots give all resources; the host's own provider gives none. */
  readonly isHollow?: boolean;
  readonly instances?: readonly string[];
  readonly aggregates?: readonly HostAggregate[];
  /** Further properties of the host's state. */
  readonly state?: Partial<HostState>;
  /** Only Placement knows the host. */
  readonly isUnknown?: boolean;
}

export const FLAVOR = { name: 'm1.small', vcpus: 1, memory_mb: 512 } as const;
export const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export class FixtureCloud implements CandidateSource, HostSource, Claims, ReferenceSource {
  readonly claimed = new Map<string, string>();
  readonly released: string[] = [];
  private readonly ofBatch = new Map<string, string[]>();
  /** For every recorded batch: the number of claims requested before. */
  readonly opened: number[] = [];
  readonly queries: (ResourceRequest & SearchBounds)[] = [];
  readonly attempts: string[] = [];
  /** Every claim request, unchanged. */
  readonly requests: (readonly ClaimRequest[])[] = [];
  /** Registered server groups. */
  readonly groups: InstanceGroup[] = [];
  readonly offers: AlternatesOffer[] = [];
  /** Host name → outcomes of the next claims there; when the list is empty, claims succeed again. */
  readonly failures = new Map<string, (ClaimRefusal['outcome'] | Error)[]>();

  /** Allocations that this cloud did not claim; by default their instance is on a host of its own. */
  readonly holdings = new Map<string, HeldInstance>();

  constructor(readonly hosts: readonly FixtureHost[]) {}

  search(query: ResourceRequest, bounds: SearchBounds): Promise<CandidateAnswer> {
    this.queries.push({ ...query, ...bounds });
    const inTree = bounds.onlyRoots?.[0] ?? query.groups.find((group) => group.inTree !== null)?.inTree ?? null;
    const hosts = this.hosts.filter(({ name }) => inTree === null || inTree === name);
    const requests = hosts.flatMap((host) => candidatesOf(host, query).slice(0, bounds.perRoot));
    const summaries = new Map(hosts.flatMap(summariesOf));
    return Promise.resolve({ requests, summaries, truncated: false });
  }

  serviceOf({ name }: { readonly name: string }): HostService | null {
    return this.hosts.find((host) => host.name === name)?.state?.service ?? null;
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  cloud(): PrefilterCloud {
    const known = new Map(this.hosts.flatMap(({ aggregates = [] }) => aggregates).map((each) => [each.uuid, each]));
    return { hostAggregates: [...known.values()], defaultAvailabilityZone: 'nova', lowestServiceVersion: null };
  }

  targets({ host, node }: WantedTarget): readonly TargetNode[] {
    return this.hosts
      .filter(({ name }) => (host ?? name) === name && (node ?? name) === name)
      .map(({ name }) => ({ host: name, node: name, uuid: name }));
  }

  hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>> {
    const running = this.hosts.filter((host) => host.instances?.some((uuid) => instances.includes(uuid)));
    return Promise.resolve(new Set(running.map(({ name }) => name)));
  }

  states(trees: ReadonlyMap<string, readonly Provider[]>): Promise<ReadonlyMap<string, HostState>> {
    const states = new Map<string, HostState>();
    for (const host of this.hosts) {
      if (host.isUnknown === true || !trees.has(host.name)) continue;
      const tree = summariesOf(host).map(([, summary]) => summary);
      const [root] = tree;
      if (root === undefined) continue;
      const { aggregates = [], instances = [] } = host;
      const state = inventoryHostState({ root, tree, aggregates, instances, service: undefined, nowMs: 0 });
      states.set(host.name, { ...state, ...host.state });
    }
    return Promise.resolve(states);
  }

  namesOf(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  resolve({ group }: References): Promise<FoundReferences> {
    const found = this.groups.find(({ uuid }) => uuid === group) ?? null;
    return Promise.resolve({ ...NOTHING_RESOLVED, flavorId: null, imageUuid: null, group: found });
  }

  open(batch: ClaimBatch): Promise<void> {
    batch.isOpen = true;
    this.opened.push(this.requests.length);
    return Promise.resolve();
  }

  held(instanceUuid: string): Promise<HeldInstance> {
    const elsewhere = { generation: 1, allocations: {}, placed: { host: 'elsewhere', isMoving: false } };
    return Promise.resolve(this.holdings.get(instanceUuid) ?? elsewhere);
  }

  finish(offers: readonly AlternatesOffer[]): Promise<void> {
    this.offers.push(...offers);
    return Promise.resolve();
  }

  /** All or none, like one transaction. */
  async claim(requests: readonly ClaimRequest[], { uuid }: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    this.requests.push(requests);
    for (const { allocations } of requests) {
      const host = (Object.keys(allocations)[0] ?? '').split('.')[0] ?? '';
      this.attempts.push(host);
      const failure = this.failures.get(host)?.shift();
      if (failure instanceof Error) throw failure;
      if (failure !== undefined) return { outcome: failure, message: `told to fail: ${failure}` };
    }
    for (const { consumerUuid, allocations, replaces, existing } of requests) {
      this.claimed.set(consumerUuid, Object.keys(allocations).join('+'));
      if (replaces === undefined && existing === undefined) addTo(this.ofBatch, uuid, consumerUuid);
    }
    return 'claimed';
  }

  async release({ uuid }: ClaimBatch): Promise<void> {
    const consumers = this.ofBatch.get(uuid) ?? [];
    this.released.push(...consumers);
    for (const consumer of consumers) this.claimed.delete(consumer);
  }
}

function candidatesOf({ name, slots, isHollow }: FixtureHost, query: ResourceRequest): Candidate[] {
  const resources = Object.fromEntries(query.groups[0]?.resources ?? []);
  if (slots === undefined)
    return [{ rootUuid: name, allocations: { [name]: { resources } }, mappings: { '': [name] } }];
  return Array.from({ length: slots }, (_, at) => {
    const child = `${name}.${at}`;
    const own = isHollow === true ? {} : { [name]: { resources } };
    const allocations = { ...own, [child]: { resources: { CUSTOM_SLOT: 1 } } };
    return { rootUuid: name, allocations, mappings: { '': [name, child] } };
  });
}

function summariesOf({ name, slots = 0, ...host }: FixtureHost): [string, Provider][] {
  const root = provider(name, {
    MEMORY_MB: resource(host.memoryMb ?? 4096, host.usedMb ?? 0),
    VCPU: resource(host.vcpus ?? 16),
  });
  const children = Array.from({ length: slots }, (_, at): [string, Provider] => [
    `${name}.${at}`,
    provider(`${name}.${at}`, { CUSTOM_SLOT: resource(1) }, { rootUuid: name, parentUuid: name }),
  ]);
  return [[name, root], ...children];
}

/** An environment with fixed results; pauses are recorded, not made. */
export function fixedEnvironment(pauses: number[] = []): SchedulerEnvironment {
  let uuids = 0;
  return {
    now: () => 0,
    newUuid: () => uuidOf((uuids += 1)),
    newSeed: () => 7,
    jitter: () => 0.5,
    sleep: async (ms) => void pauses.push(ms),
  };
}

/** Decides one request on a cloud. */
export function decideOn(
  cloud: FixtureCloud,
  given: {
    readonly body?: Partial<SelectDestinationsDto>;
    readonly command?: Partial<DecideCommand>;
    readonly options?: Partial<SchedulerOptions>;
    readonly plugins?: readonly SchedulerExtension[];
    readonly pauses?: number[];
    readonly env?: Partial<SchedulerEnvironment>;
  } = {},
): Promise<Decided> {
  const pipeline = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, ...given.options }, given.plugins);
  const service = new SchedulerService(pipeline, cloud, cloud, cloud, cloud, {
    ...fixedEnvironment(given.pauses),
    ...given.env,
  });
  const owner = { project_id: 'p', user_id: 'u' };
  const count = given.body?.instances === undefined ? { num_instances: 1 } : {};
  return service.decide({
    body: { ...owner, ...count, flavor: FLAVOR, ...given.body },
    requestId: 'req-1',
    dryRun: false,
    explains: 'empty',
    ...given.command,
  });
}

/** Names of the chosen hosts, in the order of the instances. */
export const chosenHosts = ({ placements }: Decided): string[] =>
  placements.flatMap(({ selected }) => selected?.state.host ?? []);
