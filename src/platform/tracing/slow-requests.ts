// Records the pieces of a request with their times while it runs, up to a limit, and logs them if the request was slow.
import type { WarnLog } from '../logging/logger.token';
import type { PieceKind, RequestEnding } from './tracing';

/** Pieces of a slow request in its line of the log; the others are counted. */
const PIECES_KEPT = 50;
const NAME_CHARACTERS = 300;

interface Noted {
  readonly kind: PieceKind;
  readonly name: string;
  /** Since the start of the request. */
  readonly at_ms: number;
  readonly ms: number;
}

/** The pieces of one request. */
export class RequestTimings {
  readonly beganAt = performance.now();
  private readonly noted: Noted[] = [];
  private count = 0;
  private statements = 0;
  private statementMs = 0;

  note(kind: PieceKind, name: string, beganAt: number): void {
    const ms = performance.now() - beganAt;
    this.count += 1;
    if (kind === 'statement') {
      this.statements += 1;
      this.statementMs += ms;
    }
    if (this.noted.length >= PIECES_KEPT) return;
    const shown = name.slice(0, NAME_CHARACTERS);
    this.noted.push({ kind, name: shown, at_ms: rounded(beganAt - this.beganAt), ms: rounded(ms) });
  }

  /** Pieces in the order of their ends; the times of concurrent statements overlap. */
  facts(): object {
    const { noted, count, statements, statementMs } = this;
    return { pieces: noted, pieces_in_all: count, statements, statements_ms: rounded(statementMs) };
  }
}

const rounded = (ms: number): number => Math.round(ms * 1_000) / 1_000;

export class SlowRequests {
  constructor(
    private readonly thresholdMs: number,
    private readonly log: WarnLog,
  ) {}

  /** Logs the request if its duration reached the threshold. */
  ended(context: object, timings: RequestTimings, { route, status, durationMs }: RequestEnding): void {
    if (durationMs < this.thresholdMs) return;
    this.log.warn(
      { ...context, route: route ?? null, status, duration_ms: rounded(durationMs), ...timings.facts() },
      'a request was slow',
    );
  }
}
