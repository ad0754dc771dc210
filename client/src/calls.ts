// Builds the resource functions: each calls one route at one microversion. Arguments are the path segments in order,
// then the query or the body, then options; the result is the document of the API.
import type { Answer, Body, MethodOf, Path, Query, QueryValue, SegmentsOf } from './routes.ts';
import { pathText, queryText } from './routes.ts';
import type { CallOptions, Received, ServedApi, Session, StreamOptions } from './session.ts';

export type Plain<P extends Path, M extends MethodOf<P>> = (
  ...given: [...segments: SegmentsOf<P>, options?: CallOptions]
) => Promise<Answer<P, M>>;

export type Asking<P extends Path> = (
  ...given: Partial<Query<P>> extends Query<P>
    ? [...segments: SegmentsOf<P>, query?: Query<P>, options?: CallOptions]
    : [...segments: SegmentsOf<P>, query: Query<P>, options?: CallOptions]
) => Promise<Answer<P>>;

export type Writing<P extends Path, M extends MethodOf<P>> = (
  ...given: [...segments: SegmentsOf<P>, body: Body<P, M>, options?: CallOptions]
) => Promise<Answer<P, M>>;

type Texts = Readonly<Record<string, QueryValue | readonly QueryValue[]>> | URLSearchParams;

interface Given {
  readonly segments?: readonly string[];
  readonly query?: Texts | undefined;
  readonly body?: unknown;
}

export class Calls {
  constructor(
    readonly session: Session,
    readonly version: string | undefined,
    private readonly api: ServedApi = 'placement',
  ) {}

  /** A call without query and body. `usual`: default options. */
  plain<P extends Path, M extends MethodOf<P>>(method: M, path: P, usual?: CallOptions): Plain<P, M> {
    return this.call(method, path, undefined, usual) as never;
  }

  /** A call with a query. */
  list<P extends Path & { [K in Path]: 'get' extends MethodOf<K> ? K : never }[Path]>(path: P): Asking<P> {
    return this.call('get', path, 'query') as never;
  }

  /** A call with a body. */
  write<P extends Path, M extends MethodOf<P>>(method: M, path: P, usual?: CallOptions): Writing<P, M> {
    return this.call(method, path, 'body', usual) as never;
  }

  /** `second`: what stands between the segments and the options. */
  private call(method: string, path: string, second?: 'query' | 'body', usual?: CallOptions) {
    const count = segmentsIn(path);
    return (...given: unknown[]): Promise<unknown> => {
      const rest = given.slice(count);
      const asked = { segments: given.slice(0, count) as string[], ...(second && { [second]: rest.shift() }) };
      return this.ask(method, path, asked, { ...usual, ...(rest[0] as CallOptions) });
    };
  }

  /** Returns the document of any route. */
  async ask(method: string, path: string, given: Given, options?: CallOptions): Promise<unknown> {
    return (await this.receive(method, path, given, options)).document;
  }

  /** Returns the body of a streaming answer. */
  open(path: string, query: Texts, how: StreamOptions): Promise<ReadableStream<Uint8Array>> {
    const text = queryText(query);
    return this.session.open(`${path}${text === '' ? '' : `?${text}`}`, how);
  }

  /** Returns the document and the headers of the answer. */
  receive(method: string, path: string, given: Given, options: CallOptions = {}): Promise<Received> {
    const { segments = [], query = {}, body } = given;
    const text = queryText(query);
    const target = `${pathText(path, segments)}${text === '' ? '' : `?${text}`}`;
    const version = options.version ?? this.version;
    return this.session.send({ method: method.toUpperCase(), target, body }, { ...options, version, api: this.api });
  }
}

const segmentsIn = (path: string): number => path.split('{').length - 1;
