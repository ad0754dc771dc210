// Bounds that several files or tests need, and those that an operator plans with, with the unit last and the reason beside
// them. A bound of one file is a constant of that file. Reaching one is a clear answer to the caller, never a crash. What an
// operator may want to change is an option (options.ts) that refers to its bound here.

const KIB = 1024;
const MIB = 1024 * KIB;

/** What one HTTP request may cost. */
export const HTTP_LIMITS = Object.freeze({
  /** Default of `max_body_bytes`, its smallest and its largest value. A body of 2 MiB is parsed and judged in 20 to 40 ms. */
  bodyBytes: 2 * MIB,
  bodyBytesMin: 64 * KIB,
  bodyBytesMax: 10 * MIB,
  /** Candidates' queries grow with their groups; 64 KiB holds some hundred of them. */
  urlBytes: 64 * KIB,
  /** All header lines of a request together; the URL counts towards it in Node, hence more than `urlBytes`. */
  headerBytes: 96 * KIB,
  /** Longest path segment that the router looks at; names of 255 characters may be percent-encoded thrice over. */
  pathParameterCharacters: 4 * KIB,
  /** From the first byte of a request to its last; slower clients are cut off, at twice that for certain. */
  requestTimeoutMs: 60_000,
  /** How often connections are checked against the two timeouts above and below. */
  connectionsCheckingIntervalMs: 5_000,
  headersTimeoutMs: 20_000,
  /** A client that was refused on the bare connection has so long to take that, and to close; then it is cut off. */
  refusedTimeoutMs: 5_000,
  /** An idle connection is kept this long; longer than the usual 60 s of balancers, so that they close first. */
  keepAliveTimeoutMs: 72_000,
  /** And so much longer than clients are told, for a request that left its client in time and comes late. */
  keepAliveMarginMs: 10_000,
  /** From the connection to the end of the TLS handshake. */
  tlsHandshakeTimeoutMs: 10_000,
  /** Connections of one process; further ones are closed at once. Far above what balancers keep, far below what files allow. */
  connectionsMax: 10_000,
  /** Those that were closed at once are logged so often at most. */
  droppedLogEveryMs: 1_000,
  /** `Retry-After` of a 503, in seconds. */
  retryAfterSeconds: 1,
  /** Nesting of a JSON body; deeper ones are refused before they are validated. */
  jsonDepth: 64,
  /** Keys of one object in a body: more than any request may have consumers. */
  jsonKeys: 20_000,
  /** A body of the largest size has a key for so many bytes, and an object or list: 100 000 and 50 000 in 2 MiB. */
  bodyBytesPerKey: 20,
  bodyBytesPerContainer: 40,
  /** What class-validator judges of a document: it takes up to 45 ms for as much, which are 5 000 unknown fields. */
  documentBytes: 64 * KIB,
  /** One text of a document. */
  documentTextCharacters: 65_535,
  /** A larger body is written in blocks of this size, as fast as it is read. */
  bodyBlockBytes: 256 * KIB,
  /** Blocks of bodies that were sent are kept for the next ones, so many at most. */
  spareBodyBlocks: 16,
  /** A body of known size is written into one block up to this size, and sent at once; so many of each size are kept. */
  wholeBodyBytes: 2 * MIB,
  spareWholeBodies: 2,
  /** Bodies up to this size are sent without asking how much is unread. */
  smallBodyBytes: 64 * KIB,
  /** Answers that their clients have not taken yet, all together, with what they are written from; more get 503. */
  unreadAnswersBytes: 128 * MIB,
  /** Bodies above `smallBodyBytes` of all requests under way in the process; a request beyond that gets 503. */
  bodiesBytes: 256 * MIB,
  /** A client that takes nothing of its answer for so long is cut off. */
  unreadAnswerMs: 30_000,
  /** Parts of a body, counted by their values, that are made JSON at once; larger ones in turns. */
  jsonPartNodes: 2_000,
  /** Characters of one message shown to a client. */
  errorDetailCharacters: 4_000,
});

