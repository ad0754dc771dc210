// Everybody who watches: one look at the change log for all of them, and one event that all of them are told.
//
//   searches ─┐                        ┌─ stream
//             ├─ refresh ─ what is new ─┼─ stream
//   the beat ─┘   (one log)   (one text)└─ stream
//
// Law: whoever comes back with the position of the last event it heard, to any process, hears of every change behind it,
// or is told to read everything again. It may hear of a change twice.
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { NewChanges } from '../../placement/allocation-candidates/change-log.loader';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { ReadPosition, RefreshChanges } from '../../placement/allocation-candidates/graph-source';
import { REGISTRIES_CONFIG } from '../../compute/registries.config';
import type { RegistriesConfig } from '../../compute/registries.config';
import { serviceStateOf } from '../../compute/services/service-liveness';
import type { ServiceState } from '../../compute/services/service-liveness';
import { CHANGE_LOG_LIMITS, CHANGE_STREAM_LIMITS } from '../../platform/config/limits';
import { DomainError, TooManyRequests, Unavailable } from '../../platform/values/errors';
import { queryFault } from '../../platform/values/field-fault';
import { LOGGER } from '../../platform/logging/logger.token';
import type { InfoLog } from '../../platform/logging/logger.token';
import { Lifecycle } from '../../platform/operations/lifecycle';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import type { ReportedHosts } from '../../scheduler/ports';
import { heartbeat, endEvent, changeEvent, startEvent, resetEvent } from './change-events';
import { ChangeStream } from './change-stream';
import type { SentBytes } from './change-stream';
import { positionOf, positionText } from './log-position';
import type { LogPosition } from './log-position';
import { PendingChange } from './pending-change';

/** Changes are told so far apart at least; what comes in between is told together. */
const EVENT_EVERY_MS = 250;
/** A stream ends at this age, or with its token: whoever may no longer see is let in no longer. */
const STREAM_MS = 300_000;
/** A position may be so much ahead of the database's clock: nodes of a cluster have one each. */
const CLOCK_SKEW_SECONDS = 60;

export const CHANGE_FEED_OPTIONS = Symbol('reports.ChangeFeedOptions');

export interface ChangeFeedOptions {
  /** `change_log_retention_seconds`. */
  readonly retentionSeconds: number;
}

/** Who watches, and how long it may. */
interface Watcher {
  /** Streams are counted by it. */
  readonly name: string;
  /** When its token ends, in milliseconds since the epoch; null: it does not. */
  readonly expiresAtMs: number | null;
  /** Where the access log finds how much was sent. */
  readonly request: SentBytes;
}

