// Watches requests: keeps the current piece of work in the asynchronous context, creates spans if traces are exported,
// and records timings if slow requests are logged. Exists only if one of the two is enabled, because an asynchronous
// context slows down every promise of the process.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SlowRequests } from './slow-requests';
import { RequestTimings } from './slow-requests';
import type { OpenSpan, Spans } from './spans';
import type { Attributes, Piece, PieceKind, RequestEnding, RequestHead, TraceWatcher, WatchedRequest } from './tracing';

/** A running request or a running piece of one. */
interface UnderWay {
  readonly timings: RequestTimings | undefined;
  readonly span: OpenSpan | undefined;
}

export class RequestWatcher implements TraceWatcher {
  private readonly context = new AsyncLocalStorage<UnderWay>();
  private readonly requests = new WeakMap<WatchedRequest, UnderWay>();

  constructor(
    private readonly spans: Spans | undefined,
    private readonly slow: SlowRequests | undefined,
    /** The log fields of a request. */
    private readonly fieldsOf: (request: WatchedRequest) => object,
  ) {}

  began(request: WatchedRequest, head: RequestHead, next: () => void): void {
    const span = this.spans?.ofRequest(request, head);
    request.traceId = span?.traceId;
    const running: UnderWay = { span, timings: this.slow && new RequestTimings() };
    this.requests.set(request, running);
    this.context.run(running, next);
  }

  resumed(request: WatchedRequest, next: () => void): void {
    const running = this.requests.get(request);
    if (running === undefined) next();
    else this.context.run(running, next);
  }

  ended(request: WatchedRequest, ending: RequestEnding): void {
    const running = this.requests.get(request);
    if (running === undefined) return;
    this.requests.delete(request);
    running.span?.endRequest(ending);
    if (running.timings !== undefined) this.slow?.ended(this.fieldsOf(request), running.timings, ending);
  }

  async within<T>(kind: PieceKind, name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = this.context.getStore();
    if (parent === undefined) return work();
    const { piece, running } = this.opened(kind, name, attributes, parent);
    try {
      const result = await this.context.run(running, work);
      piece.end();
      return result;
    } catch (error) {
      piece.end({}, error);
      throw error;
    }
  }

  begin(kind: PieceKind, name: string, attributes: Attributes, given?: object): Piece {
    const parent = (given as UnderWay | undefined) ?? this.context.getStore();
    return parent === undefined ? NOTHING : this.opened(kind, name, attributes, parent).piece;
  }

  here(): object | undefined {
    return this.context.getStore();
  }

  headers(): Readonly<Record<string, string>> {
    return this.context.getStore()?.span?.headers() ?? {};
  }

  async close(): Promise<void> {
    this.context.disable();
    await this.spans?.close();
  }

  private opened(
    kind: PieceKind,
    name: string,
    attributes: Attributes,
    { span, timings }: UnderWay,
  ): { readonly piece: Piece; readonly running: UnderWay } {
    const beganAt = performance.now();
    const own = span?.child(kind, name, attributes);
    const end = (more?: Attributes, error?: unknown): void => {
      timings?.note(kind, name, beganAt);
      own?.end(more, error);
    };
    return { piece: { end }, running: { timings, span: own } };
  }
}

const NOTHING: Piece = { end: () => undefined };
