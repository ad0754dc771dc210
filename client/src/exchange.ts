// One request and its answer over fetch, with limits on time and bytes. Classifies failures and knows no API. Does not
// follow redirects, so credentials go to the endpoint only.
import { Unanswered, Unreachable, UnreadableAnswer } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Question {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ExchangeBounds {
  readonly fetch: Fetch;
  readonly tryMs: number;
  readonly answerBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A streaming answer, or the reply that was sent instead. */
export type Opened = { readonly body: ReadableStream<Uint8Array> | null } | Reply;

/** Error codes for a connection that was not established. After any other error the request was possibly sent. */
const UNSENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Checks a base URL. Throws TypeError without the text, because it can contain a password. */
export function checkedUrl(name: string, text: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  const further = [username, password, search, hash].some((part) => part !== undefined && part !== '');
  if (!/^https?:$/.test(protocol) || further) {
    throw new TypeError(`${name}: must be an http or https URL without credentials, query and fragment`);
  }
  return text.replace(/\/+$/, '');
}

/** Throws Unreachable, Unanswered, UnreadableAnswer, or the reason of the caller's signal. */
export const exchange = (question: Question, bounds: ExchangeBounds): Promise<Reply> =>
  asked(question, bounds, (response) => replyOf(response, bounds));

/**
 * The streaming variant: the timeout covers the head, the signal can end the body. An answer without status 200 is read
 * completely.
 */
export const opened = (question: Question, bounds: ExchangeBounds): Promise<Opened> =>
  asked<Opened>(question, bounds, async (response) =>
    response.status === 200 ? { body: response.body } : replyOf(response, bounds),
  );

/** What `read` makes of the response; the timeout ends with it. */
async function asked<T>(
  question: Question,
  { fetch, tryMs, signal }: ExchangeBounds,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), tryMs);
  const ends = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
  try {
    return await read(await fetch(question.url, { ...initOf(question), signal: ends }));
  } catch (error) {
    throw faultOf(question, error, { tooLate: late.signal.aborted ? tryMs : undefined, signal });
  } finally {
    clearTimeout(timer);
  }
}

const replyOf = async (response: Response, { answerBytes }: ExchangeBounds): Promise<Reply> => ({
  status: response.status,
  headers: response.headers,
  text: await textWithin(response, answerBytes),
});

const initOf = ({ method, headers, body }: Question): RequestInit => ({
  method,
  headers: { ...headers },
  redirect: 'manual',
  ...(body !== undefined && { body }),
});

/** The error to throw instead. If the caller's signal has aborted, throws its reason. */
function faultOf(
  { method, url }: Question,
  error: unknown,
  { tooLate, signal }: { readonly tooLate: number | undefined; readonly signal: AbortSignal | undefined },
): Error {
  if (error instanceof UnreadableAnswer) return error;
  signal?.throwIfAborted();
  if (tooLate !== undefined) {
    return new Unanswered(`${method} ${url} was not answered within ${tooLate} ms`, { cause: error });
  }
  const { code, sentence } = networkFault(error);
  if (UNSENT.has(code)) return new Unreachable(`${url} is not reachable: ${sentence}`, { cause: error });
  return new Unanswered(`${method} ${url} was not answered: ${sentence}`, { cause: error });
}

async function textWithin(response: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes > most) throw new UnreadableAnswer(`${response.url} answers more than ${most} bytes`);
    parts.push(decoder.decode(part, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

/** Fetch reports "fetch failed"; the reason is in `cause`, or one level deeper for a name with several addresses. */
function networkFault(error: unknown): { readonly code: string; readonly sentence: string } {
  const { cause } = error as { readonly cause?: unknown };
  const { code, message, errors } = (cause ?? error) as {
    readonly code?: unknown;
    readonly message?: string;
    readonly errors?: readonly Error[];
  };
  const text = message === undefined || message === '' ? (errors?.[0]?.message ?? '') : message;
  return { code: typeof code === 'string' ? code : '', sentence: text === '' ? String(code ?? error) : text };
}

/** Parses seconds or a date; undefined for any other value. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms >= 0 ? ms : undefined;
}
