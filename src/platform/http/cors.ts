// Cross-origin requests: answers every preflight, and adds CORS headers for allowed origins only.
import type { FastifyReply, FastifyRequest } from 'fastify';

interface CorsSettings {
  readonly allowedOrigins: readonly string[];
  readonly allowCredentials: boolean;
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
}

/** Headers that browsers can always send. */
const SIMPLE_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'cache-control',
  'content-language',
  'expires',
  'last-modified',
  'pragma',
];

export class Cors {
  private readonly allowedHeaders: ReadonlySet<string>;

  constructor(private readonly settings: CorsSettings) {
    this.allowedHeaders = new Set([...SIMPLE_HEADERS, ...settings.allowHeaders.map((name) => name.toLowerCase())]);
  }

  /** Answers any OPTIONS request with 200; adds the grant only if origin, method and headers are all allowed. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'OPTIONS') return false;
    const grant = this.grant(request);
    if (grant !== undefined) reply.headers(grant);
    reply.code(200).send();
    return true;
  }

  /** Adds the headers that let a page of an allowed origin read the answer. */
  decorate(request: FastifyRequest, reply: FastifyReply): void {
    const { origin } = request.headers;
    if (request.method === 'OPTIONS' || origin === undefined || !this.isAllowed(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      ...(this.settings.allowCredentials && { 'access-control-allow-credentials': 'true' }),
      ...(this.settings.exposeHeaders.length > 0 && {
        'access-control-expose-headers': this.settings.exposeHeaders.join(','),
      }),
    });
    const vary = reply.getHeader('vary');
    reply.header('vary', typeof vary === 'string' ? `${vary}, Origin` : 'Origin');
  }

  private grant(request: FastifyRequest): Readonly<Record<string, string>> | undefined {
    const { origin } = request.headers;
    const method = request.headers['access-control-request-method'];
    const requestedHeaders = (request.headers['access-control-request-headers'] ?? '')
      .split(',')
      .map((name) => name.trim());
    const headers = requestedHeaders.filter((name) => name !== '');
    if (origin === undefined || !this.isAllowed(origin)) return undefined;
    if (method === undefined || !this.settings.allowMethods.includes(method)) return undefined;
    if (!headers.every((name) => this.allowedHeaders.has(name.toLowerCase()))) return undefined;
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      ...(this.settings.allowCredentials && { 'access-control-allow-credentials': 'true' }),
      'access-control-max-age': String(this.settings.maxAgeSeconds),
      'access-control-allow-methods': method,
      ...(headers.length > 0 && { 'access-control-allow-headers': headers.join(',') }),
    };
  }

  private isAllowed(origin: string): boolean {
    return this.settings.allowedOrigins.includes('*') || this.settings.allowedOrigins.includes(origin);
  }
}
