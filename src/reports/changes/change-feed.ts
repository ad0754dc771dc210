// The feed of changes: reads the change log once for all streams, and writes each event once for all of them.
//
//   searches ─┐                         ┌─ stream
//             ├─ refresh ──── changes ──┼─ stream
//      timer ─┘  (one log)   (one text) └─ stream
//
// Law: a client that reconnects to any process with the position of its last event receives every later change, or a
// `reset` event, after which it must read everything again. It can receive a change twice.
import type { OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { RegistriesConfig } from '../../compute/registries.config';
import type { ServiceState } from '../../compute/services/service-liveness';
import { serviceStateOf } from '../../compute/services/service-liveness';
import type { NewChanges } from '../../placement/allocation-candidates/change-log.loader';
import type { ReadPosition, RefreshChanges } from '../../placement/allocation-candidates/graph-source';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import { CHANGE_LOG_LIMITS } from '../../platform/config/limits/database';
import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits/reports';
import type { InfoLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { Lifecycle } from '../../platform/operations/lifecycle';
import { TooManyRequests, Unavailable } from '../../platform/values/errors';
import { queryFault } from '../../platform/values/field-fault';
import type { ReportedHosts } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import { changeEvent, endEvent, heartbeat, resetEvent, startEvent } from './change-events';
import type { SentBytes } from './change-stream';
import { ChangeStream } from './change-stream';
import type { LogPosition } from './log-position';
import { positionOf, positionText } from './log-position';
import { PendingChange } from './pending-change';

/** Minimum interval between two change events. Changes in between are merged into one event. */
const EVENT_EVERY_MS = 250;
/** A stream ends at this age or when its token expires, so that a client without permission loses access. */
const STREAM_MS = 300_000;
/** Maximum lead of a position over the database's clock: each node of a cluster has its own clock. */
const CLOCK_SKEW_SECONDS = 60;

/** `change_log_retention_seconds`. */
export const CHANGE_RETENTION_SECONDS = Symbol('reports.ChangeRetentionSeconds');

/** The client of a stream, and when its token expires. */
interface Watcher {
  /** The user or address for which streams are counted. */
  readonly name: string;
  /** Expiry of the token in milliseconds since the epoch; null: the token does not expire. */
  readonly expiresAtMs: number | null;
  /** The access log reads the number of sent bytes from it. */
  readonly request: SentBytes;
}

@Injectable()
export class ChangeFeed implements OnModuleDestroy {
  /** Each with the name of its client. */
  private readonly streams = new Map<ChangeStream, string>();
  /** Streams that are being opened, by client. They count towards the limits. */
  private readonly opening = new Map<string, number>();
  private readonly pending = new PendingChange();
  private timer: NodeJS.Timeout | undefined;
  private telling: NodeJS.Timeout | undefined;
  private reportedAt = 0;
  /** The position of the last event that all streams received. */
  private reported = '';
  private isBehind = false;
  private heartbeatAt = 0;
  private lookedForSilenceAt = 0;
  private states: ReadonlyMap<string, ServiceState> | undefined;
  private isOver = false;
  private lastInTurn: Promise<void> = Promise.resolve();

  constructor(
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
    private readonly registries: RegistriesConfig,
    @Inject(CHANGE_RETENTION_SECONDS) private readonly retentionSeconds: number,
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

  /** Throws InvalidInput for an invalid position, TooManyRequests, and Unavailable while the service stops. */
  async open(watcher: Watcher, text: string | undefined): Promise<ChangeStream> {
    const position = text === undefined ? undefined : positionOf(text);
    if (text !== undefined && position === undefined) throw queryFault('position', 'is not a position of this service');
    if (this.isOver) throw new Unavailable(STOPPING);
    this.takePlace(watcher.name);
    try {
      // From here on the stream receives every event, after its first ones.
      await this.graphs.current();
      return await this.join(watcher, position);
    } finally {
      this.leavePlace(watcher.name);
    }
  }

  private async join(watcher: Watcher, position: LogPosition | undefined): Promise<ChangeStream> {
    const { name, expiresAtMs, request } = watcher;
    const stand = this.graphs.readPosition;
    const stream = new ChangeStream(request);
    if (this.streams.size === 0) this.reported = positionText(stand);
    this.streams.set(stream, name);
    const lifeMs = Math.min(STREAM_MS, (expiresAtMs ?? Infinity) - Date.now());
    const over = setTimeout(
      () =>
        this.requestClose(
          stream,
          'The stream has reached its maximum age, or its token has expired. Reconnect with this position.',
        ),
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

  /** The first events of a stream: its position, and the changes since the position that the client sent. */
  private async firstEvents(stand: ReadPosition, position: LogPosition | undefined): Promise<readonly Buffer[]> {
    const at = new Date().toISOString();
    const here = positionText(stand);
    if (position === undefined) return [startEvent(here, at)];
    const why = refusalOf(position, stand, this.retentionSeconds);
    if (why !== undefined) return [resetEvent(here, why), startEvent(here, at)];
    const seen = seenAmong(position, stand);
    if (seen === undefined) return [startEvent(here, at)];
    const changes = await this.graphs.changesSince(seen);
    if (changes.isTooMuch) return [resetEvent(here, 'Too many changes to report.'), startEvent(here, at)];
    const missed = new PendingChange();
    missed.addChanges(changes, await this.graphs.current(), undefined, (id) => this.hosts.nodesOf(id));
    const there = positionText(changes);
    if (missed.isEmpty) return [startEvent(there, at)];
    // The start event has the old position: the client has not received the missed changes yet.
    return [startEvent(positionText(position), at), changeEvent(there, missed.take(at))];
  }

  private takePlace(name: string): void {
    let own = this.opening.get(name) ?? 0;
    let all = 0;
    for (const count of this.opening.values()) all += count;
    for (const watcher of this.streams.values()) if (watcher === name) own += 1;
    if (own >= CHANGE_STREAM_LIMITS.streamsOfClient) {
      throw new TooManyRequests(`This client has ${own} open streams of changes, which is the maximum.`);
    }
    if (all + this.streams.size >= CHANGE_STREAM_LIMITS.streams) {
      throw new TooManyRequests('This process has the maximum number of open streams of changes.');
    }
    this.opening.set(name, (this.opening.get(name) ?? 0) + 1);
  }

  private leavePlace(name: string): void {
    const left = (this.opening.get(name) ?? 0) - 1;
    if (left > 0) this.opening.set(name, left);
    else this.opening.delete(name);
  }

  /** Reads the log periodically while there are streams. */
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
    // A heartbeat must not move the position past changes that are pending.
    if (this.pending.isEmpty) this.reportAll(heartbeat(positionText(this.graphs.readPosition)));
  }

  /** The log has no entry for a host that stops reporting or reports again, so the clock decides. */
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
      this.reportAll(resetEvent(positionText(this.graphs.readPosition), 'The service has reloaded all data.'));
      return;
    }
    this.pending.addChanges(changes, after, before, (id) => this.hosts.nodesOf(id));
    if (!this.pending.isEmpty) this.reportSoon();
  }

  /** Never within the search that found the change, and at most once per EVENT_EVERY_MS. */
  private reportSoon(): void {
    const wait = this.reportedAt + EVENT_EVERY_MS - Date.now();
    this.telling ??= setTimeout(() => this.reportPending(), Math.max(0, wait)).unref();
  }

  private reportPending(): void {
    this.telling = undefined;
    if (this.pending.isEmpty) return;
    this.reportedAt = Date.now();
    const reported = this.pending.take(new Date(this.reportedAt).toISOString());
    this.reportAll(changeEvent(positionText(this.graphs.readPosition), reported));
  }

  private reportAll(event: Buffer): void {
    this.reported = positionText(this.graphs.readPosition);
    for (const stream of this.streams.keys()) stream.report(event);
  }

  /** Runs one at a time, because many clients can reconnect at once and each can have missed many changes. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.lastInTurn.then(work);
    this.lastInTurn = done.then(nextTurn, nextTurn);
    return done;
  }

  /** A closing stream does not receive pending changes, so its end event has a position before them. */
  private requestClose(stream: ChangeStream, why: string): void {
    stream.end(endEvent(this.pending.isEmpty ? positionText(this.graphs.readPosition) : this.reported, why));
  }

  private close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    clearTimeout(this.telling);
    this.reportPending();
    for (const stream of this.streams.keys()) this.requestClose(stream, STOPPING);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const STOPPING = 'The service is stopping.';

/** Why the changes since a position are unknown; undefined: they are known. */
function refusalOf(position: LogPosition, stand: ReadPosition, retentionSeconds: number): string | undefined {
  const age = stand.readAtSeconds - position.readAtSeconds;
  if (age > retentionSeconds * CHANGE_LOG_LIMITS.readerShareOfRetention) return 'The position is too old.';
  if (-age > CLOCK_SKEW_SECONDS) return UNKNOWN;
  let newest = 0;
  for (const lane of stand.vector.keys()) newest = Math.max(newest, lane);
  for (const [lane, seq] of position.vector) {
    const known = stand.vector.get(lane);
    // A removed lane has reported all its changes. A lane or number above the newest one is from another database.
    if (known === undefined ? lane > newest : seq > known) return UNKNOWN;
  }
  return undefined;
}

const UNKNOWN = 'The position does not belong to this database.';

/** The numbers of the position for present lanes; undefined: there are no later changes. */
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
