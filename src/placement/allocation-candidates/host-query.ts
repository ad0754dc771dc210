// The bounds of a search. Apart from the service, so that threads without a database can search.
import type { CandidateQuery, ResourceRequest } from '../candidate-search';

type Bounds = Pick<
  CandidateQuery,
  'limit' | 'maxAnchors' | 'maxCandidates' | 'strategy' | 'perRoot' | 'onlyRoots' | 'randomize'
>;

/**
 * Written out, because this runs for every search: an object from spread plus members gets no stable hidden class in
 * V8, and each read of it costs as much as a function call (10 µs of the 400 µs of a search for one candidate).
 */
export const boundedQuery = (asked: ResourceRequest, bounds: Bounds): CandidateQuery => ({
  groups: asked.groups,
  groupPolicy: asked.groupPolicy,
  sameSubtree: asked.sameSubtree,
  rootRequired: asked.rootRequired,
  rootForbidden: asked.rootForbidden,
  nestedAware: asked.nestedAware,
  limit: bounds.limit,
  maxAnchors: bounds.maxAnchors ?? null,
  maxCandidates: bounds.maxCandidates,
  strategy: bounds.strategy,
  perRoot: bounds.perRoot,
  onlyRoots: bounds.onlyRoots ?? null,
  randomize: bounds.randomize,
});

/** At most `perRoot` candidates on each host; `onlyRoots` are the uuids of the only hosts to search. */
export interface HostBounds {
  readonly perRoot: number;
  readonly onlyRoots?: readonly string[] | undefined;
  /** The caller has read the change log for this request: the graph of that time is used. */
  readonly isReadNow?: boolean | undefined;
}

/**
 * The query of the scheduler: its `limit` counts hosts, which the engine calls anchors. No total bounds the candidates of all
 * `roots`, because it would hide hosts.
 */
export const hostQuery = (asked: ResourceRequest, { perRoot, onlyRoots }: HostBounds, roots: number): CandidateQuery =>
  boundedQuery(asked, {
    limit: null,
    maxAnchors: asked.limit,
    maxCandidates: perRoot * Math.max(1, roots),
    strategy: 'breadth-first',
    perRoot,
    onlyRoots: onlyRoots ?? null,
    randomize: false,
  });