/** What one write may touch. Each bound keeps a transaction far below the lifetime of `DATABASE_LIMITS`. */
export const WRITE_LIMITS = Object.freeze({
  /** (provider, class) pairs of one consumer. */
  allocationsPerConsumer: 1_000,
  /** Providers whose inventories one reshape replaces: far more than the widest tree that is rebuilt. */
  reshapedProviders: 5_000,
  inventoriesPerProvider: 1_000,
  traitsPerProvider: 2_000,
  aggregatesPerProvider: 10_000,
});

/** What one search may cost and answer. */
export const SEARCH_LIMITS = Object.freeze({
  /** Default of `max_allocation_candidates`; -1 means this. */
  candidates: 100_000,
  /** Default of `max_allocation_candidates_bytes`, and its largest value. */
  answerBytes: 64 * MIB,
  answerBytesMax: 1_024 * MIB,
  /** Searches that have found more than one block may hold go on so many at a time; more wait, so long, or get 429. */
  largeSearches: 2,
  largeSearchesOfClient: 1,
  largeSearchesWaiting: 200,
  largeSearchWaitMs: 30_000,
  /** Largest value of `limit`; more is cut to the maximum of candidates anyway. */
  limitMax: 2_147_483_647,
  requestGroups: 256,
  /** Traits, forbidden traits and aggregates named by one group. */
  namesPerGroup: 1_000,
  /** Candidates of one host that the scheduler asks for at first, default of `candidates_per_host`. */
  candidatesPerHost: 8,
  /** The same if a request claims PCI devices: filters judge each choice of devices, and 2 of 8 devices have 56 choices. */
  candidatesPerHostWithDevices: 64,
  /** Further candidates of one host that the scheduler asks for once the first ones failed. */
  furtherCandidatesPerHost: 1_000,
  /** Rejected trees listed by an explanation, and classes of its unsuffixed group; counts stay exact. */
  rejectionsShown: 100,
});

/** The shares of clients in searches, decisions, explanations and simulations. */
export const SHARE_LIMITS = Object.freeze({
  /** Such requests under way at a time, in all and of one client. Others wait. */
  underWay: 48,
  underWayOfClient: 16,
  /** Places of the queue for them. */
  waiting: 5_000,
  /** Default of `share_queue_limit`, the places of one client: more requests than a cloud of 1 000 hosts has at a time. */
  waitingOfClient: 2_000,
});

