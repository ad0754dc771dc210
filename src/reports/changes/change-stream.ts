// One client's stream of events, as `text/event-stream`. It buffers events that the client has not read yet, and closes
// when the buffer is full: the client then reconnects with its position.
import { Readable } from 'node:stream';
import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits/reports';

/** Time in which the client can read the last event before the connection is destroyed. */
const CLOSE_GRACE_MS = 500;

/** Receives the number of bytes sent. */
export interface SentBytes {
  sentBytes: number | null;
}

export class ChangeStream extends Readable {
  /** Events held until the first events are sent; undefined after that. */
  private held: Buffer[] | undefined = [];
  private hasEnded = false;

  constructor(private readonly request: SentBytes) {
    super();
  }

  override _read(): void {
    // `give` has already pushed every event.
  }

  /** Sends an event of all streams, after the first events of this stream. */
  report(event: Buffer): void {
    if (this.held === undefined) this.give(event);
    else this.held.push(event);
  }

  /** Sends the first events of this stream, then the held ones. */
  begin(events: readonly Buffer[]): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const event of [...events, ...held]) this.give(event);
  }

  /**
   * Sends the last event and waits CLOSE_GRACE_MS for the client to read it. A stream that has not begun closes without
   * the event: its client has not received the changes before that position.
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
