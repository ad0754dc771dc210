// Searches for allocation candidates: names are checked first, then the pure engine works on the current graph.
import { Inject, Injectable } from '@nestjs/common';
import {
  explainAnswer,
  explainGroups,
  explainProvider,
  occursIn,
  RecordingTrace,
  searchCandidates,
} from '../candidate-search';
import type {
  CandidateQuery,
  Candidates,
  ExplainedAnswer,
  ExplainedGroup,
  Provider,
  ProviderGraph,
  ProviderPart,
  Rejection,
} from '../candidate-search';
import { Database } from '../database/database';
import type { Uuid } from '../domain/uuid';
import { UnknownReference } from '../errors/domain-errors';
import { contextFields } from '../logging/log-context';
import type { LogContext } from '../logging/log-context';
import { LOGGER } from '../logging/logger.token';
import type { SearchLog } from '../logging/logger.token';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { TraitsService } from '../traits/traits.service';
import { GraphSource } from './graph-source';
import type { AskedQuery } from './query-parser';
import { seededRandom } from './seeded-random';

/** The operator's part of every query. */
export interface SearchOptions {
  readonly maxCandidates: number;
  readonly strategy: CandidateQuery['strategy'];
  readonly randomize: boolean;
  readonly randomSeed: number | null;
}

/** An answer with the one reason of every root that has no candidate, whether or not a bound cut the answer. */
export interface ExplainedCandidates extends Candidates {
  readonly rejections: readonly Rejection[];
}

/** Where every tree went, and what each group found; with one provider looked at closely when asked. */
export interface Explanation {
  readonly answer: ExplainedAnswer;
  readonly groups: readonly ExplainedGroup[];
  readonly provider: {
    readonly provider: Provider;
    /** A returned candidate uses it. */
    readonly isUsed: boolean;
    readonly parts: readonly ProviderPart[];
  } | null;
}

export const SEARCH_OPTIONS = Symbol('search options');

@Injectable()
export class AllocationCandidatesService {
  constructor(
    private readonly db: Database,
    private readonly graphs: GraphSource,
    private readonly resourceClasses: ResourceClassesService,
    private readonly traits: TraitsService,
    @Inject(SEARCH_OPTIONS) private readonly options: SearchOptions,
    @Inject(LOGGER) private readonly log: SearchLog,
  ) {}

  /** As the REST API asks. Throws UnknownReference for a class or trait that does not exist. */
  search(asked: AskedQuery, context: LogContext): Promise<Candidates> {
    const { maxCandidates, strategy, randomize } = this.options;
    return this.run({ ...asked, maxCandidates, strategy, perRoot: null, randomize }, context);
  }

  /**
   * The answer of `search`, explained; where answers are drawn at random, of the first ones. Visits every tree. Throws
   * UnknownReference for a class, trait or provider that does not exist.
   */
  async explain(asked: AskedQuery, providerUuid: Uuid | null, context: LogContext): Promise<Explanation> {
    const { maxCandidates, strategy } = this.options;
    const query: CandidateQuery = { ...asked, maxCandidates, strategy, perRoot: null, randomize: false };
    const graph = await this.graphFor(query);
    const provider = providerUuid === null ? null : graph.findProviderByUuid(providerUuid);
    if (provider === undefined) throw new UnknownReference(`No resource provider with uuid ${providerUuid} found.`);
    const answer = explainAnswer(graph, query);
    this.warnIfCut(query, answer.candidates, context);
    return {
      answer,
      groups: explainGroups(graph, query),
      provider: provider && {
        ...{ provider, isUsed: occursIn(answer.candidates, provider) },
        parts: explainProvider(graph, query, provider),
      },
    };
  }

  /**
   * As the scheduler asks: breadth-first, at most `perRoot` candidates of each of `maxAnchors` hosts, never at random.
   */
  searchHosts(asked: AskedQuery, perRoot: number, context?: LogContext): Promise<Candidates> {
    return this.run(this.hostQuery(asked, perRoot), context);
  }

  /** The answer of `searchHosts`, explained. Visits every root, so it is for those who read the reasons. */
  async explainHosts(asked: AskedQuery, perRoot: number, context?: LogContext): Promise<ExplainedCandidates> {
    const query = this.hostQuery(asked, perRoot);
    const graph = await this.graphFor(query);
    const explained = explainedSearch(graph, query);
    this.warnIfCut(query, explained, context);
    return explained;
  }

  private hostQuery(asked: AskedQuery, perRoot: number): CandidateQuery {
    const { maxCandidates } = this.options;
    return { ...asked, maxCandidates, strategy: 'breadth-first', perRoot, randomize: false };
  }

  private async run(query: CandidateQuery, context: LogContext | undefined): Promise<Candidates> {
    const graph = await this.graphFor(query);
    const candidates = searchCandidates(graph, query, query.randomize ? { random: this.random(context) } : {});
    this.warnIfCut(query, candidates, context);
    return candidates;
  }

  private warnIfCut(
    { maxCandidates }: CandidateQuery,
    { truncated, list }: Candidates,
    context: LogContext | undefined,
  ): void {
    if (truncated) this.log.warn({ ...fieldsOf(context), maxCandidates, found: list.length }, 'a search was cut');
  }

  /** The current graph, once all names are known to exist, so that an unknown one never goes unnoticed. */
  private async graphFor(query: CandidateQuery): Promise<ProviderGraph> {
    const graph = await this.graphs.current();
    // What a provider has exists; only other names have to be looked up.
    const classes = query.groups
      .flatMap((group) => [...group.resources.keys()])
      .filter((name) => graph.rootsWithClass(name).length === 0);
    const traits = [
      ...query.groups.flatMap((group) => [...group.requiredTraits.flat(), ...group.forbiddenTraits]),
      ...query.rootRequired,
      ...query.rootForbidden,
    ].filter((name) => graph.rootsWithTrait(name).length === 0);
    if (classes.length + traits.length === 0) return graph;
    await this.db.read(async (sql) => {
      await this.resourceClasses.resolve(sql, [...new Set(classes)]);
      if (traits.length > 0) await this.traits.resolve(sql, [...new Set(traits)]);
    });
    return graph;
  }

  private random(context: LogContext | undefined): () => number {
    const seed = this.options.randomSeed ?? Math.floor(Math.random() * 2 ** 32);
    this.log.debug({ ...fieldsOf(context), seed }, 'candidates are drawn at random with this seed');
    return seededRandom(seed);
  }
}

/** The answer of a search with the one reason of every root that has no candidate. */
export function explainedSearch(graph: ProviderGraph, query: CandidateQuery): ExplainedCandidates {
  const trace = new RecordingTrace();
  const candidates = searchCandidates(graph, query, { trace });
  const { truncated, list, anchorsBeyond = 0 } = candidates;
  const isComplete = !truncated && anchorsBeyond === 0 && list.length < (query.limit ?? Number.POSITIVE_INFINITY);
  return { ...candidates, rejections: isComplete ? trace.rejections : rejectionsOf(graph, query) };
}

const fieldsOf = (context: LogContext | undefined): object => (context === undefined ? {} : contextFields(context));

/** Every root is looked at once: a search that stopped at its limit knows nothing of the roots behind it. */
function rejectionsOf(graph: ProviderGraph, query: CandidateQuery): readonly Rejection[] {
  const trace = new RecordingTrace();
  searchCandidates(graph, { ...query, limit: null, perRoot: 1, maxAnchors: null }, { trace });
  return trace.rejections;
}