/** Transactions, retries and connections. */
export const DATABASE_LIMITS = Object.freeze({
  /** Attempts of one transaction that was chosen as victim of a deadlock or lost a certification. */
  transactionAttempts: 10,
  /** Pause before a retry: times the attempt, at most eight, with full jitter. */
  backoffFirstMs: 5,
  /** Connections to MySQL of one process, at most; every writer among them is a lane of the change log. */
  poolConnectionsMax: 64,
  /** Waiting for a connection of the pool; then the answer is 503. */
  acquireTimeoutMs: 30_000,
  /** Opening a connection: name resolution, network, authentication, set-up of the session. */
  connectTimeoutMs: 5_000,
  /** A lock, of a row or of a table, is waited for this long; the server's defaults outlive every client. */
  lockWaitTimeoutSeconds: 2,
  /** A write that collides is not begun again once it is this old: with the last wait, far below ten seconds in all. */
  collidingMs: 4_000,
  /** So long at least after it had waited for its turn. */
  collidingAfterQueueMs: 500,
  /** A statement of a request, or a batch of them; then its connection is cut off. Longer than any wait for a lock. */
  statementTimeoutMs: 10_000,
  /** A statement that loads everything (the graph, the hosts), or verifies or repairs it. */
  loadTimeoutMs: 120_000,
  /** A write transaction in all, where a tenth of the retention is not shorter. */
  writeTimeoutMs: 60_000,
  /** How often connections are compared with their limits: one timer for all of them. */
  sweepMs: 100,
  /** A connection that is silent for this long is asked whether it is still there, and must answer so soon. */
  idleLookMs: 5_000,
  lookTimeoutMs: 1_000,
  /** The server ends sessions that are silent for this long: those of the dead, whose locks would stay. */
  sessionSilenceSeconds: 30,
  /** What a connection knows of the database's clock is asked again at this age. */
  clockAgeMs: 600_000,
  /** First TCP keep-alive of a silent connection. */
  keepAliveDelayMs: 10_000,
  /** Reads and writes are tried for `/readyz` this often at most, and given up after this long. */
  probeEveryMs: 1_000,
  probeTimeoutMs: 1_500,
  /** Hosts of one address. */
  hostsMax: 16,
  /** A host that failed is skipped for this long. */
  hostSkipMs: 30_000,
  /** Idle connections are asked whether they are still there this often. */
  silentLookMs: 5_000,
  /** A password that is refused is looked up again this often at most. */
  rereadMs: 1_000,
  /** Another process may hold SQLite's write lock this long before the attempt counts as failed. */
  sqliteBusyTimeoutMs: 100,
  /** Write units waiting for their turn in one process, default of `write_queue_limit`; more get 503. */
  writeQueue: 1_000,
  /** Groups of writes under way in one process: one is worked out while the other waits for the disk. */
  groupsInFlight: 2,
  /** Writes in one transaction: more share a commit that hardly costs anything any more, and wait for each other. */
  groupMembers: 64,
  /** Rows of consumers and allocations that one group writes; keeps it within one statement of each sort. */
  groupRows: 400,
  /** Statements kept prepared per SQLite connection. */
  preparedStatements: 500,
  /** Values bound by one statement: below SQLite's 32 766 and MySQL's 65 535. */
  parametersPerStatement: 30_000,
  /** Values of the statements in one round trip to MySQL; a longer batch takes several. */
  parametersPerBatch: 5_000,
  /** A longer text travels in a statement of its own, prepared. */
  longTextCharacters: 256 * 1024,
  /** Ids in one IN list; longer sets are asked in slices. */
  idsPerStatement: 1_000,
  /** Rows of one read that may be of any size; others have their turn before the next slice. */
  rowsPerRead: 5_000,
  /** Consumers whose allocations one statement sums up. */
  consumersPerRead: 1_000,
  /** Rows that SQLite hands over, or that are made something of, between two chances of others; fewer that take long. */
  rowsPerPart: 100,
  partMs: 2,
  /** Readers of much that SQLite has at a time: each keeps the state it began with, and with it the log of writes. */
  longReads: 4,
  /** All that is read in one state for a request; and for what loads, verifies or repairs everything. */
  snapshotTimeoutMs: 60_000,
  wholeSnapshotTimeoutMs: 600_000,
  rowsPerInsert: 1_000,
  /** Migrating in all; a database that falls silent meanwhile would be waited for without end. */
  migrationTimeoutMs: 3_600_000,
  /** Waiting for another process that migrates. */
  migrationLockTimeoutSeconds: 300,
});

/** The change log and the resident graph. */
export const CHANGE_LOG_LIMITS = Object.freeze({
  /** Default of `change_log_retention_seconds`. */
  retentionSeconds: 3_600,
  /** The shortest and the longest that is accepted: a transaction lives at most a tenth of it. */
  retentionSecondsMin: 60,
  retentionSecondsMax: 7 * 86_400,
  /** A write transaction may live this part of the retention, a silent lane is retired after it. */
  transactionShareOfRetention: 0.1,
  /** A reader that slept longer than this part of the retention reloads everything. */
  readerShareOfRetention: 0.5,
  /** As many are read like any other answer; more of them in parts. */
  rowsPerGlance: 2_000,
  /** A reader nobody asks follows the log this often, so that heartbeats of ten thousand hosts do not pile up. */
  idleRefreshMs: 10_000,
  /** Lanes a reader remembers before it looks which of them still exist. */
  lanesBeforePruning: 64,
  rowsPerTrim: 5_000,
});

/** What is written about the work. */
export const LOG_LIMITS = Object.freeze({
  /** Attempts to write the last lines of a process that ends, so far apart while nobody takes any. */
  lastTries: 50,
  lastTryMs: 100,
});

/** The audit log. */
export const AUDIT_LIMITS = Object.freeze({
  /** Events that wait until the file takes them; further ones are lost, counted, and told as an error. */
  waitingBytes: 8 * MIB,
  /** What an event shows of one document. */
  documentCharacters: 4 * KIB,
  /** One text of an event: names, ids, the client's name for itself. */
  textCharacters: 255,
  pathCharacters: 2 * KIB,
  roles: 100,
});

