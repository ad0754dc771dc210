// Searches for allocation candidates: checks all names, then runs the pure engine on the current graph.
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { LogContext } from '../../platform/logging/log-context';
import { contextFields } from '../../platform/logging/log-context';
import type { SearchLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { InvalidInput, SearchGaveUp, UnknownReference } from '../../platform/values/errors';
import { SEED_LIMIT, seededRandom } from '../../platform/values/random';
import type { Uuid } from '../../platform/values/uuid';
import type {
  CandidateQuery,
  Candidates,
  CandidateShape,
  Failure,
  JudgedHost,
  Provider,
  ProviderGraph,
  Refusal,
  RequestFix,
  ResourceRequest,
} from '../candidate-search';
import { ConditionChecks, findFixes, judgeHosts, refusalOf, searchTask } from '../candidate-search';
import { STANDARD_RESOURCE_CLASSES } from '../domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../domain/standard-traits';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { TraitsService } from '../traits/traits.service';
import { GraphSource } from './graph-source';
import type { HostBounds } from './host-query';
import { boundedQuery, hostQuery } from './host-query';
import type { CallerKind } from './search-counters';
import { SearchCounters } from './search-counters';

/** The part of every query that the operator configures. */
export interface SearchOptions {
  readonly maxCandidates: number;
  readonly strategy: CandidateQuery['strategy'];
  readonly randomize: boolean;
  readonly randomSeed: number | null;
  /** Maximum size of the answer of one search, in bytes. */
  readonly maxBytes: number;
}

/** The caller: its names go to the log, and its search stops when it disconnects. */
type SearchCaller = LogContext & Caller;

/** Why hosts have no candidate, changes that give them one, and on request the details of one provider. */
export interface Explanation {
  readonly candidates: Candidates;
  readonly trees: number;
  /** Hosts with a candidate, returned or not. */
  readonly fitting: number;
  /** The others. */
  readonly refused: readonly JudgedHost[];
  readonly refusal: Refusal;
  readonly fixes: readonly RequestFix[];
  readonly provider: {
    readonly provider: Provider;
    /** True when a returned candidate uses the provider. */
    readonly isUsed: boolean;
    readonly failures: readonly Failure[];
  } | null;
}

export const SEARCH_OPTIONS = Symbol('search options');

@Injectable()
export class AllocationCandidatesService {
  /** Counters of searches by caller and result. */
  readonly counters = new SearchCounters();

  constructor(
    private readonly db: Database,
    @Inject(GraphSource) private readonly graphs: Pick<GraphSource, 'current' | 'lastRead'>,
    private readonly resourceClasses: ResourceClassesService,
    private readonly traits: TraitsService,
    @Inject(SEARCH_OPTIONS) private readonly options: SearchOptions,
    @Inject(LOGGER) private readonly log: SearchLog,
  ) {}

  /** Throws InvalidInput for an answer above the maximum size. */
  checkSize(bytes: number): void {
    const { maxBytes } = this.options;
    const refusal = `The allocation candidates of this request take more than ${maxBytes} bytes; ask for fewer of them with 'limit'.`;
    if (bytes > maxBytes) throw new InvalidInput(refusal);
  }

  /**
   * For the REST API. `bytesOfShape` is the size of a candidate in the answer. Throws UnknownReference for an unknown
   * class or trait; SearchGaveUp if the search found nothing before a step limit; InvalidInput for an answer that is too
   * large.
   */
  async search(
    asked: ResourceRequest,
    bytesOfShape: (shape: CandidateShape) => number,
    context: SearchCaller,
  ): Promise<Candidates> {
    const { maxCandidates, strategy, randomize, maxBytes } = this.options;
    const query = boundedQuery(asked, { limit: asked.limit, maxCandidates, strategy, perRoot: null, randomize });
    const graph = await this.graphFor(query);
    const random = randomize ? this.random(context) : undefined;
    const task = searchTask(graph, query, { random, bytesOfShape, maxBytes });
    const found = await this.counters.timed('search', () => tasks.run(task, context));
    this.conclude('placement', query, found, context);
    if (found.isTooLarge) this.checkSize(Infinity);
    if (found.gaveUp && found.list.length === 0) throw nothingFound();
    return found;
  }

  /**
   * The explained answer of `search`; with random sampling, of the first candidates. Visits every tree. Throws
   * UnknownReference for an unknown class, trait or provider.
   */
  async explain(asked: ResourceRequest, providerUuid: Uuid | null, context: SearchCaller): Promise<Explanation> {
    const { maxCandidates, strategy } = this.options;
    const { limit } = asked;
    const query = boundedQuery(asked, { limit, maxCandidates, strategy, perRoot: null, randomize: false });
    const graph = await this.graphFor(query).catch(async (error: unknown) => {
      throw error instanceof UnknownReference ? await error.withSuggestion() : error;
    });
    const provider = providerUuid === null ? null : graph.findProviderByUuid(providerUuid);
    if (provider === undefined) throw new UnknownReference(`No resource provider with uuid ${providerUuid} found.`);
    const candidates = await this.counters.timed('explain', () => tasks.run(searchTask(graph, query), context));
    this.conclude('explain', query, candidates, context);
    const judged = await this.counters.timed('explain', () => tasks.run(judgeHosts(graph, query), context));
    const refused = judged.filter(({ failures }) => failures.length > 0);
    const fitting = judged.length - refused.length;
    const refusal = await tasks.run(refusalOf(refused), context);
    const { cause } = refusal;
    const fixing = (): Promise<RequestFix[]> => tasks.run(findFixes(graph, query, { hosts: refused, cause }), context);
    const tree = provider && graph.findTreeOf(provider.id);
    return {
      candidates,
      trees: graph.rootIds.length,
      fitting,
      refused,
      refusal: fitting > 0 ? { ...refusal, cause: [] } : refusal,
      fixes: await this.counters.timed('explain', fixing),
      provider: provider && {
        provider,
        isUsed: candidates.list.some(({ providers }) => providers.some(({ id }) => id === provider.id)),
        failures: tree ? new ConditionChecks(graph, query).failuresOfProvider(tree, provider) : [],
      },
    };
  }

  /**
   * For the scheduler: breadth-first, at most `perRoot` candidates on each of `limit` hosts, never random. If hosts are
   * missing, the caller must check `gaveUp`.
   */
  async searchHosts(asked: ResourceRequest, bounds: HostBounds, context?: SearchCaller): Promise<Candidates> {
    const graph = await this.graphFor(asked, bounds.isReadNow);
    const query = hostQuery(asked, bounds, graph.rootIds.length);
    const found = await this.counters.timed('search', () => tasks.run(searchTask(graph, query), context));
    this.conclude('scheduler', query, found, context);
    return found;
  }

  /** Every host with the conditions that it fails. Visits every root, so only callers that need the reasons use it. */
  async judgeHosts(asked: ResourceRequest, context?: SearchCaller): Promise<readonly JudgedHost[]> {
    const graph = await this.graphFor(asked);
    return this.counters.timed('explain', () => tasks.run(judgeHosts(graph, asked), context));
  }

  /** Changes that give refused hosts a candidate now. Only hosts whose root `admits` returns. */
  async findFixes(
    asked: ResourceRequest,
    admits: (rootUuids: readonly string[]) => Promise<ReadonlySet<string>>,
    context?: SearchCaller,
  ): Promise<readonly RequestFix[]> {
    const graph = await this.graphFor(asked);
    const judged = await this.counters.timed('explain', () => tasks.run(judgeHosts(graph, asked), context));
    const admitted = await admits(judged.map(({ root }) => root.uuid));
    const hosts = judged.filter(({ root, failures }) => failures.length > 0 && admitted.has(root.uuid));
    const { cause } = await tasks.run(refusalOf(hosts), context);
    return this.counters.timed('explain', () => tasks.run(findFixes(graph, asked, { hosts, cause }), context));
  }

  /** Counts the outcome of a search and logs answers that were cut. */
  private conclude(
    caller: CallerKind,
    { maxCandidates }: CandidateQuery,
    found: Candidates,
    context: LogContext | undefined,
  ): void {
    this.counters.ended(caller, found);
    const { truncated, gaveUp, isTooLarge, list } = found;
    if (!truncated || isTooLarge) return;
    this.log.warn({ ...fieldsOf(context), maxCandidates, gaveUp, found: list.length }, 'a search was cut');
  }

  /** The current graph, after all names were checked, so unknown names always fail. */
  private async graphFor(query: ResourceRequest, isReadNow = false): Promise<ProviderGraph> {
    const read = isReadNow ? this.graphs.lastRead : undefined;
    const graph = read ?? (await this.counters.timed('refresh', () => this.graphs.current()));
    const { classes, traits } = namesWithoutProvider(graph, query);
    if (classes.length + traits.length === 0) return graph;
    await this.counters.timed('names', () =>
      this.db.read(async (sql) => {
        await this.resourceClasses.resolve(sql, [...new Set(classes)]);
        if (traits.length > 0) await this.traits.resolve(sql, [...new Set(traits)]);
      }),
    );
    return graph;
  }

  private random(context: LogContext | undefined): () => number {
    const seed = this.options.randomSeed ?? Math.floor(Math.random() * SEED_LIMIT);
    this.log.debug({ ...fieldsOf(context), seed }, 'candidates are drawn at random with this seed');
    return seededRandom(seed);
  }
}

const STANDARD_NAMES: ReadonlySet<string> = new Set([...STANDARD_TRAITS, ...STANDARD_RESOURCE_CLASSES]);
const isNotStandard = (name: string): boolean => !STANDARD_NAMES.has(name);

/** Standard names and names of the graph exist; only other names need a lookup. */
function namesWithoutProvider(
  graph: ProviderGraph,
  { groups, rootRequired, rootForbidden }: ResourceRequest,
): { readonly classes: readonly string[]; readonly traits: readonly string[] } {
  const classes: string[] = [];
  const traits: string[] = [];
  const noteTraits = (names: readonly string[]): void => {
    for (const name of names) if (isNotStandard(name) && graph.rootsWithTrait(name).length === 0) traits.push(name);
  };
  for (const { resources, requiredTraits, forbiddenTraits } of groups) {
    for (const name of resources.keys()) {
      if (isNotStandard(name) && graph.rootsWithClass(name).length === 0) classes.push(name);
    }
    for (const anyOf of requiredTraits) noteTraits(anyOf);
    noteTraits(forbiddenTraits);
  }
  noteTraits(rootRequired);
  noteTraits(rootForbidden);
  return { classes, traits };
}

const nothingFound = (): SearchGaveUp =>
  new SearchGaveUp(
    'The search reached its work limit without a candidate, so candidates may exist. ' +
      'Use fewer request groups, or restrict each group further.',
  );

const fieldsOf = (context: LogContext | undefined): object => (context === undefined ? {} : contextFields(context));
