// Tracing of requests: stages, statements, requests to other services. Working code reports its pieces here. Without a
// watcher, which is decided once at the start, a report costs one field access.

export type PieceKind = 'stage' | 'statement' | 'filter' | 'question';
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that has begun. */
export interface Piece {
  end(more?: Attributes, error?: unknown): void;
}

/** Reports pieces to a watcher, with the piece that was current at its creation as parent. */
interface StageWatch {
  begin(name: string): Piece;
}

/** The current request. */
export interface WatchedRequest {
  readonly requestId: string;
  readonly surface: string;
  /** Set by the watcher, for the log. */
  traceId?: string | undefined;
}

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface RequestEnding {
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

/** Receives the reports; one per process. */
export interface TraceWatcher {
  began(request: WatchedRequest, head: RequestHead, next: () => void): void;
  /** Restores the context of a request after it was lost, for example while its body was read. */
  resumed(request: WatchedRequest, next: () => void): void;
  ended(request: WatchedRequest, ending: RequestEnding): void;
  within<T>(kind: PieceKind, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  begin(kind: PieceKind, name: string, attributes: Attributes, parentSpan?: object): Piece;
  /** The current piece, as parent for pieces that begin elsewhere. */
  here(): object | undefined;
  /** Trace headers for requests to other services. */
  headers(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const NO_HEADERS = Object.freeze({});
const NO_ATTRIBUTES: Attributes = Object.freeze({});

class Tracing {
  private watcher: TraceWatcher | undefined;

  /** Undefined disables watching. */
  watchBy(watcher: TraceWatcher | undefined): void {
    this.watcher = watcher;
  }

  get requests(): Pick<TraceWatcher, 'began' | 'resumed' | 'ended'> | undefined {
    return this.watcher;
  }

  /** Runs the work as a piece of the current one; passes its result or error through. */
  within<T>(kind: PieceKind, name: string, work: () => Promise<T>, attributes = NO_ATTRIBUTES): Promise<T> {
    return this.watcher === undefined ? work() : this.watcher.within(kind, name, attributes, work);
  }

  /** Undefined without a watcher. */
  begin(kind: PieceKind, name: string, attributes = NO_ATTRIBUTES, parentSpan?: object): Piece | undefined {
    return this.watcher?.begin(kind, name, attributes, parentSpan);
  }

  here(): object | undefined {
    return this.watcher?.here();
  }

  /** For pieces inside generators, which run in varying contexts. */
  watchOf(kind: PieceKind): StageWatch | undefined {
    const { watcher } = this;
    const parentSpan = watcher?.here();
    if (watcher === undefined || parentSpan === undefined) return undefined;
    return { begin: (name) => watcher.begin(kind, name, NO_ATTRIBUTES, parentSpan) };
  }

  headers(): Readonly<Record<string, string>> {
    return this.watcher === undefined ? NO_HEADERS : this.watcher.headers();
  }
}

/** One instance per process. */
export const tracing = new Tracing();
