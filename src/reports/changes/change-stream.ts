// The stream of events of one client, as `text/event-stream`. It buffers only events that the client has not read, and
// ends if there are too many: the client then returns with its position.
import { Readable } from 'node:stream';
import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits';

/** Time for a client to read the last event of a stream. */
const CLOSE_GRACE_MS = 500;

/** Counts the sent bytes. */
export interface SentBytes {
  sentBytes: number | null;
}

export class ChangeStream extends Readable {
  /** Events that wait until earlier ones are sent. */
  private held: Buffer[] | undefined = [];
  /** Events that are not passed on yet, in order. */
  private waiting: Buffer[] = [];
  private hasEnded = false;

  constructor(private readonly request: SentBytes) {
    super();
  }

  override _read(): void {
    // Available events were pushed already.
  }

  /** An event for all streams; it follows the events that this stream missed. */
  report(event: Buffer): void {
    this.keep(event);
    this.passOn();
  }

  /** The same; the caller passes it on later. */
  keep(event: Buffer): void {
    (this.held ?? this.waiting).push(event);
  }

  passOn(): void {
    for (const event of this.waiting.splice(0)) this.give(event);
  }

  /** An event for this stream only, before all events that wait. */
  begin(events: readonly Buffer[]): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const event of [...events, ...held]) this.give(event);
  }

  /**
   * The last event; the client has a limited time to read it. A stream that has not begun ends without it, because its
   * client does not have the changes before the position of this event.
   */
  end(event: Buffer): void {
    if (this.hasEnded || this.destroyed) return;
    if (this.held !== undefined) {
      this.destroy();
      return;
    }
    this.report(event);
    this.hasEnded = true;
    this.push(null);
    const late = setTimeout(() => this.destroy(), CLOSE_GRACE_MS);
    this.once('close', () => clearTimeout(late));
  }

  private give(event: Buffer): void {
    if (this.hasEnded || this.destroyed) return;
    this.request.sentBytes = (this.request.sentBytes ?? 0) + event.length;
    this.push(event);
    if (this.readableLength > CHANGE_STREAM_LIMITS.unreadBytes) this.destroy();
  }
}
