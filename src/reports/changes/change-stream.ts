// One client's stream of events, as `text/event-stream`. It keeps nothing but what its client has not taken yet, and ends
// when that is too much: the client comes back with its position.
import { Readable } from 'node:stream';
import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits';

/** After the last event of a stream that ends, its client has so long to take it. */
const CLOSE_GRACE_MS = 500;

/** Where it is written down how much was sent. */
export interface SentBytes {
  sentBytes: number | null;
}

export class ChangeStream extends Readable {
  /** Events that have to wait until what was before them is told. */
  private held: Buffer[] | undefined = [];
  /** Events that are yet to be passed on, in their order. */
  private waiting: Buffer[] = [];
  private hasEnded = false;

  constructor(private readonly request: SentBytes) {
    super();
  }

  override _read(): void {
    // What there is was pushed already.
  }

  /** Told to everybody: behind whatever this stream still has to hear first. */
  report(event: Buffer): void {
    this.keep(event);
    this.passOn();
  }

  /** The same, for whoever passes it on later. */
  keep(event: Buffer): void {
    (this.held ?? this.waiting).push(event);
  }

  passOn(): void {
    for (const event of this.waiting.splice(0)) this.give(event);
  }

  /** Told to this one alone, before everything that was held back. */
  begin(events: readonly Buffer[]): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const event of [...events, ...held]) this.give(event);
  }

  /**
   * The last event. Whoever does not take it soon is not waited for. A stream that has not begun just ends: its client has
   * not heard what is before the position of this event.
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
