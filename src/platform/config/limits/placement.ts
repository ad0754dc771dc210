// Limits of writes and searches of the Placement API, and the fair shares of clients in searches and decisions.
import { MIB } from './units';

/** Limits of one write. Each keeps a transaction far below its time limit in `DATABASE_LIMITS`. */
export const WRITE_LIMITS = Object.freeze({
  /** (provider, class) pairs of one consumer. */
  allocationsPerConsumer: 1_000,
  /** Providers whose inventories one reshape replaces: far more than the largest tree to reshape. */
  reshapedProviders: 5_000,
  inventoriesPerProvider: 1_000,
  traitsPerProvider: 2_000,
  aggregatesPerProvider: 10_000,
  /** Custom traits, and custom resource classes; lists of them are answered at once. */
  customTraits: 10_000,
  customResourceClasses: 10_000,
});

/** Limits of the work and the answer of one search. */
export const SEARCH_LIMITS = Object.freeze({
  /** Default of `max_allocation_candidates`; -1 means this. */
  candidates: 100_000,
  /** Default of `max_allocation_candidates_bytes`, and its largest value. */
  answerBytes: 64 * MIB,
  answerBytesMax: 1_024 * MIB,
  /** Maximum of `limit`; larger values are cut to the maximum of candidates in any case. */
  limitMax: 2_147_483_647,
  requestGroups: 256,
  /** Traits, forbidden traits and aggregates of one group. */
  namesPerGroup: 1_000,
  /** Candidates of one host in the scheduler's first query; default of `candidates_per_host`. */
  candidatesPerHost: 8,
  /** The same for requests that claim PCI devices: filters check each combination, and 2 of 8 devices have 56. */
  candidatesPerHostWithDevices: 64,
  /** Further candidates of one host that the scheduler requests after the first ones failed. */
  furtherCandidatesPerHost: 1_000,
  /** Rejected trees in an explanation, and classes of its unsuffixed group; counts stay exact. */
  rejectionsShown: 100,
});

/** Fair shares of clients in searches, decisions, explanations and simulations. */
export const SHARE_LIMITS = Object.freeze({
  /** Running requests of these kinds: in total and per client. Others wait. */
  inFlight: 48,
  underWayOfClient: 16,
  /** Places in their queue. */
  waiting: 5_000,
  /** Default of `share_queue_limit`, the places per client: above the concurrent requests of a cloud of 1 000 hosts. */
  waitingOfClient: 2_000,
});
