// Connections to a service of OpenStack: their TLS and limits, the errors that another attempt can cure, bodies of limited
// size. Redirects are not followed.

import type { Agent } from 'undici';
import { tracing } from '../../tracing/tracing';

/** PEM data, read from files. */
export interface ServiceTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly isUnchecked: boolean;
}

interface AgentSettings {
  readonly tls: ServiceTls;
  readonly connectTimeoutMs: number;
  readonly connections: number;
}

export interface ServiceQuestion {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Largest body of the answer. */
  readonly answerBytes: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it arrived; undefined if it is larger. */
  readonly parts: Buffer[] | undefined;
}

/** The connections to one service. It loads undici, so a service without Keystone does not. */
export class ServiceAgent {
  private readonly agent: Promise<Agent>;

  constructor(settings: AgentSettings) {
    this.agent = openAgent(settings);
  }

  /** `service`: its name in traces. */
  ask(service: string, question: ServiceQuestion, signal: AbortSignal): Promise<ServiceAnswer> {
    const { method, url, headers, body, answerBytes } = question;
    const { origin, pathname, search } = new URL(url);
    const send = async (): Promise<ServiceAnswer> => {
      const agent = await this.agent;
      const answer = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method,
        headers: { accept: 'application/json', 'user-agent': 'berth', ...headers, ...tracing.headers() },
        signal,
        ...(body !== undefined && { body }),
      });
      const parts = await partsWithin(answer.body, answerBytes);
      return { status: answer.statusCode, headers: answer.headers, parts };
    };
    const attributes = { 'http.request.method': method, 'server.address': origin, 'url.path': pathname };
    return tracing.within('question', `${service} ${method}`, send, attributes);
  }

  /** Closes all connections and aborts their requests. */
  async destroy(): Promise<void> {
    const agent = await this.agent;
    await agent.destroy();
  }
}

async function openAgent({ tls, connectTimeoutMs, connections }: AgentSettings): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connections,
    pipelining: 1,
    // Each request has one overall time limit; a second timer of the same length could fire first.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: connectTimeoutMs,
      rejectUnauthorized: !tls.isUnchecked,
      ...(tls.ca !== undefined && { ca: tls.ca }),
      ...(tls.cert !== undefined && { cert: tls.cert }),
      ...(tls.key !== undefined && { key: tls.key }),
    },
  });
}

/** The request was not answered; another attempt can succeed. */
export const PASSING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Also occurs if the service closed an idle connection; that alone is not a failure. */
export const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

export const codeOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
};

/**
 * Messages of network and TLS errors contain hosts, ports and certificates, and are passed on; parser messages are not.
 */
export const reasonOf = (error: unknown, code: string): string => {
  const { message = '', errors } = error as { readonly message?: string; readonly errors?: readonly Error[] };
  if (code.startsWith('HPE_') || code === 'HTTPParserError') return 'its answer is no HTTP';
  const text = message === '' ? (errors?.[0]?.message ?? '') : message;
  return `${text.replaceAll(/\s+/g, ' ').slice(0, 200)} (${code})`;
};

async function partsWithin(body: AsyncIterable<Buffer>, most: number): Promise<Buffer[] | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    // Leaving the loop closes the connection.
    if (size > most) return undefined;
    parts.push(part);
  }
  return parts;
}
