// Limits of scheduling requests, decisions and registries.
import { MIB } from './units';

/** The scheduler's lists and registries. */
export const SCHEDULER_LIMITS = Object.freeze({
  instancesPerRequest: 10_000,
  /** Hosts in one list of a request: ignored, forced. */
  hostsNamed: 10_000,
  /** Rejected hosts listed per stage of a decision document; counts stay exact. */
  rejectionsShown: 100,
  /** Stored decisions: number, age, and total bytes of their compressed documents. */
  decisionsKept: 100_000,
  decisionAgeSeconds: 7 * 86_400,
  decisionsBytes: 1_024 * MIB,
  /** Chosen hosts of one decision in the list of decisions; all of them are counted. */
  decisionHostsListed: 10,
  /** Queued decisions; further ones are dropped and counted. */
  decisionsQueued: 500,
  /** Decisions written by one transaction, and the wait for more of them. */
  decisionsPerWrite: 50,
  decisionWaitMs: 100,
  /** The interval of trim rounds over all processes, and the decisions deleted by one transaction. */
  decisionTrimSeconds: 60,
  decisionsPerTrim: 200,
  /** Stored plans, their age, and the moves of one. */
  plansKept: 1_000,
  planAgeSeconds: 7 * 86_400,
  planMoves: 5_000,
  /** Documents of one page of a registry: default and maximum. */
  listDefault: 1_000,
  listMax: 5_000,
  /** Characters of the documents of one page; a page with long documents ends before `limit`. */
  pageCharacters: 16 * 1024 * 1024,
  /** Keys of a flavor's extra specs, an image's properties, a host aggregate's metadata. */
  keysPerDocument: 1_000,
  /** Hosts of one host aggregate: 2 MiB hold this number of names of 100 characters. */
  hostsPerAggregate: 20_000,
  membersPerGroup: 10_000,
  /** Entries of one list in a host's report: instances, metrics, PCI pools, stats. */
  reportEntries: 10_000,
  /** A report as JSON. In a statement it can be twice as long, and a MySQL packet has at most 16 MiB. */
  reportBytes: 2 * MIB,
  /** Limits of a described cloud: hosts, host aggregates, providers. The size of the body is checked first. */
  hostsPerSimulation: 10_000,
  providersPerSimulation: 50_000,
  /**
   * The cleanup of instances without allocations: records per round, interval of rounds, and retention of such a
   * record.
   */
  releasedPerRound: 1_000,
  releasedRoundSeconds: 15,
  releasedKeptSeconds: 7 * 86_400,
  /** The same cleanup removes locks of groups that other services register: locks per round, and time without a claim. */
  groupLocksPerRound: 1_000,
  groupLocksKeptSeconds: 86_400,
  /** Bytes of a described cloud, as a body or a line for `berth simulate`. The worker thread parses it. */
  simulationBytes: 10 * MIB,
});
