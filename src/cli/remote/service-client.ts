// HTTP client of the CLI for a running service. Every response is limited in time and size.
import type { Schema } from '../../../client/src/routes.ts';
import { UNDEFINED_CODE } from '../../platform/http/error-codes';
import { printableCopy } from '../../platform/values/printable';
import { CommandFailed } from '../command-context';

const ANSWER_BYTES = 64 * 1024 * 1024;

const NEWEST_VERSION = 'placement latest';

interface ServiceAddress {
  readonly url: string;
  readonly token: string;
  /** Answers become lines of text, so their texts must not break lines. False: they are printed as documents. */
  readonly isText: boolean;
  readonly timeoutMs: number;
  /** The API and microversion of another service than Berth. */
  readonly version?: string;
}

export class ServiceClient {
  constructor(private readonly address: ServiceAddress) {}

  /** The document at the path, at the newest microversion. Throws CommandFailed with the error of the service. */
  get<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return this.ask<T>('GET', given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.ask<T>('POST', path, body);
  }

  put<T>(path: string, body?: object): Promise<T> {
    return this.ask<T>('PUT', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.ask<T>('PATCH', path, body);
  }

  delete(path: string): Promise<void> {
    return this.ask('DELETE', path);
  }

  private async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, token, isText, timeoutMs, version } = this.address;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'x-auth-token': token,
        'openstack-api-version': version ?? NEWEST_VERSION,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      const hint = `Is Berth running? Start it with "berth serve" (in a checkout "npm start"), or name another address with --url or BERTH_URL.`;
      throw new CommandFailed(`${url} does not answer: ${reasonOf(error)}.${version === undefined ? ` ${hint}` : ''}`);
    });
    const document = await readDocument(response, `${url}${path}`);
    if (!response.ok) throw refusalOf(response.status, printableCopy(document));
    return (isText ? printableCopy(document) : document) as T;
  }
}

/** Parses JSON. A response that is not JSON does not come from Berth. */
async function readDocument(response: Response, url: string): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES) throw new CommandFailed(`${url} answers more than ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  if (bytes === 0 && response.ok) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new CommandFailed(`${url} answers ${response.status} and no JSON: is that Berth?`);
  }
}

/** Refusals of a caller without valid credentials have `error` or `message`, and `hint`; those of nova one named fault. */
interface ErrorDocument {
  readonly errors?: readonly ServiceError[];
  readonly message?: string;
  readonly hint?: string;
}

interface ServiceError {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  /** Of a request that was decided and refused. */
  readonly decision?: Schema<'Decision'>;
}

/** The service refused the request. */
export class ServiceRefused extends CommandFailed {
  constructor(
    message: string,
    readonly status: number,
    readonly decision: Schema<'Decision'> | undefined,
  ) {
    super(message);
  }
}

function refusalOf(status: number, document: unknown): ServiceRefused {
  const [fault] = Object.values(
    (document ?? {}) as Readonly<Record<string, { readonly message?: string } | undefined>>,
  );
  const { errors: [error] = [], message = fault?.message, hint } = (document ?? {}) as ErrorDocument;
  // Placement's detail begins with a general sentence about the status.
  const detail =
    error?.detail?.split('\\u000a\\u000a ').at(-1)?.trim() ?? error?.title ?? message ?? 'The request is refused.';
  const withHint = hint === undefined || detail.includes(hint) ? detail : `${detail} ${hint}`;
  const sentence = hint === undefined ? detail : `${withHint} Set BERTH_TOKEN or give --token.`;
  const code = error?.code === undefined || error.code === UNDEFINED_CODE ? '' : ` ${error.code}`;
  return new ServiceRefused(`${sentence} (${status}${code})`, status, error?.decision);
}

/** The message of a `fetch` error is only "fetch failed"; the reason is in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
