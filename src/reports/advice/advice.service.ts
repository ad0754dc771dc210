// Computes advice on request if the last result is too old: once for all concurrent callers, in a task that yields. A
// caller gets the last result with its age. Everything comes from memory except consumers, which are read in pages, the
// counts of decisions, and registries that are not kept in memory.
import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '../../compute/hosts/hosts.service';
import { ImagesService } from '../../compute/images/images.service';
import { InstancesService } from '../../compute/instances/instances.service';
import { RegistriesConfig } from '../../compute/registries.config';
import type { Page, PageQuery } from '../../compute/registry-page';
import { readOn } from '../../compute/registry-page';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { TreeConsumer } from '../../placement/allocations/tree-allocations.loader';
import type { ProviderGraph, Tree } from '../../placement/candidate-search';
import { ADVICE_LIMITS } from '../../platform/config/limits/reports';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Newest } from '../../platform/event-loop/worked-out';
import { WorkedOut } from '../../platform/event-loop/worked-out';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { SchedulerPipeline } from '../../scheduler/assemble/scheduler-pipeline';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import { DecisionStore } from '../../scheduler/decisions/decision-store';
import type { ReportedHosts } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import { aggregateImagePropertiesIsolation } from '../../scheduling-rules/filters/aggregate-image-properties-isolation.filter';
import { FindingsCache } from '../stranded/findings-cache';
import type { Advice } from './advice';
import { hostsByAggregates } from './advised-hosts';
import { aggregateRatios } from './aggregate-ratios';
import { brokenGroups } from './broken-groups';
import { hostsWithoutZone } from './hosts-without-zone';
import { instancesOutsideZone, zonesOfHosts } from './instances-outside-zone';
import type { IsolationRules } from './isolation-keys';
import { isolationKeys } from './isolation-keys';
import type { HoldersOn, OverfullByClass } from './overfull-inventories';
import { overfullByClass, overfullInventories } from './overfull-inventories';
import { refusalPeak } from './refusal-peak';
import { silentHosts } from './silent-hosts';
import { statusTraits } from './status-traits';
import { strandedCapacity } from './stranded-capacity';
import { uncheckedPinning } from './unchecked-pinning';
import { unknownConsumers } from './unknown-consumers';
import { unplaceableFlavors } from './unplaceable-flavors';
import type { AskedAmounts } from './unreached-providers';
import { UnreachedProviders } from './unreached-providers';

interface AdviceOfCloud {
  readonly atMs: number;
  /** When the oldest of its facts was read. */
  readonly factsAtMs: number;
  readonly advice: readonly Advice[];
  /** There is more advice, or a limit cut the data that was read. */
  readonly isTruncated: boolean;
}

type Facts = Awaited<ReturnType<AdviceService['facts']>>;
type RegisteredFlavors = Awaited<ReturnType<FlavorRequests['all']>>;

const INSTANCE = 'INSTANCE';
const HOUR_MS = 3_600_000;

/** Over-full providers of each class, and trees in all, whose consumers are read. */
const OVERFULL_READ = 10;
const OVERFULL_BOUNDS = { rows: 5_000, consumers: 1_000 };

@Injectable()
export class AdviceService {
  private readonly kept = new WorkedOut<AdviceOfCloud>();