/** Who is calling. */
export const AUTH_LIMITS = Object.freeze({
  /** What the database said of a static token is believed so long: a revoked one is good for no longer. */
  staticTokenBelievedMs: 5_000,
  /** The time of a token's last use is written down at most once in so long. */
  tokenUseNotedMs: 60_000,
  rolesPerToken: 100,
  tokensListed: 10_000,
});

/** What asking the Identity service may cost, and what is kept of its answers. */
export const IDENTITY_LIMITS = Object.freeze({
  /** A longer token is refused unseen: signed ones have some 2 000 characters, and web servers take headers up to 8 KiB. */
  tokenCharacters: 6 * KIB,
  /** Connections to the Identity service, which are the questions that are under way; others wait for one of them. */
  connections: 32,
  questionsWaiting: 1_000,
  /** Opening a connection, default of `http_connect_timeout`; and one question in all, with its retries. */
  connectTimeoutMs: 5_000,
  questionMs: 10_000,
  /** Pause before the first retry; grows with each, with jitter. */
  retryPauseMs: 50,
  /** An answer, without the catalog. Our own token may come with one. */
  answerBytes: 256 * KIB,
  ownAnswerBytes: 4 * MIB,
  /** What one token may have: more is refused. */
  rolesPerToken: 1_000,
  accessRulesPerToken: 1_000,
  /** Characters of all paths of its access rules, and of a path that they are compared with: the work is their product. */
  accessRuleCharacters: 8 * KIB,
  accessPathCharacters: 1 * KIB,
  /** Tokens that are believed, and tokens that were refused, each until its time is over. */
  tokensKept: 10_000,
  refusalsKept: 10_000,
  refusalKeptMs: 10_000,
  /** Failures in a row after which nobody asks for a while: first so long, doubled up to the longest. */
  failuresInRow: 5,
  pauseMs: 1_000,
  pauseMsMax: 15_000,
  /** Longest pause that the Identity service may ask for itself, and the one after it refused our account. */
  pauseAskedMsMax: 60_000,
  accountPauseMs: 10_000,
  /** Our token is renewed when this part of its life is left, and so long before its end at most. */
  renewShare: 0.2,
  renewMs: 300_000,
  renewEveryMs: 5_000,
  /** `/readyz` asks when nobody else did for so long, and waits so long for the answer. */
  probeEveryMs: 5_000,
  probeWaitMs: 1_500,
  /** Failures are logged so often at most. */
  logEveryMs: 1_000,
});

/** Logins with a password, which Berth passes on to the Identity service. Each process counts for itself. */
export const LOGIN_LIMITS = Object.freeze({
  /** The whole body; names and passwords are short. */
  bodyBytes: 16 * KIB,
  passwordCharacters: 4 * KIB,
  /** Tries of one address at once, and how long until it has one more: one address may stand for a whole office. */
  triesOfAddress: 30,
  addressRegainsMs: 2_000,
  /** The same of one user's name, whoever tries; a login that succeeds gives them all back. */
  triesOfUser: 10,
  userRegainsMs: 30_000,
  /** Addresses and names that are told apart, as many of each; beyond, the new ones share the tries of one. */
  triersKept: 10_000,
  /** Passwords are dear to judge: so many are with the Identity service at a time, more wait, the rest get 503. */
  underWay: 4,
  waiting: 100,
});

/** The built console, which is kept in memory. */
export const CONSOLE_LIMITS = Object.freeze({
  files: 1_000,
  bytes: 64 * MIB,
});

/** Servers of the Compute API. */
export const SERVER_LIMITS = Object.freeze({
  /** Servers made by one request, each with a row and an action of its own. */
  serversPerRequest: 1_000,
  /** Metadata of one server, and its tags. */
  metadataKeys: 128,
  tags: 50,
  /** Entries of each list in the request for a server: networks, groups, block devices, files. */
  listedPerServer: 64,
  /** Texts that are taken and thrown away: user data, files. */
  guestTextCharacters: 65_535,
});

