// Limits of reports, the change stream and advice.
import { KIB } from './units';

/** Limits of the work and the content of reports. */
export const REPORT_LIMITS = Object.freeze({
  /** Registered flavors in reports: the first ones. */
  flavors: 1_000,
  /** Decisions whose verdicts on hosts are cached, and cached hosts of one decision. */
  decisionsRemembered: 200,
  hostsRemembered: 2_000,
  flavorsJudged: 200,
  /** Cached results for flavors requested by name, and queued ones. */
  flavorSetsKept: 4,
  flavorSetsWaiting: 8,
  /** Hosts checked for the causes of flavors that fit nowhere, 30 µs each; such a flavor takes a check of all hosts. */
  hostsCheckedForCauses: 50_000,
  /** The wait of the first request for stranded amounts, enough for a small cloud; then the answer is `computing`. */
  strandedWaitMs: 250,
  /** Reasons shown for one stranded amount, and for one flavor: those of most hosts. */
  reasonsShown: 20,
  /** Default of `stranded_max_age_seconds`, and its largest value. */
  strandedAgeSeconds: 15,
  strandedAgeSecondsMax: 86_400,
});

/** Limits of the change stream. */
export const CHANGE_STREAM_LIMITS = Object.freeze({
  /** Maximum interval between reads of the log while streams are open, once for all of them. */
  lookEveryMs: 1_000,
  /** The interval of heartbeats; and of the search for silent hosts. */
  beatEveryMs: 15_000,
  silenceEveryMs: 5_000,
  /** Streams of one process, and of one client: more than open pages of one user. Further ones get 429. */
  streams: 500,
  streamsOfClient: 20,
  /** Unread bytes of one stream; a slower client is disconnected and resumes from its position. */
  unreadBytes: 256 * KIB,
  /** Characters of a position, and its lanes: more than ten processes of 64 connections use in an hour. */
  positionCharacters: 16 * KIB,
  positionLanes: 1_000,
});

/** Limits of advice to operators. */
export const ADVICE_LIMITS = Object.freeze({
  /** Advice of this age is recomputed on demand. */
  keptMs: 10_000,
  /** The wait of the first request; then the answer is that the advice is being computed. */
  firstWaitMs: 2_000,
  /** Subjects and commands of one piece of advice; counts stay exact. */
  subjectsShown: 100,
  commandsShown: 20,
  adviceShown: 500,
  /** Consumers to check, and per page; with more of them the advice is marked as cut. */
  consumersRead: 500_000,
  consumersPerRead: 1_000,
  /** Consumers without a record that are searched in reports. */
  consumersDoubted: 100_000,
  /** A younger consumer can still be missing in reports. */
  consumerAgeMs: 600_000,
  /** Flavors, images and server groups to check. */
  registeredRead: 20_000,
});
