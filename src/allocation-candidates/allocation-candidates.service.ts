// Searches for allocation candidates: names are checked first, then the pure engine works on the current graph.
import { Inject, Injectable } from '@nestjs/common';
import {
  explainAnswerWalk,
  explainGroupsWalk,
  explainProvider,
  occursIn,
  RecordingTrace,
  searchWalk,
} from '../candidate-search';
import type {
  CandidateQuery,
  Candidates,
  CandidateShape,
  ExplainedAnswer,
  ExplainedGroup,
  Provider,
  ProviderGraph,
  ProviderPart,
  Rejection,
} from '../candidate-search';
import { Database } from '../database/database';
import type { Uuid } from '../domain/uuid';
import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import { InvalidInput, SearchGaveUp, UnknownReference } from '../errors/domain-errors';
import { contextFields } from '../logging/log-context';
import type { LogContext } from '../logging/log-context';
import { LOGGER } from '../logging/logger.token';
import type { SearchLog } from '../logging/logger.token';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { TraitsService } from '../traits/traits.service';
import { turns } from '../turns/turns';
import type { Caller } from '../turns/turns';
import { GraphSource } from './graph-source';
import type { AskedQuery } from './query-parser';
import { seededRandom } from './seeded-random';

/** The operator's part of every query. */
export interface SearchOptions {
  readonly maxCandidates: number;
  readonly strategy: CandidateQuery['strategy'];
  readonly randomize: boolean;
  readonly randomSeed: number | null;
  /** The largest answer of a search, as it is written. */
  readonly maxBytes: number;
}

/** Who asks: the log names them, and nothing is worked out for whoever hung up. */
export type SearchCaller = LogContext & Caller;

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

  /** Throws InvalidInput for an answer of more bytes than one may have. */
  checkSize(bytes: number): void {
    if (bytes > this.options.maxBytes) throw tooLarge(this.options.maxBytes);
  }

  /**
   * As the REST API asks. `bytesOfShape` says what a candidate takes in the answer. Throws UnknownReference for a class
   * or trait that does not exist, SearchGaveUp where nothing was found although something may be there, InvalidInput
   * where the answer grows too large.
   */
  async search(
    asked: AskedQuery,
    bytesOfShape: (shape: CandidateShape) => number,
    context: SearchCaller,
  ): Promise<Candidates> {
    const { maxCandidates, strategy, randomize, maxBytes } = this.options;
    const query: CandidateQuery = { ...asked, maxCandidates, strategy, perRoot: null, randomize };
    const graph = await this.graphFor(query);
    const random = randomize ? { random: this.random(context) } : {};
    const found = await turns.run(searchWalk(graph, query, { ...random, bytesOfShape, maxBytes }), context);
    if (found.isTooLarge) throw tooLarge(maxBytes);
    this.warnIfCut(query, found, context);
    if (found.gaveUp && found.list.length === 0) throw nothingFound();
    return found;
  }

  /**
   * The answer of `search`, explained; where answers are drawn at random, of the first ones. Visits every tree. Throws
   * UnknownReference for a class, trait or provider that does not exist.
   */
  async explain(asked: AskedQuery, providerUuid: Uuid | null, context: SearchCaller): Promise<Explanation> {
    const { maxCandidates, strategy } = this.options;
    const query: CandidateQuery = { ...asked, maxCandidates, strategy, perRoot: null, randomize: false };
    const graph = await this.graphFor(query);
    const provider = providerUuid === null ? null : graph.findProviderByUuid(providerUuid);
    if (provider === undefined) throw new UnknownReference(`No resource provider with uuid ${providerUuid} found.`);
    const answer = await turns.run(explainAnswerWalk(graph, query), context);
    this.warnIfCut(query, answer.candidates, context);
    return {
      answer,
      groups: await turns.run(explainGroupsWalk(graph, query), context),
      provider: provider && {
        ...{ provider, isUsed: occursIn(answer.candidates, provider) },
        parts: explainProvider(graph, query, provider),
      },
    };
  }

  /**
   * As the scheduler asks: breadth-first, at most `perRoot` candidates of each of `maxAnchors` hosts, never at random.
   * Whoever asks looks at `gaveUp` where hosts are missing.
   */
  async searchHosts(asked: AskedQuery, perRoot: number, context?: SearchCaller): Promise<Candidates> {
    const query = this.hostQuery(asked, perRoot);
    const found = await turns.run(searchWalk(await this.graphFor(query), query), context);
    this.warnIfCut(query, found, context);
    return found;
  }

  /** The answer of `searchHosts`, explained. Visits every root, so it is for those who read the reasons. */
  async explainHosts(asked: AskedQuery, perRoot: number, context?: SearchCaller): Promise<ExplainedCandidates> {
    const query = this.hostQuery(asked, perRoot);
    const explained = await turns.run(explainedSearchWalk(await this.graphFor(query), query), context);
    this.warnIfCut(query, explained, context);
    return explained;
  }

  private hostQuery(asked: AskedQuery, perRoot: number): CandidateQuery {
    const { maxCandidates } = this.options;
    return { ...asked, maxCandidates, strategy: 'breadth-first', perRoot, randomize: false };
  }

  private warnIfCut(
    { maxCandidates }: CandidateQuery,
    { truncated, gaveUp, list }: Candidates,
    context: LogContext | undefined,
  ): void {
    if (!truncated) return;
    this.log.warn({ ...fieldsOf(context), maxCandidates, gaveUp, found: list.length }, 'a search was cut');
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
  return finish(explainedSearchWalk(graph, query));
}

function* explainedSearchWalk(graph: ProviderGraph, query: CandidateQuery): Walk<ExplainedCandidates> {
  const trace = new RecordingTrace();
  const candidates = yield* searchWalk(graph, query, { trace });
  const { truncated, list, anchorsBeyond = 0 } = candidates;
  const isComplete = !truncated && anchorsBeyond === 0 && list.length < (query.limit ?? Number.POSITIVE_INFINITY);
  return { ...candidates, rejections: isComplete ? trace.rejections : yield* rejectionsOf(graph, query) };
}

/** The answer would take more bytes than one may. */
const tooLarge = (maxBytes: number): InvalidInput =>
  new InvalidInput(
    `The allocation candidates of this request take more than ${maxBytes} bytes; ask for fewer of them with 'limit'.`,
  );

const nothingFound = (): SearchGaveUp =>
  new SearchGaveUp(
    'The search found nothing within the work that one request may cost, which does not say that nothing fits: ' +
      'ask with fewer groups, or say more of each.',
  );

const fieldsOf = (context: LogContext | undefined): object => (context === undefined ? {} : contextFields(context));

/** Every root is looked at once: a search that stopped at its limit knows nothing of the roots behind it. */
function* rejectionsOf(graph: ProviderGraph, query: CandidateQuery): Walk<readonly Rejection[]> {
  const trace = new RecordingTrace();
  yield* searchWalk(graph, { ...query, limit: null, perRoot: 1, maxAnchors: null }, { trace });
  return trace.rejections;
}
