// The ports of a scheduler for a described cloud. No waiting, no clock, no randomness: the same document gives the same
// answers.
import { flavorFactsOf } from '../../compute/flavors/flavors.schema';
import type { ConfiguredRatios } from '../../compute/hosts/host-inventories';
import type { Named } from '../../compute/registry-names';
import { ambiguousOf } from '../../compute/registry-names';
import { textsOf } from '../../compute/registry-schema';
import type { Provider } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { addTo } from '../../platform/values/lists-by-key';
import { canonicalUuid } from '../../platform/values/uuid';
import { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { HostFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { HostService, HostState } from '../../scheduling-rules/host-state/host-state';
import type { Image, InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import { treeOfRoot } from '../adapters/candidate-answer';
import type { HostOptions } from '../adapters/directory-hosts';
import { DirectoryHosts } from '../adapters/directory-hosts';
import type {
  CandidateSource,
  ClaimRefusal,
  ClaimRequest,
  Claims,
  FoundReferences,
  HostSource,
  ReferenceSource,
  SchedulerEnvironment,
} from '../ports';
import type { References } from '../request/normalize-request';
import { derivedUuid } from './derived-uuid';
import type { DescribedPlace } from './described-cloud';
import { describedAggregatesOf, groupsOf, placesOf } from './described-cloud';
import { reportedProvider, unjudgedWarnings, withSizes } from './reported-providers';
import { GraphCandidates } from './simulated-candidates';
import { simulatedGraph } from './simulated-graph';
import type { FailingClaimDto, SimulationDto } from './simulation.schema';

interface CloudOptions extends HostOptions {
  readonly ratios: ConfiguredRatios;
}

interface SimulatedPorts {
  readonly candidates: CandidateSource;
  readonly hosts: HostSource;
  readonly references: ReferenceSource;
  readonly claims: Claims;
  readonly env: SchedulerEnvironment;
  /** What the decision did not judge. */
  readonly warnings: () => readonly string[];
}

/** Throws InvalidInput for a contradiction in the document. */
export function simulatedPorts(document: SimulationDto, options: CloudOptions): SimulatedPorts {
  const nowMs = timeOf(document);
  const places = placesOf(document);
  const aggregates = describedAggregatesOf(document);
  const directory = new HostDirectory();
  directory.replaceServices([], servicesOf(places, nowMs));
  directory.replaceAggregates([], aggregates);
  const given = document.providers ?? null;
  const reported = given === null ? places.map((place) => reportedProvider(place, options.ratios)) : [];
  const aggregatesAt = (host: string): readonly string[] => directory.aggregatesOf(host).map(({ uuid }) => uuid);
  const graph = simulatedGraph(given ?? reported.map(({ provider }) => provider), {
    aggregates: new Map(places.map(({ uuid, host }) => [uuid, aggregatesAt(host)])),
    traits: new Map(
      places.map(({ uuid, described }) => [uuid, described.status === 'disabled' ? [DISABLED_TRAIT] : []]),
    ),
  });
  const candidates = new GraphCandidates({ current: graph });
  const made: string[] = [];
  return {
    candidates,
    hosts: new SimulatedHosts(directory, graph, options),
    warnings: () => (given === null ? unjudgedWarnings(reported, candidates.requestedClasses) : []),
    references: new DescribedReferences(document, places),
    claims: new ScriptedClaims(document.claims?.fail ?? [], (uuid) => {
      const { instances } = document.request;
      return instances === undefined ? made.indexOf(uuid) : instances.indexOf(uuid);
    }),
    env: {
      now: () => nowMs,
      newUuid: () => {
        const uuid = derivedUuid('instance', String(made.length));
        made.push(uuid);
        return uuid;
      },
      newSeed: () => 0,
      jitter: () => 0,
      sleep: () => Promise.resolve(),
    },
  };
}

/** The given time, otherwise the latest time of a host in the document. */
function timeOf({ now, hosts = [] }: SimulationDto): number {
  const given = timeMs(now);
  if (given !== null) return given;
  const times = hosts.flatMap(({ last_seen_up: lastSeenUp, reported_at: reported }) => [
    timeMs(lastSeenUp) ?? 0,
    timeMs(reported) ?? 0,
  ]);
  return times.reduce((latest, time) => Math.max(latest, time), 0);
}

const timeMs = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);

function servicesOf(places: readonly DescribedPlace[], nowMs: number): readonly ServiceFacts[] {
  const byHost = new Map<string, DescribedPlace[]>();
  for (const place of places) {
    addTo(byHost, place.host, place);
  }
  return [...byHost.values()].map((nodes, at): ServiceFacts => {
    const host = nodes[0]?.host ?? '';
    const hosts = nodes.map((place, node): HostFacts => factsOf(place, nowMs, (at + 1) * places.length + node));
    return { id: at + 1, host, service: serviceOf(nodes, nowMs), hosts, pending: [], released: [] };
  });
}

/** The service has the properties that any of its nodes states; its last report is the latest of theirs. */
function serviceOf(nodes: readonly DescribedPlace[], nowMs: number): HostService {
  const lastSeenUpTimes = nodes.map(({ described }) => timeMs(described.last_seen_up) ?? nowMs);
  return {
    disabled: nodes.some(({ described }) => described.status === 'disabled'),
    disabledReason: nodes.map(({ described }) => described.disabled_reason ?? null).find((why) => why !== null) ?? null,
    forcedDown: nodes.some(({ described }) => described.forced_down === true),
    lastSeenUpMs: Math.max(...lastSeenUpTimes),
    createdAtMs: 0,
    updatedAtMs: nodes.map(({ described }) => timeMs(described.updated_at)).find((ms) => ms !== null) ?? null,
  };
}

function factsOf({ node, uuid, described, report }: DescribedPlace, nowMs: number, id: number): HostFacts {
  return {
    id,
    node,
    uuid,
    cell: described.cell ?? null,
    serviceVersion: described.service_version ?? 0,
    report,
    reportedAtMs: timeMs(described.reported_at) ?? nowMs,
  };
}

class SimulatedHosts extends DirectoryHosts implements HostSource {
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** The described hosts that list one of the instances. */
  async hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>> {
    const instanceUuids = new Set(instances);
    const running = [...this.directory.reported].filter(({ host }) =>
      host.report.instances?.some(({ uuid }) => instanceUuids.has(uuid)),
    );
    return new Set(running.map(({ service }) => service.host));
  }

  async states(
    trees: ReadonlyMap<string, readonly Provider[]>,
    { nowMs, novaCompat }: { readonly nowMs: number; readonly novaCompat: boolean },
  ): Promise<ReadonlyMap<string, HostState>> {
    const options = { nowMs, pendingTtlSeconds: 0, countsPlacements: !novaCompat, comparesPlacement: true };
    const states = new Map<string, HostState>();
    for (const [uuid, given] of trees) {
      const tree = given.length > 0 ? given : treeOfRoot(this.graph, uuid);
      const isReported = this.directory.find(uuid) !== undefined;
      const state = this.buildState(uuid, isReported ? tree.map(withSizes) : tree, [], options);
      if (state !== null) states.set(uuid, state);
    }
    return states;
  }
}

/** Finds the named objects of a request in the document. */
class DescribedReferences implements ReferenceSource {
  private readonly groups: readonly (InstanceGroup & { readonly name: string })[];

  constructor(
    private readonly document: SimulationDto,
    places: readonly DescribedPlace[],
  ) {
    this.groups = groupsOf(document, places);
  }

  async namesOf(kind: Parameters<ReferenceSource['namesOf']>[0]): Promise<readonly string[]> {
    const { flavors = [], images = [] } = this.document;
    const named = kind === 'flavor' ? flavors : kind === 'image' ? images : this.groups;
    return named.flatMap(({ name }) => name ?? []);
  }

  async resolve({ flavor, image, group }: References): Promise<FoundReferences> {
    const { flavors = [], images = [] } = this.document;
    const foundFlavor = flavors.find(({ id }) => id === flavor) ?? flavors.find(({ name }) => name === flavor);
    const namedImage = only(images, image, ({ uuid }) => uuid);
    const namedGroup = only(this.groups, group, ({ uuid }) => uuid ?? undefined);
    const foundImage = namedImage?.found;
    return {
      flavor:
        flavor === null || foundFlavor === undefined ? null : { name: foundFlavor.name, ...flavorFactsOf(foundFlavor) },
      flavorId: null,
      image: foundImage === undefined ? null : imageOf(foundImage),
      imageUuid: null,
      group: namedGroup?.found ?? null,
      ambiguous: ambiguousOf({ image: namedImage, group: namedGroup }),
    };
  }
}

/** The object with this uuid, otherwise the only one with this name. */
function only<T extends { readonly name?: string | null }>(
  things: readonly T[],
  requestedName: string | null,
  uuidOf: (thing: T) => string | undefined,
): Named<T> | undefined {
  if (requestedName === null) return undefined;
  const uuid = canonicalUuid(requestedName);
  const named = things.filter(({ name }) => name === requestedName);
  const byUuid = uuid === undefined ? undefined : things.find((thing) => uuidOf(thing) === uuid);
  if (byUuid !== undefined) return { found: byUuid, isAmbiguous: false };
  return { found: named.length === 1 ? named[0] : undefined, isAmbiguous: named.length > 1 };
}

const imageOf = (image: NonNullable<SimulationDto['images']>[number]): Image => ({
  id: image.uuid ?? null,
  name: image.name ?? null,
  diskFormat: image.disk_format ?? null,
  properties: textsOf(image.properties ?? {}),
});

/** Claims succeed unless scripted to fail; all of a batch or none. */
class ScriptedClaims implements Claims {
  constructor(
    private readonly failing: readonly FailingClaimDto[],
    private readonly indexOf: (uuid: string) => number,
  ) {}

  async claim(requests: readonly ClaimRequest[]): Promise<'claimed' | ClaimRefusal> {
    const fails = requests.some(({ consumerUuid, host }) => this.fails(this.indexOf(consumerUuid), host));
    return fails ? { outcome: 'no_capacity', message: 'claims.fail makes this claim fail' } : 'claimed';
  }

  async open(): Promise<void> {}
  async held(): Promise<undefined> {}
  async release(): Promise<void> {}
  async finish(): Promise<void> {}

  private fails(at: number, { host, node }: ClaimRequest['host']): boolean {
    return this.failing.some(
      (failure) => failure.host === host && (failure.node ?? node) === node && (failure.index ?? at) === at,
    );
  }
}