@Injectable()
export class ChangeFeed implements OnModuleDestroy {
  /** Each with the name of its watcher. */
  private readonly streams = new Map<ChangeStream, string>();
  /** Places that are taken by streams which are being opened. */
  private readonly opening = new Map<string, number>();
  private readonly pending = new PendingChange();
  private timer: NodeJS.Timeout | undefined;
  private telling: NodeJS.Timeout | undefined;
  private reportedAt = 0;
  /** The position of the last event that everybody was told. */
  private reported = '';
  private isBehind = false;
  private heartbeatAt = 0;
  private lookedForSilenceAt = 0;
  private states: ReadonlyMap<string, ServiceState> | undefined;
  private isOver = false;
  /** Streams that have not been passed what they are told. */
  private behind: ChangeStream[] = [];
  private passing: NodeJS.Immediate | undefined;
  private lastInTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
    @Inject(REGISTRIES_CONFIG) private readonly registries: Pick<RegistriesConfig, 'serviceDownSeconds'>,
    @Inject(CHANGE_FEED_OPTIONS) private readonly options: ChangeFeedOptions,
    @Inject(LOGGER) private readonly log: InfoLog,
    lifecycle: Lifecycle,
  ) {
    graphs.listen((changes) => this.refreshed(changes));
    lifecycle.whenDraining(() => this.close());
  }

  get count(): number {
    return this.streams.size;
  }

  onModuleDestroy(): void {
    this.close();
  }

  /** Throws InvalidInput for what is no position, TooManyRequests, and Unavailable on the way out. */
  async open(watcher: Watcher, text: string | undefined): Promise<ChangeStream> {
    const position = text === undefined ? undefined : positionOf(text);
    if (text !== undefined && position === undefined) throw queryFault('position', 'is no position of this service');
    if (this.graphs.readPosition === null) throw new DomainError('scheduler.unsupported', NOT_FOLLOWED);
    if (this.isOver) throw new Unavailable(STOPPING);
    this.takePlace(watcher.name);
    try {
      // From here on it hears of everything, behind whatever it has to hear first.
      await this.graphs.current();
      return await this.join(watcher, position);
    } finally {
      this.leavePlace(watcher.name);
    }
  }

  private async join(watcher: Watcher, position: LogPosition | undefined): Promise<ChangeStream> {
    const { name, expiresAtMs, request } = watcher;
    const stand = this.positionNow();
    const stream = new ChangeStream(request);
    if (this.streams.size === 0) this.reported = positionText(stand);
    this.streams.set(stream, name);
    const lifeMs = Math.min(STREAM_MS, (expiresAtMs ?? Infinity) - Date.now());
    const over = setTimeout(
      () => this.requestClose(stream, 'A stream ends at this age: go on from here.'),
      Math.max(0, lifeMs),
    );
    stream.once('close', () => {
      clearTimeout(over);
      this.left(stream);
    });
    this.watch();
    try {
      stream.begin(
        position === undefined
          ? await this.firstEvents(stand, undefined)
          : await this.inTurn(() => this.firstEvents(stand, position)),
      );
    } catch (error) {
      stream.destroy();
      throw error;
    }
    if (stream.destroyed) throw new Unavailable(STOPPING);
    return stream;
  }

  /** What a stream begins with: where it stands, and what its client has missed. */
  private async firstEvents(stand: ReadPosition, position: LogPosition | undefined): Promise<readonly Buffer[]> {
    const at = new Date().toISOString();
    const here = positionText(stand);
    if (position === undefined) return [startEvent(here, at)];
    const why = refusalOf(position, stand, this.options.retentionSeconds);
    if (why !== undefined) return [resetEvent(here, why), startEvent(here, at)];
    const seen = seenAmong(position, stand);
    if (seen === undefined) return [startEvent(here, at)];
    const changes = await this.graphs.changesSince(seen);
    if (changes.isTooMuch) return [resetEvent(here, 'Too many changes to report.'), startEvent(here, at)];
    const missed = new PendingChange();
    missed.addChanges(changes, await this.graphs.current(), undefined, (id) => this.hosts.nodesOf(id));
    const there = positionText(changes);
    if (missed.isEmpty) return [startEvent(there, at)];
    // Until the event is heard the client stands where it stood.
    return [startEvent(positionText(position), at), changeEvent(there, missed.take(at))];
  }

  private takePlace(name: string): void {
    let own = this.opening.get(name) ?? 0;
    let all = 0;
    for (const count of this.opening.values()) all += count;
    for (const watcher of this.streams.values()) if (watcher === name) own += 1;
    if (own >= CHANGE_STREAM_LIMITS.streamsOfClient) {
      throw new TooManyRequests(`You have ${own} streams of changes open already, as many as one client may.`);
    }
    if (all + this.streams.size >= CHANGE_STREAM_LIMITS.streams) {
      throw new TooManyRequests('As many streams of changes are open as this process keeps.');
    }
    this.opening.set(name, (this.opening.get(name) ?? 0) + 1);
  }

  private leavePlace(name: string): void {
    const left = (this.opening.get(name) ?? 0) - 1;
    if (left > 0) this.opening.set(name, left);
    else this.opening.delete(name);
  }

  /** While somebody watches, the log is looked at; nobody does it for nobody. */
  private watch(): void {
    if (this.timer !== undefined || this.isOver) return;
    this.heartbeatAt = Date.now();
    this.timer = setInterval(() => this.look(), CHANGE_STREAM_LIMITS.lookEveryMs).unref();
  }

  private left(stream: ChangeStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    clearTimeout(this.telling);
    this.timer = undefined;
    this.telling = undefined;
    this.states = undefined;
    this.pending.clear();
  }

  private look(): void {
    this.graphs.current().then(
      () => {
        this.isBehind = false;
        this.lookAtClock();
      },
      (error: unknown) => {
        if (!this.isBehind) this.log.info({ cause: String(error) }, 'streams of changes wait: the log cannot be read');
        this.isBehind = true;
      },
    );
  }

  private lookAtClock(): void {
    if (this.streams.size === 0) return;
    const now = Date.now();
    if (now - this.lookedForSilenceAt >= CHANGE_STREAM_LIMITS.silenceEveryMs) {
      this.lookedForSilenceAt = now;
      this.findSilent(now);
    }
    if (now - this.heartbeatAt < CHANGE_STREAM_LIMITS.beatEveryMs) return;
    this.heartbeatAt = now;
    // Whatever is pending has to be told before its position.
    if (this.pending.isEmpty) this.reportAll(heartbeat(positionText(this.positionNow())));
  }

  /** Silence is written down nowhere: whoever fell silent, or is heard again, is found by the clock. */
  private findSilent(nowMs: number): void {
    const states = new Map<string, ServiceState>();
    for (const [uuid, service] of this.hosts.reportedServices()) {
      const state = serviceStateOf(service, nowMs, this.registries.serviceDownSeconds);
      states.set(uuid, state);
    }
    const before = this.states;
    this.states = states;
    if (before === undefined) return;
    const other = [...states].filter(([uuid, state]) => (before.get(uuid) ?? state) !== state).map(([uuid]) => uuid);
    if (other.length === 0) return;
    this.pending.add('host', other);
    this.reportSoon();
  }

  private refreshed({ before, after, changes }: RefreshChanges): void {
    if (this.streams.size === 0) return;
    if (changes === null) {
      this.pending.clear();
      this.reportAll(resetEvent(positionText(this.positionNow()), 'The service has read everything again.'));
      return;
    }
    this.pending.addChanges(changes, after, before, (id) => this.hosts.nodesOf(id));
    if (!this.pending.isEmpty) this.reportSoon();
  }

  /** Never within the search that found the change, and no more often than clients are told. */
  private reportSoon(): void {
    const wait = this.reportedAt + EVENT_EVERY_MS - Date.now();
    this.telling ??= setTimeout(() => this.reportPending(), Math.max(0, wait)).unref();
  }

  private reportPending(): void {
    this.telling = undefined;
    if (this.pending.isEmpty) return;
    this.reportedAt = Date.now();
    const reported = this.pending.take(new Date(this.reportedAt).toISOString());
    this.reportAll(changeEvent(positionText(this.positionNow()), reported));
  }

  private reportAll(event: Buffer): void {
    this.reported = positionText(this.positionNow());
    for (const stream of this.streams.keys()) stream.keep(event);
    this.behind = [...this.streams.keys()];
    this.passing ??= setImmediate(() => this.passOn());
  }

  /** To some streams at once: each is written to a connection of its own. */
  private passOn(): void {
    for (const stream of this.behind.splice(0, STREAMS_PER_STEP)) stream.passOn();
    this.passing = this.behind.length === 0 ? undefined : setImmediate(() => this.passOn());
  }

  /** One after the other: many that come back at once have missed much together. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.lastInTurn.then(work);
    this.lastInTurn = done.then(nextTurn, nextTurn);
    return done;
  }

  /** What is pending is told to nobody who leaves, and is behind the position that it leaves with. */
  private requestClose(stream: ChangeStream, why: string): void {
    stream.end(endEvent(this.pending.isEmpty ? positionText(this.positionNow()) : this.reported, why));
  }

  private close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    clearTimeout(this.telling);
    this.reportPending();
    for (const stream of this.streams.keys()) this.requestClose(stream, STOPPING);
  }

  private positionNow(): ReadPosition {
    return this.graphs.readPosition ?? { vector: new Map(), readAtSeconds: 0 };
  }
}