/** The scheduler's lists and registries. */
export const SCHEDULER_LIMITS = Object.freeze({
  instancesPerRequest: 10_000,
  /** Hosts that one request names in one list: ignored, forced. */
  hostsNamed: 10_000,
  /** Rejected hosts listed per stage of a decision document; counts stay exact. */
  rejectionsShown: 100,
  /** Decisions kept: by count, age, and bytes of their compressed documents in all. */
  decisionsKept: 100_000,
  decisionAgeSeconds: 7 * 86_400,
  decisionsBytes: 1_024 * MIB,
  /** Chosen hosts that the list of decisions names of one; all of them are counted. */
  decisionHostsListed: 10,
  /** Decisions that wait to be written; more are dropped and counted. */
  decisionsQueued: 500,
  /** Decisions written by one transaction, and how long the first of them waits for others. */
  decisionsPerWrite: 50,
  decisionWaitMs: 100,
  /** Between two rounds of trimming, whichever process does them; and decisions removed by one transaction. */
  decisionTrimSeconds: 60,
  decisionsPerTrim: 200,
  /** Documents of one page of a registry where `limit` is not given, and at most. */
  listDefault: 1_000,
  listMax: 5_000,
  /** Of the documents of one page together, the last of which may be longer: then it ends before `limit`. */
  pageCharacters: 16 * 1024 * 1024,
  /** Keys of a flavor's extra specs, an image's properties, a host aggregate's metadata. */
  keysPerDocument: 1_000,
  /** Hosts of one host aggregate: 2 MiB hold as many names of 100 characters. */
  hostsPerAggregate: 20_000,
  membersPerGroup: 10_000,
  /** Entries of one list in a host's report: instances, metrics, PCI pools, stats. */
  reportEntries: 10_000,
  /** A report as JSON. As a value of a statement it can be twice as long, and a packet of MySQL has at most 16 MiB. */
  reportBytes: 2 * MIB,
  /** Of one described cloud: hosts, and host aggregates; and providers. The body's size bounds it before. */
  hostsPerSimulation: 10_000,
  providersPerSimulation: 50_000,
  /** Records of placed instances that one round looks at for allocations that are gone; how often there is one; and how
   * long such a record is kept. */
  releasedPerRound: 1_000,
  releasedRoundSeconds: 15,
  releasedKeptSeconds: 7 * 86_400,
  /** A described cloud, as a body or as a line of `berth simulate`. The thread that simulates parses it. */
  simulationBytes: 10 * MIB,
});

/** Reports: what one of them looks at and shows. */
export const REPORT_LIMITS = Object.freeze({
  /** Registered flavors that reports judge: the first ones. */
  flavors: 1_000,
  /** Decisions of which it is remembered what they say of each host, and hosts remembered of one. */
  decisionsRemembered: 200,
  hostsRemembered: 2_000,
  flavorsJudged: 200,
  /** Sets of flavors that somebody asked for by name and that are remembered, and those that wait to be worked out. */
  flavorSetsKept: 4,
  flavorSetsWaiting: 8,
  /** Whoever asks first waits so long for what a small cloud tells in a moment; then the answer says `computing`. */
  strandedWaitMs: 250,
  /** Reasons of one stranded amount, and of one flavor, that are shown: those of most hosts. */
  reasonsShown: 20,
  /** Default of `stranded_max_age_seconds`, and its largest value. */
  strandedAgeSeconds: 15,
  strandedAgeSecondsMax: 86_400,
});

/** Streams of changes: what is told of the change log to whoever watches. */
export const CHANGE_STREAM_LIMITS = Object.freeze({
  /** While somebody watches, the log is looked at this often at least, once for all of them. */
  lookEveryMs: 1_000,
  /** A sign of life where there is nothing to tell; and how often silent hosts are looked for. */
  beatEveryMs: 15_000,
  silenceEveryMs: 5_000,
  /** Streams of one process, and of one client: more than anybody has pages open. Further ones get 429. */
  streams: 500,
  streamsOfClient: 20,
  /** What one stream may have unread; whoever reads more slowly is cut off, and comes back with its position. */
  unreadBytes: 256 * KIB,
  /** A position as text, and the lanes that it names: more than ten processes of 64 connections have in an hour. */
  positionCharacters: 16 * KIB,
  positionLanes: 1_000,
});