  constructor(
    private readonly graphs: GraphSource,
    private readonly allocations: AllocationsService,
    private readonly instances: InstancesService,
    private readonly reports: HostsService,
    private readonly groups: ServerGroupsService,
    private readonly images: ImagesService,
    private readonly flavors: FlavorRequests,
    private readonly clouds: CloudReader,
    private readonly findings: FindingsCache,
    private readonly decisions: DecisionStore,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
    private readonly pipeline: SchedulerPipeline,
    @Inject(RegistriesConfig) private readonly registries: Pick<RegistriesConfig, 'hostsFromInventory' | 'defaultZone'>,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  /** Waits a limited time for the first result only; throws the error of its computation. */
  newest(nowMs: number): Promise<Newest<AdviceOfCloud>> {
    return this.kept.newest(nowMs, ADVICE_LIMITS, () => {
      const work = this.workOut();
      // Callers wait for the first result only, so every error is logged.
      work.catch((error: unknown) => this.log.warn({ cause: String(error) }, 'no advice could be worked out'));
      return work;
    });
  }

  private async workOut(): Promise<AdviceOfCloud> {
    const facts = await this.facts(Date.now());
    const { atMs, finding, doubted, groups, images } = facts;
    const advice: Advice[] = [];
    for (const source of this.sources) advice.push(...(await source(facts)));
    return {
      atMs,
      factsAtMs: Math.min(atMs, finding?.atMs ?? atMs),
      advice: advice.slice(0, ADVICE_LIMITS.adviceShown),
      isTruncated: advice.length > ADVICE_LIMITS.adviceShown || doubted.isCut || groups.isCut || images.isCut,
    };
  }

  /** What several sources need. */
  private async facts(atMs: number) {
    const graph = await this.graphs.current();
    const { hostsFromInventory } = this.registries;
    const hosts = hostsByAggregates({ graph, hostsFromInventory, known: (root) => this.hosts.known(root) });
    const images = await all((page) => this.images.list({}, page));
    const groups = await all((page) => this.groups.list({}, page));
    const doubted = await this.unrecordedConsumers(graph, atMs);
    const members = groups.items.flatMap((group) => group.members.map(({ uuid }) => uuid));
    const placed = await this.instances.hostsOf(members);
    const wanted = new Set([...doubted.uuids, ...members.filter((uuid) => !placed.has(uuid))]);
    const reported = await this.hostsThatReport(graph, wanted);
    const finding = await this.findings.upToDate();
    const cloud = await this.clouds.current();
    const flavors = await this.flavors.all();
    return { atMs, graph, hosts, images, groups, doubted, placed, reported, finding, cloud, flavors };
  }

  /** In the order in which the advice is shown. */
  private readonly sources: readonly ((facts: Facts) => readonly Advice[] | Promise<readonly Advice[]>)[] = [
    async ({ cloud }) => silentHosts(cloud.hosts, await this.reports.refusedReports()),
    ({ cloud }) => statusTraits(cloud.hosts),
    async ({ cloud }) =>
      instancesOutsideZone(await this.instances.outsideZone(zonesOfHosts(cloud.hosts, this.registries.defaultZone))),
    async ({ graph }) => {
      const overfull = overfullByClass(graph);
      return overfullInventories(overfull, await this.holdersOn(graph, overfull), (uuids) =>
        this.instances.namesOf(uuids),
      );
    },
    ({ finding }) => unplaceableFlavors(finding?.flavors ?? []),
    async ({ atMs }) => {
      const placed = await this.decisions.countOutcome('placed', atMs - HOUR_MS);
      return refusalPeak({ placed, refused: await this.decisions.countOutcome('no_valid_host', atMs - HOUR_MS) });
    },
    ({ groups, placed, reported }) => brokenGroups(groups.items, (uuid) => placed.get(uuid) ?? reported.get(uuid)),
    ({ hosts, images }) =>
      isolationKeys(hosts, this.isolationRules(), (property) =>
        images.items.flatMap(({ properties }) => properties[property] ?? []),
      ),
    ({ hosts }) => hostsWithoutZone(hosts, this.hosts.hostAggregates()),
    ({ hosts }) =>
      aggregateRatios(this.hosts.hostAggregates(), hosts, (filter) => this.pipeline.parts.names.has(filter)),
    ({ doubted, reported }) => {
      const unknown = doubted.uuids.filter((uuid) => !reported.has(uuid));
      return unknownConsumers(unknown, doubted.isCut);
    },
    ({ graph, flavors }) => this.unreachedProviders(graph, flavors),
    ({ flavors }) => uncheckedPinning(flavors.flavors, this.pipeline.parts.names),
    ({ finding, cloud }) => (finding === null ? [] : strandedCapacity(cloud.hosts, finding.cloud)),
  ];

  /** Reads the consumers of the trees with the largest excess only. */
  private async holdersOn(graph: ProviderGraph, overfull: OverfullByClass): Promise<HoldersOn> {
    const worst = [...overfull.values()].flatMap((found) => found.slice(0, OVERFULL_READ));
    const roots = new Set(worst.flatMap(({ provider }) => graph.findTreeOf(provider.id)?.root.id ?? []));
    const consumers: TreeConsumer[] = [];
    for (const root of [...roots].slice(0, OVERFULL_READ)) {
      consumers.push(...(await this.allocations.ofTree(root, OVERFULL_BOUNDS)).consumers);
    }
    return ({ uuid }, resourceClass) =>
      consumers.flatMap((consumer) => {
        const amount = consumer.allocations.get(uuid)?.get(resourceClass) ?? 0;
        return amount > 0 && consumer.consumerType === INSTANCE ? [{ uuid: consumer.uuid, amount }] : [];
      });
  }

  /** Null: the filter does not run. */
  private isolationRules(): IsolationRules | null {
    const bound = this.pipeline.parts.filters.find(({ part }) => part.name === aggregateImagePropertiesIsolation.name);
    if (bound === undefined) return null;
    const values = bound.values as Readonly<Record<string, unknown>>;
    const [namespace, separator, strict] = ['namespace', 'separator', 'strict'].map(
      (name) => values[`aggregate_image_properties_isolation_${name}`],
    );
    const behind = typeof separator === 'string' ? separator : '';
    const prefix = typeof namespace === 'string' && namespace !== '' ? `${namespace}${behind}` : null;
    return { prefix, strict: Array.isArray(strict) ? (strict as readonly string[]) : [] };
  }

  private async unreachedProviders(graph: ProviderGraph, flavors: RegisteredFlavors): Promise<readonly Advice[]> {
    const asked = askedAmounts(flavors);
    if (asked === null) return [];
    const unreached = new UnreachedProviders(asked);
    await forEachTree(graph, (tree) => unreached.add(tree));
    return unreached.advice;
  }

  /**
   * Consumers of type INSTANCE that Berth did not place: all of them if Berth places instances, otherwise those on
   * hosts that report their instances.
   */
  private async unrecordedConsumers(
    graph: ProviderGraph,
    nowMs: number,
  ): Promise<{ readonly uuids: readonly string[]; readonly isCut: boolean }> {
    const doubted: string[] = [];
    const asked = { type: INSTANCE, createdBeforeMs: nowMs - ADVICE_LIMITS.consumerAgeMs };
    const limit = ADVICE_LIMITS.consumersPerRead;
    let recorded = 0;
    let after: number | null = 0;
    for (let read = 0; after !== null; read += limit) {
      if (read >= ADVICE_LIMITS.consumersRead || doubted.length >= ADVICE_LIMITS.consumersDoubted) break;
      const page = await this.allocations.consumersOfType(asked, { after, limit });
      const known = await this.instances.hostsOf(page.uuids);
      recorded += known.size;
      for (const uuid of page.uuids) if (!known.has(uuid)) doubted.push(uuid);
      after = page.next;
    }
    const isCut = after !== null;
    if (recorded > 0) return { uuids: doubted, isCut };
    const providers = await this.allocations.providersOfConsumers(doubted);
    const isWatched = (id: number): boolean => {
      const root = graph.findTreeOf(id)?.root;
      return root !== undefined && this.hosts.known(root).reported !== null;
    };
    return { uuids: doubted.filter((uuid) => providers.get(uuid)?.some(isWatched)), isCut };
  }

  /** By instance: the host whose last report lists it. */
  private async hostsThatReport(
    graph: ProviderGraph,
    wanted: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    if (wanted.size === 0) return found;
    await forEachTree(graph, ({ root }) => {
      const entry = this.hosts.known(root).reported;
      for (const { uuid } of entry?.host.report.instances ?? []) {
        if (wanted.has(uuid)) found.set(uuid, entry?.service.host ?? '');
      }
    });
    return found;
  }
}

/** Null: no flavor is registered, or there are more than the limit. */
function askedAmounts({ flavors, isCut }: RegisteredFlavors): AskedAmounts | null {
  if (flavors.length === 0 || isCut) return null;
  const asked = new Map<string, Set<number>>();
  for (const { request, fallback } of flavors) {
    for (const { resources } of [...(request?.groups ?? []), ...(fallback?.groups ?? [])]) {
      for (const [name, amount] of resources) asked.set(name, (asked.get(name) ?? new Set<number>()).add(amount));
    }
  }
  return asked;
}

function forEachTree(graph: ProviderGraph, each: (tree: Tree) => void): Promise<void> {
  return tasks.forEach(graph.rootIds, (id) => {
    const tree = graph.findTree(id);
    if (tree !== undefined) each(tree);
  });
}

/** The items of a registry, up to the limit. */
async function all<T>(
  list: (page: PageQuery) => Promise<Page<T>>,
): Promise<{ readonly items: readonly T[]; readonly isCut: boolean }> {
  const limit = SCHEDULER_LIMITS.listDefault;
  const items = await readOn(ADVICE_LIMITS.registeredRead, undefined, (marker?: string) => list({ limit, marker }));
  return { items, isCut: items.length > ADVICE_LIMITS.registeredRead };
}
