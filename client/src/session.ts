// One service with credentials: sends calls with credentials and microversion, applies the retry rules, and converts
// the answer into a document or an error.
import type { Credentials } from './credentials.ts';
import type { ErrorObject } from './errors.ts';
import { refusalOf, UnreadableAnswer } from './errors.ts';
import type { ExchangeBounds, Fetch, Opened, Question, Reply } from './exchange.ts';
import { checkedUrl, exchange, opened, retryAfterOf } from './exchange.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { checkedVersion, commonVersion } from './microversion.ts';
import type { Persistence } from './persistence.ts';
import { persist } from './persistence.ts';
import { unless } from './waiting.ts';

export interface SessionSettings {
  /** Address of the service, with its path prefix. */
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly retry?: Partial<Persistence>;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number;
  /** Largest accepted answer. */
  readonly answerBytes?: number;
  /** Default: the global fetch. */
  readonly fetch?: Fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** The microversion of this call. */
  readonly version?: string | undefined;
  /** Aborts the call; the call throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt of this call. */
  readonly timeoutMs?: number | undefined;
  /**
   * Executing the call twice has the same effect as once, so it is also retried after an attempt with an unknown
   * outcome.
   */
  readonly repeatable?: boolean | undefined;
}

/** An API with its own microversions. */
export type ServedApi = 'placement' | 'compute';

interface SendOptions extends CallOptions {
  /** Default: placement. Other APIs need an explicit version, because it is not negotiated. */
  readonly api?: ServedApi;
}

export interface StreamOptions {
  readonly accept: string;
  readonly signal: AbortSignal | undefined;
}

interface Request {
  readonly method: string;
  /** Path and query, relative to the endpoint. */
  readonly target: string;
  readonly body?: unknown;
}

export interface Received {
  /** The parsed JSON; undefined for an empty body. */
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

  /** Sends one call. Throws ClientError, or the reason of its signal. */
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
   * Opens a streaming answer and returns its body once the head has arrived. Makes one attempt only. Throws
   * ClientError, or the reason of its signal.
   */
  async open(target: string, { accept, signal }: StreamOptions): Promise<ReadableStream<Uint8Array>> {
    const asked = { method: 'GET', url: `${this.endpoint}${target}`, headers: { accept } };
    const bounds = this.#bounds({ signal, timeoutMs: CLIENT_LIMITS.streamHeadMs });
    const reply = await this.#identified<Opened>(asked, signal, (question) => opened(question, bounds));
    if ('status' in reply) throw refused(`GET ${asked.url}`, reply, parsed(reply.text));
    if (reply.body === null) throw new UnreadableAnswer(`GET ${asked.url} was answered without a body`);
    return reply.body;
  }

  async #attempt(asked: Question, options: CallOptions): Promise<Received> {
    const ask = (question: Question): Promise<Reply> => exchange(question, this.#bounds(options));
    return received(asked, await this.#identified(asked, options.signal, ask));
  }

  /** Asks with the credentials, and after 401 once more with new ones. */
  async #identified<T extends Opened>(
    asked: Question,
    signal: AbortSignal | undefined,
    ask: (question: Question) => Promise<T>,
  ): Promise<T> {
    const { credentials } = this.#settings;
    const context = { fetch: this.#fetch, signal };
    const first = await credentials.headers(context);
    const reply = await ask({ ...asked, headers: { ...asked.headers, ...first } });
    if (!('status' in reply) || reply.status !== 401 || !credentials.renew(first)) return reply;
    return ask({ ...asked, headers: { ...asked.headers, ...(await credentials.headers(context)) } });
  }

  /** Read once from the root document, which needs no credentials; read again after a failure. */
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

/** The document; throws the refusal as an error. */
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
  // Other APIs wrap a single fault in a named object.
  const [fault] = Object.values(document ?? {}) as ({ readonly message?: unknown } | null | undefined)[];
  return refusalOf(asked, {
    status,
    error,
    detail: sentenceOf(error?.detail) ?? sentenceOf(fault?.message) ?? quoted(text),
    retryAfterMs: retryAfterOf(headers),
    requestId: headers.get('x-openstack-request-id') ?? error?.request_id,
  });
}

/** A detail consists of a general sentence, an empty line, and the specific message. */
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
