// Watching one request on its way: its stages, its statements, what it asks of others. Whoever does a piece of work says
// so here; while nobody watches, which is decided once at the start, that costs a look at one field.

export type PieceKind = 'stage' | 'statement' | 'filter' | 'question';
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that has begun. */
export interface Piece {
  end(more?: Attributes, error?: unknown): void;
}

/** Tells a watcher of pieces that belong to what was under way when it was made. */
interface StageWatch {
  begin(name: string): Piece;
}

/** The request that is under way, as its context knows it. */
export interface WatchedRequest {
  readonly requestId: string;
  readonly surface: string;
  /** Written by the watcher, for the log. */
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

/** Who watches; one for the process. */
export interface TraceWatcher {
  began(request: WatchedRequest, head: RequestHead, next: () => void): void;
  /** Goes on with a request whose context was lost, as when its body was read. */
  resumed(request: WatchedRequest, next: () => void): void;
  ended(request: WatchedRequest, ending: RequestEnding): void;
  within<T>(kind: PieceKind, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  begin(kind: PieceKind, name: string, attributes: Attributes, under?: object): Piece;
  /** What is under way, for pieces that begin elsewhere. */
  here(): object | undefined;
  /** What another service is told, so that its pieces are found under ours. */
  headers(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const NO_HEADERS = Object.freeze({});
const NO_ATTRIBUTES: Attributes = Object.freeze({});

class Tracing {
  private watcher: TraceWatcher | undefined;

  /** Undefined: nobody watches. */
  watchBy(watcher: TraceWatcher | undefined): void {
    this.watcher = watcher;
  }

  get requests(): Pick<TraceWatcher, 'began' | 'resumed' | 'ended'> | undefined {
    return this.watcher;
  }

  /** Does the work as a piece of what is under way; answers or throws what it does. */
  within<T>(kind: PieceKind, name: string, work: () => Promise<T>, attributes = NO_ATTRIBUTES): Promise<T> {
    return this.watcher === undefined ? work() : this.watcher.within(kind, name, attributes, work);
  }

  /** Undefined while nobody watches. */
  begin(kind: PieceKind, name: string, attributes = NO_ATTRIBUTES, under?: object): Piece | undefined {
    return this.watcher?.begin(kind, name, attributes, under);
  }

  here(): object | undefined {
    return this.watcher?.here();
  }

  /** For pieces of pure code, which is pulled from wherever its turn comes. */
  watchOf(kind: PieceKind): StageWatch | undefined {
    const { watcher } = this;
    const under = watcher?.here();
    if (watcher === undefined || under === undefined) return undefined;
    return { begin: (name) => watcher.begin(kind, name, NO_ATTRIBUTES, under) };
  }

  headers(): Readonly<Record<string, string>> {
    return this.watcher === undefined ? NO_HEADERS : this.watcher.headers();
  }
}

/** The way of a request goes through the whole process, and so does this. */
export const tracing = new Tracing();
