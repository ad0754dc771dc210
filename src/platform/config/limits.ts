// Limits that several files or tests use, or that operators plan with; unit last, reason in the comment. A limit of a
// single file is a constant there. Exceeding a limit gives a clear answer, never a crash. A limit that operators can
// change is an option (options.ts) that refers to its default here.

const KIB = 1024;
const MIB = 1024 * KIB;

/** Limits of one HTTP request. */
export const HTTP_LIMITS = Object.freeze({
  /** Default, minimum and maximum of `max_body_bytes`. A body of 2 MiB takes 20 to 40 ms to parse and validate. */
  bodyBytes: 2 * MIB,
  bodyBytesMin: 64 * KIB,
  bodyBytesMax: 10 * MIB,
  /** Queries for candidates grow with their groups; 64 KiB holds a few hundred. */
  urlBytes: 64 * KIB,
  /** All header lines of a request; Node counts the URL, too, so this exceeds `urlBytes`. */
  headerBytes: 96 * KIB,
  /** The longest path segment for the router; each of 255 characters can be percent-encoded in several bytes. */
  pathParameterCharacters: 4 * KIB,
  /** From the first to the last byte of a request; slower clients are disconnected after at most twice this time. */
  requestTimeoutMs: 60_000,
  /** The interval of the check of connections against their timeouts. */
  connectionsCheckingIntervalMs: 5_000,
  headersTimeoutMs: 20_000,
  /** A client with an invalid request must read the refusal and close within this time. */
  refusedTimeoutMs: 5_000,
  /** Keep-alive time of idle connections; above the usual 60 s of load balancers, so that these close first. */
  keepAliveTimeoutMs: 72_000,
  /** Added to the announced keep-alive time, for requests that were sent in time and arrive late. */
  keepAliveMarginMs: 10_000,
  /** From the connection to the end of the TLS handshake. */
  tlsHandshakeTimeoutMs: 10_000,
  /**
   * Connections of one process; further ones are closed at once. Far above load balancers' use, far below file limits.
   */
  connectionsMax: 10_000,
  /** Minimum interval between log lines about connections that were closed at once. */
  droppedLogEveryMs: 1_000,
  /** `Retry-After` of a 503, in seconds. */
  retryAfterSeconds: 1,
  /** Nesting of a JSON body; deeper ones are refused before they are validated. */
  jsonDepth: 64,
  /** Keys of one object in a body: more than the consumers of any request. */
  jsonKeys: 20_000,
  /** Bytes of a body per different key, and per object or list: at most 20 000 and 52 000 in 2 MiB. */
  bodyBytesPerNewKey: 100,
  bodyBytesPerContainer: 40,
  /** A document that class-validator validates: this size with 5 000 unknown fields takes up to 45 ms. */
  documentBytes: 64 * KIB,
  /** Characters of one string in a document. */
  documentTextCharacters: 65_535,
  /** A larger body is written in blocks of this size, as fast as the client reads. */
  bodyBlockBytes: 256 * KIB,
  /** Blocks of sent bodies that are reused: maximum number. */
  spareBodyBlocks: 16,
  /**
   * A body of known size up to this limit is written into one block and sent at once; the next limit is the number of
   * reused blocks per size.
   */
  wholeBodyBytes: 2 * MIB,
  spareWholeBodies: 2,
  /** Bodies up to this size are sent without a check of the unread bytes. */
  smallBodyBytes: 64 * KIB,
  /** All answers that clients have not read yet, with their source data; further ones get 503. */
  unreadAnswersBytes: 128 * MIB,
  /** Bodies above `smallBodyBytes` of all running requests in the process; further requests get 503. */
  bodiesBytes: 256 * MIB,
  /** A client that reads nothing of its answer for this time is disconnected. */
  unreadAnswerMs: 30_000,
  /** Parts of a body, counted by their values, that are serialised in one step; larger ones yield in between. */
  jsonPartNodes: 2_000,
  /** Characters of one error message. */
  errorDetailCharacters: 4_000,
});

/** Limits of one write. Each keeps a transaction far below its time limit in `DATABASE_LIMITS`. */
export const WRITE_LIMITS = Object.freeze({
  /** (provider, class) pairs of one consumer. */
  allocationsPerConsumer: 1_000,
  /** Providers whose inventories one reshape replaces: far more than the largest tree to reshape. */
  reshapedProviders: 5_000,
  inventoriesPerProvider: 1_000,
  traitsPerProvider: 2_000,
  aggregatesPerProvider: 10_000,
});

