// One service and who asks it: turns a call into a request with credentials and microversion, tries again as the law
// allows, and its answer into a document or an error.
import { checkedVersion, commonVersion } from './microversion.ts';
import type { Credentials } from './credentials.ts';
import { UnreadableAnswer, refusalOf } from './errors.ts';
import type { ErrorObject } from './errors.ts';
import { checkedUrl, exchange, opened, retryAfterOf } from './exchange.ts';
import type { ExchangeBounds, Fetch, Opened, Question, Reply } from './exchange.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { persist } from './persistence.ts';
import type { Persistence } from './persistence.ts';
import { unless } from './waiting.ts';

export interface SessionSettings {
  /** Where the service listens, with the prefix that it is mounted at. */
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly retry?: Partial<Persistence>;
  /** How long one try of a call may take. */
  readonly timeoutMs?: number;
  /** The largest answer that is read. */
  readonly answerBytes?: number;
  /** Default: the global one. */
  readonly fetch?: Fetch;
}

/** What one call may be told besides its documents. */
export interface CallOptions {
  /** The microversion of this call. */
  readonly version?: string | undefined;
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try of this call may take. */
  readonly timeoutMs?: number | undefined;
  /** Doing it twice is as good as once: it is also repeated where nobody knows whether it was done. */
  readonly repeatable?: boolean | undefined;
}

/** An API with microversions of its own. */
export type ServedApi = 'placement' | 'compute';

interface SendOptions extends CallOptions {
  /** Default: placement. Another API needs a version: it is not negotiated. */
  readonly api?: ServedApi;
}

export interface StreamOptions {
  readonly accept: string;
  readonly signal: AbortSignal | undefined;
}

interface Request {
  readonly method: string;
  /** Path and query, behind the endpoint. */
  readonly target: string;
  readonly body?: unknown;
}

export interface Received {
  /** Parsed; undefined where there is none. */
  readonly document: unknown;
  readonly headers: Headers;
}

export class Session {
  readonly endpoint: string;
  readonly #settings: SessionSettings;
  readonly #retry: Persistence;
  #newestOfBoth: Promise<string> | undefined;

  constructor(settings: SessionSettings) {
    this.endpoint = checkedUrl('endpoint', settings.endpoint);
    this.#settings = settings;
    const { tries, retriesWithinMs, pauseMs } = { ...CLIENT_LIMITS, ...settings.retry };
    this.#retry = { tries, retriesWithinMs, pauseMs };
  }

  /** One call. Throws ClientError, or the reason of its signal. */
  async send({ method, target, body }: Request, options: SendOptions = {}): Promise<Received> {
    const { signal, version, api = 'placement' } = options;
    const asked = {
      method,
      url: `${this.endpoint}${target}`,
      headers: {
        accept: 'application/json',
        'openstack-api-version': `${api} ${checkedVersion(version ?? (await this.#negotiated(options)), api)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const isRepeatable = options.repeatable ?? method === 'GET';
    return persist(() => this.#attempt(asked, options), { isRepeatable, signal }, this.#retry);
  }

  /**
   * The body of an answer that goes on for as long as it is read, once its head is there; tried once. Throws ClientError,
   * or the reason of its signal.
   */
  async open(target: string, { accept, signal }: StreamOptions): Promise<ReadableStream<Uint8Array>> {
    const { credentials } = this.#settings;
    const asked = { method: 'GET', url: `${this.endpoint}${target}`, headers: { accept } };
    const bounds = this.#bounds({ signal, timeoutMs: CLIENT_LIMITS.streamHeadMs });
    const ask = (who: Readonly<Record<string, string>>): Promise<Opened> =>
      opened({ ...asked, headers: { ...asked.headers, ...who } }, bounds);
    const first = await credentials.headers({ fetch: this.#fetch, signal });
    let reply = await ask(first);
    if ('status' in reply && reply.status === 401 && credentials.renew(first)) {
      reply = await ask(await credentials.headers({ fetch: this.#fetch, signal }));
    }
    if ('status' in reply) throw refused(`GET ${asked.url}`, reply, parsed(reply.text));
    if (reply.body === null) throw new UnreadableAnswer(`GET ${asked.url} was answered without a body`);
    return reply.body;
  }

  async #attempt(asked: Question, options: CallOptions): Promise<Received> {
    const { credentials } = this.#settings;
    const context = { fetch: this.#fetch, signal: options.signal };
    const ask = (who: Readonly<Record<string, string>>): Promise<Reply> =>
      exchange({ ...asked, headers: { ...asked.headers, ...who } }, this.#bounds(options));
    const first = await credentials.headers(context);
    const reply = await ask(first);
    if (reply.status !== 401 || !credentials.renew(first)) return received(asked, reply);
    return received(asked, await ask(await credentials.headers(context)));
  }

  /** Asked once, of the root document, which is free to everybody; again after a failure. */
  async #negotiated({ signal, timeoutMs }: CallOptions): Promise<string> {
    this.#newestOfBoth ??= this.#askForVersion(timeoutMs).catch((error: unknown) => {
      this.#newestOfBoth = undefined;
      throw error;
    });
    return unless(signal, this.#newestOfBoth);
  }

  async #askForVersion(timeoutMs: number | undefined): Promise<string> {
    const asked = { method: 'GET', url: `${this.endpoint}/`, headers: { accept: 'application/json' } };
    const attempt = async (): Promise<Received> => received(asked, await exchange(asked, this.#bounds({ timeoutMs })));
    return commonVersion((await persist(attempt, { isRepeatable: true }, this.#retry)).document);
  }

  #bounds({ timeoutMs, signal }: CallOptions): ExchangeBounds {
    const { timeoutMs: usual = CLIENT_LIMITS.tryMs, answerBytes = CLIENT_LIMITS.answerBytes } = this.#settings;
    return { fetch: this.#fetch, tryMs: timeoutMs ?? usual, answerBytes, signal };
  }

  get #fetch(): Fetch {
    return this.#settings.fetch ?? fetch;
  }
}

/** The document, or the refusal as an error. */
function received({ method, url }: Question, reply: Reply): Received {
  const { status, headers, text } = reply;
  const name = `${method} ${url}`;
  const document = parsed(text);
  if (status >= 300) throw refused(name, reply, document);
  if (text !== '' && document === undefined) {
    throw new UnreadableAnswer(`${name} was answered with ${status} and no JSON: ${quoted(text)}`);
  }
  return { document, headers };
}

function refused(asked: string, { status, headers, text }: Reply, document: unknown): Error {
  const { errors } = (document ?? {}) as { readonly errors?: Readonly<Record<number, ErrorObject>> };
  const error = errors?.[0];
  // The APIs besides placement wrap one fault under a name.
  const [fault] = Object.values(document ?? {}) as ({ readonly message?: unknown } | null | undefined)[];
  return refusalOf(asked, {
    status,
    error,
    detail: sentenceOf(error?.detail) ?? sentenceOf(fault?.message) ?? quoted(text),
    retryAfterMs: retryAfterOf(headers),
    requestId: headers.get('x-openstack-request-id') ?? error?.request_id,
  });
}

/** A detail is a general sentence, an empty line, and what is to say about this request. */
function sentenceOf(detail: unknown): string | undefined {
  if (typeof detail !== 'string') return undefined;
  const [general = '', ...particular] = detail.split('\n\n');
  return particular.join(' ').trim() || general.trim();
}

const quoted = (text: string): string => text.slice(0, CLIENT_LIMITS.quotedCharacters).replaceAll(/\s+/g, ' ').trim();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