/** What operators are advised to mend. */
export const ADVICE_LIMITS = Object.freeze({
  /** It is worked out anew at this age, when somebody asks. */
  keptMs: 10_000,
  /** Whoever asks first waits so long for the first one, then is told that it is being worked out. */
  firstWaitMs: 2_000,
  /** Subjects and commands of one piece of advice; what it counts stays exact. */
  subjectsShown: 100,
  commandsShown: 20,
  adviceShown: 500,
  /** Consumers that are looked at, so many at a time; with more of them the advice says that it is cut. */
  consumersRead: 500_000,
  consumersPerRead: 1_000,
  /** Of consumers that nobody recorded, so many are looked for in reports. */
  consumersDoubted: 100_000,
  /** A younger consumer may be on its way into a report. */
  consumerAgeMs: 600_000,
  /** Flavors, images and server groups that are looked at. */
  registeredRead: 20_000,
});

/** What is remembered and sent of one request that is watched. */
export const TRACING_LIMITS = Object.freeze({
  /** Largest value of `slow_request_seconds`. */
  slowSecondsMax: 3_600,
});

/** Imports from and exports to the schema of OpenStack Placement, which the commands do. */
export const TRANSFER_LIMITS = Object.freeze({
  /** Rows of names (projects, users, traits, …) read at once. */
  namesPerPage: 5_000,
  /** Providers, all of whose ids and places in trees are held while a pass lasts; and projects, users, aggregates. */
  providers: 1_000_000,
  names: 2_000_000,
  /** Ids of providers whose inventories, traits and aggregates are compared and written as one unit. */
  providersPerBlock: 250,
  providersPerWrite: 500,
  /** Consumers compared and written as one unit, each with all that it holds. */
  consumersPerPage: 500,
  /** What was found broken: so many are kept to be told once, and of each kind so many are listed; counts are of those kept. */
  findingsKept: 200_000,
  findingsListed: 100,
  differencesListed: 100,
  /** Rows written to a file or to the reference's schema by one statement, and by one transaction. */
  rowsPerInsert: 500,
  rowsPerWrite: 10_000,
  /** How often progress is printed where there is no terminal, and drawn where there is one. */
  progressLineMs: 5_000,
  progressDrawMs: 200,
});

/** What `berth verify --repair` does at once. */
export const REPAIR_LIMITS = Object.freeze({
  /** Faults of one sort that one run finds and repairs; the next run finds more. */
  foundPerRound: 100_000,
  repairsPerWrite: 100,
});

export const PROCESS_LIMITS = Object.freeze({
  /** Long work has the event loop this long, then everybody else's turn comes; nobody may have it for 50 ms. */
  turnMs: 10,
  /** Default of `shutdown_grace_seconds`: running requests may finish this long after a signal. */
  shutdownGraceSeconds: 30,
  /** And for everything else that a stop does: pools, threads, the log. Then the process ends whatever is left. */
  stopMarginMs: 5_000,
  /** Workers say whether they are ready within this time, below what `/readyz` may take; the asker waits a little longer. */
  workersAnswerMs: 1_700,
  workersAnswerMarginMs: 200,
  /** Pause before a worker that died young is replaced: the first, doubled from then on up to the longest. */
  restartPauseMs: 1_000,
  restartPauseMsMax: 30_000,
  /** A worker that lived for this long is replaced at once. */
  steadyLifeMs: 60_000,
  workersMax: 128,
  /** Bytes of a configuration or policy file. */
  configFileBytes: 1 * MIB,
  /** Substitutions within one option's value, so that options naming each other end. */
  interpolationDepth: 10,
});

/** The facade. */
export const FACADE_LIMITS = Object.freeze({
  /** Names of users and projects that a token is issued for. */
  nameCharacters: 255,
  /** Data of one image that is taken, counted and thrown away: what the largest columns and clients count exactly. */
  imageBytes: 1_024 * 1_024 * MIB,
  imageTags: 128,
  /** Of `[facade] virtual_hosts`, and of one command: each is reported again every few seconds. */
  virtualHosts: 1_000,
});

/** Commands that ask a running service. */
export const CLI_LIMITS = Object.freeze({
  /** Hosts that are listed; more are counted as "and more". */
  hostsListed: 20_000,
  hostsPerPage: 1_000,
  /** Providers whose names are looked up for a table of candidates, several at once. */
  namesLookedUp: 100,
  askedAtOnce: 8,
});