/** Limits of the work and the answer of one search. */
export const SEARCH_LIMITS = Object.freeze({
  /** Default of `max_allocation_candidates`; -1 means this. */
  candidates: 100_000,
  /** Default of `max_allocation_candidates_bytes`, and its largest value. */
  answerBytes: 64 * MIB,
  answerBytesMax: 1_024 * MIB,
  /** Running searches whose results exceed one block; then the queue, the wait time; beyond these 429. */
  largeSearches: 2,
  largeSearchesOfClient: 1,
  largeSearchesWaiting: 200,
  largeSearchWaitMs: 30_000,
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

/** Transactions, retries and connections. */
export const DATABASE_LIMITS = Object.freeze({
  /** Attempts of one transaction after deadlocks or failed certifications. */
  transactionAttempts: 10,
  /** Pause before a retry: multiplied by the attempt, at most by eight, with full jitter. */
  backoffFirstMs: 5,
  /** MySQL connections of one process; each writer among them is a lane of the change log. */
  poolConnectionsMax: 64,
  /** Wait for a connection of the pool; then the answer is 503. */
  acquireTimeoutMs: 30_000,
  /** Time to open a connection: name resolution, network, authentication, session set-up. */
  connectTimeoutMs: 5_000,
  /** Wait for a lock of a row or table; the server's default exceeds every client's timeout. */
  lockWaitTimeoutSeconds: 2,
  /** After this time a conflicting write is not retried; with the last lock wait, far below ten seconds in total. */
  collidingMs: 4_000,
  /** Minimum time for retries after a wait in the queue. */
  collidingAfterQueueMs: 500,
  /** Time limit of one round trip; then its connection is closed. Longer than any wait for a lock. */
  statementTimeoutMs: 10_000,
  /** Time limit of a statement that loads, verifies or repairs everything (the graph, the hosts). */
  loadTimeoutMs: 120_000,
  /** Time limit of a write transaction, unless a tenth of the retention is shorter. */
  writeTimeoutMs: 60_000,
  /** The interval of the check of all connections against their time limits, with one timer. */
  sweepMs: 100,
  /** A connection that was idle for this time is checked before use; then the time limit of that check. */
  idleLookMs: 5_000,
  lookTimeoutMs: 1_000,
  /** The server ends sessions that are silent for this time, because dead ones would keep their locks. */
  sessionSilenceSeconds: 30,
  /** A connection reads the database's clock again after this time. */
  clockAgeMs: 600_000,
  /** The first TCP keep-alive probe of a silent connection. */
  keepAliveDelayMs: 10_000,
  /** Minimum interval between the read and write checks of `/readyz`, and their time limit. */
  probeEveryMs: 1_000,
  probeTimeoutMs: 1_500,
  /** Hosts in one database address. */
  hostsMax: 16,
  /** A failed host is skipped for this time. */
  hostSkipMs: 30_000,
  /** The interval of pings on idle connections. */
  silentLookMs: 5_000,
  /** Minimum interval between reads of the configuration after a refused password. */
  rereadMs: 1_000,
  /** Wait for another process's SQLite write lock before an attempt counts as failed. */
  sqliteBusyTimeoutMs: 100,
  /** Queued write units of one process, default of `write_queue_limit`; further ones get 503. */
  writeQueue: 1_000,
  /** Running write groups of one process: one computes while the other waits for the disk. */
  groupsInFlight: 2,
  /** Writes in one transaction: above this, sharing a commit saves almost nothing, and the writes wait longer. */
  groupMembers: 64,
  /** Consumer and allocation rows of one group; keeps it within one statement of each kind. */
  groupRows: 400,
  /** Prepared statements cached per SQLite connection. */
  preparedStatements: 500,
  /** Bound values of one statement: below SQLite's 32 766 and MySQL's 65 535. */
  parametersPerStatement: 30_000,
  /** Bound values in one round trip to MySQL; a longer batch takes several. */
  parametersPerBatch: 5_000,
  /** A longer text is sent in a prepared statement of its own. */
  longTextCharacters: 256 * 1024,
  /** Ids in one IN list; longer lists are queried in parts. */
  idsPerStatement: 1_000,
  /** Rows of one slice of a read of any size; other work runs between slices. */
  rowsPerRead: 5_000,
  /** Consumers whose allocations one statement sums up. */
  consumersPerRead: 1_000,
  /** Rows that SQLite reads, or that are processed, between two yields; fewer if they take longer. */
  rowsPerPart: 100,
  partMs: 2,
  /** Concurrent long reads on SQLite: each keeps its snapshot, and with it the write-ahead log. */
  longReads: 4,
  /**
   * Time limit of all reads of one snapshot: for a request, and for work that loads, verifies or repairs everything.
   */
  snapshotTimeoutMs: 60_000,
  wholeSnapshotTimeoutMs: 600_000,
  rowsPerInsert: 1_000,
  /** Time limit of all migrations, for a database that stops responding. */
  migrationTimeoutMs: 3_600_000,
  /** Wait for another process that migrates. */
  migrationLockTimeoutSeconds: 300,
});

/** The change log and the resident graph. */
export const CHANGE_LOG_LIMITS = Object.freeze({
  /** Default of `change_log_retention_seconds`. */
  retentionSeconds: 3_600,
  /** Minimum and maximum of the retention; a transaction lives at most a tenth of it. */
  retentionSecondsMin: 60,
  retentionSecondsMax: 7 * 86_400,
  /** The maximum life of a write transaction, as a share of the retention; a silent lane is retired after it. */
  transactionShareOfRetention: 0.1,
  /** A reader that was suspended for longer than this share of the retention reloads everything. */
  readerShareOfRetention: 0.5,
  /** Rows of the first read; more are read in parts. */
  rowsPerRead: 2_000,
  /** The interval at which an idle reader follows the log, so heartbeats of ten thousand hosts do not accumulate. */
  idleRefreshMs: 10_000,
  /** Known lanes after which a reader checks which still exist. */
  lanesBeforePruning: 64,
  rowsPerTrim: 5_000,
});

/** Limits of the log. */
export const LOG_LIMITS = Object.freeze({
  /** Attempts to write the last lines at the exit of the process, and the pause between them if the reader is slow. */
  lastTries: 50,
  lastTryMs: 100,
});

/** The audit log. */
export const AUDIT_LIMITS = Object.freeze({
  /** Events in the queue for the file; further ones are lost, counted and logged as an error. */
  waitingBytes: 8 * MIB,
  /** Characters of one document in an event. */
  documentCharacters: 4 * KIB,
  /** Characters of one text in an event: names, ids, the user agent. */
  textCharacters: 255,
  pathCharacters: 2 * KIB,
  roles: 100,
});

/** Limits of authentication. */
export const AUTH_LIMITS = Object.freeze({
  /** Cache time of a static token, and so the maximum delay of a revocation. */
  staticTokenBelievedMs: 5_000,
  /** Minimum interval between updates of a token's last use. */
  tokenUseNotedMs: 60_000,
  rolesPerToken: 100,
  tokensListed: 10_000,
});

/** Limits of requests to the Identity service, and of the cache of its answers. */
export const IDENTITY_LIMITS = Object.freeze({
  /**
   * Longer tokens are refused unseen: signed ones have about 2 000 characters, and web servers accept headers up to 8
   * KiB.
   */
  tokenCharacters: 6 * KIB,
  /** Connections to the Identity service, one per running request; others wait. */
  connections: 32,
  questionsWaiting: 1_000,
  /** Time to open a connection, default of `http_connect_timeout`; and one request in total, with its retries. */
  connectTimeoutMs: 5_000,
  questionMs: 10_000,
  /** Pause before the first retry; grows with each retry, with jitter. */
  retryPauseMs: 50,
  /** Bytes of an answer without the catalogue, and with it, for Berth's own token. */
  answerBytes: 256 * KIB,
  ownAnswerBytes: 4 * MIB,
  /** Limits of the content of one token; larger ones are refused. */
  rolesPerToken: 1_000,
  accessRulesPerToken: 1_000,
  /** Characters of all paths in its access rules, and of a compared path: the work is their product. */
  accessRuleCharacters: 8 * KIB,
  accessPathCharacters: 1 * KIB,
  /** Cached tokens: accepted ones and refused ones, each until it expires. */
  tokensKept: 10_000,
  refusalsKept: 10_000,
  refusalKeptMs: 10_000,
  /** The circuit breaker opens after this number of consecutive failures; then its first and its longest pause. */
  failuresInRow: 5,
  pauseMs: 1_000,
  pauseMsMax: 15_000,
  /** Maximum pause that the Identity service can request, and the pause after it refused Berth's own account. */
  pauseAskedMsMax: 60_000,
  accountPauseMs: 10_000,
  /** Berth's own token is renewed when this share of its life is left, at most the given time before its end. */
  renewShare: 0.2,
  renewMs: 300_000,
  renewEveryMs: 5_000,
  /** `/readyz` sends a probe if there was no other request for this time, and the time limit of the probe. */
  probeEveryMs: 5_000,
  probeWaitMs: 1_500,
  /** Minimum interval between log lines about failures. */
  logEveryMs: 1_000,
});

/** Password logins that Berth forwards to the Identity service. Each process counts separately. */
export const LOGIN_LIMITS = Object.freeze({
  /** The whole body; names and passwords are short. */
  bodyBytes: 16 * KIB,
  passwordCharacters: 4 * KIB,
  /** Attempts from one address, and the time after which it regains one: one address can serve a whole office. */
  triesOfAddress: 30,
  addressRegainsMs: 2_000,
  /** The same per user name, from any address; a successful login resets them. */
  triesOfUser: 10,
  userRegainsMs: 30_000,
  /** Counted addresses, and counted names; further ones share one counter. */
  triersKept: 10_000,
  /** Running logins, because passwords are expensive to verify; then the queue. Beyond these 503. */
  inFlight: 4,
  waiting: 100,
});

/** The built console, which is held in memory. */
export const CONSOLE_LIMITS = Object.freeze({
  files: 1_000,
  bytes: 64 * MIB,
});

/** Servers of the Compute API. */
export const SERVER_LIMITS = Object.freeze({
  /** Servers of one request, each with a row and an action. */
  serversPerRequest: 1_000,
  /** Metadata and tags of one server. */
  metadataKeys: 128,
  tags: 50,
  /** Entries per list in a request for a server: networks, groups, block devices, files. */
  listedPerServer: 64,
  /** Texts that are accepted and discarded: user data, files. */
  guestTextCharacters: 65_535,
});

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

/** Limits of the trace of one request. */
export const TRACING_LIMITS = Object.freeze({
  /** Largest value of `slow_request_seconds`. */
  slowSecondsMax: 3_600,
});

/** Imports from and exports to the schema of OpenStack Placement, by commands. */
export const TRANSFER_LIMITS = Object.freeze({
  /** Rows of names (projects, users, traits, …) per page. */
  namesPerPage: 5_000,
  /** Providers, with their ids and trees in memory during a pass; and projects, users, aggregates. */
  providers: 1_000_000,
  names: 2_000_000,
  /** Provider ids whose inventories, traits and aggregates are compared and written as one unit. */
  providersPerBlock: 250,
  providersPerWrite: 500,
  /** Consumers compared and written as one unit, with all their allocations. */
  consumersPerPage: 500,
  /** Findings kept to avoid repetition, and listed per kind; counts cover the kept ones. */
  findingsKept: 200_000,
  findingsListed: 100,
  differencesListed: 100,
  /** Rows written to a file or the reference's schema by one statement, and by one transaction. */
  rowsPerInsert: 500,
  rowsPerWrite: 10_000,
  /** The interval of progress lines without a terminal, and of updates with one. */
  progressLineMs: 5_000,
  progressDrawMs: 200,
});

/** Limits of `berth verify --repair`. */
export const REPAIR_LIMITS = Object.freeze({
  /** Faults of one kind that one run finds and repairs; the next run finds more. */
  foundPerRound: 100_000,
  repairsPerWrite: 100,
});

export const PROCESS_LIMITS = Object.freeze({
  /** The slice of a long task on the event loop; no task may block it for 50 ms. */
  sliceMs: 10,
  /** Default of `shutdown_grace_seconds`: the time for running requests after a signal. */
  shutdownGraceSeconds: 30,
  /** The time for the rest of a shutdown: pools, threads, the log. Then the process exits in any case. */
  stopMarginMs: 5_000,
  /** The time limit for workers to report readiness, below that of `/readyz`; the caller waits slightly longer. */
  workersAnswerMs: 1_700,
  workersAnswerMarginMs: 200,
  /** Pause before a worker with a short life is replaced: the first one, doubled up to the longest. */
  restartPauseMs: 1_000,
  restartPauseMsMax: 30_000,
  /** A worker that lived for this time is replaced at once. */
  steadyLifeMs: 60_000,
  workersMax: 128,
  /** Bytes of a configuration or policy file. */
  configFileBytes: 1 * MIB,
  /** Substitutions within one option's value; ends cycles of options that refer to each other. */
  interpolationDepth: 10,
});

/** The facade. */
export const FACADE_LIMITS = Object.freeze({
  /** Names of users and projects that a token is issued for. */
  nameCharacters: 255,
  /**
   * Bytes of one image that are accepted, counted and discarded: the largest number that columns and clients represent.
   */
  imageBytes: 1_024 * 1_024 * MIB,
  imageTags: 128,
  /** Number of `[facade] virtual_hosts`, and of one command: each is reported every few seconds. */
  virtualHosts: 1_000,
});

/** Commands that ask a running service. */
export const CLI_LIMITS = Object.freeze({
  /** Hosts in a list; further ones are counted as "and more". */
  hostsListed: 20_000,
  hostsPerPage: 1_000,
  /** Providers whose names are looked up for a table of candidates; concurrent lookups. */
  namesLookedUp: 100,
  askedAtOnce: 8,
});