const STREAMS_PER_STEP = 20;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const STOPPING = 'The service stops, and has no streams any more.';
const NOT_FOLLOWED = 'Change events require the provider graph in memory: set [berth] graph_source = resident.';

/** Why nobody can tell what changed behind a position; undefined: somebody can. */
function refusalOf(position: LogPosition, stand: ReadPosition, retentionSeconds: number): string | undefined {
  const age = stand.readAtSeconds - position.readAtSeconds;
  if (age > retentionSeconds * CHANGE_LOG_LIMITS.readerShareOfRetention) return 'The position is too old.';
  if (-age > CLOCK_SKEW_SECONDS) return UNKNOWN;
  let newest = 0;
  for (const lane of stand.vector.keys()) newest = Math.max(newest, lane);
  for (const [lane, seq] of position.vector) {
    const known = stand.vector.get(lane);
    // A lane that is gone has told everything; one that is further than it can be is another database's.
    if (known === undefined ? lane > newest : seq > known) return UNKNOWN;
  }
  return undefined;
}

const UNKNOWN = 'The position is not of this database as it is.';

/** What the position has seen of the lanes that there are; undefined: all of it. */
function seenAmong({ vector }: LogPosition, stand: ReadPosition): NewChanges['vector'] | undefined {
  const seen = new Map<number, number>();
  let isAll = true;
  for (const [lane, last] of stand.vector) {
    const seq = vector.get(lane);
    if (seq !== undefined) seen.set(lane, seq);
    if (seq !== last) isAll = false;
  }
  return isAll ? undefined : seen;
}
