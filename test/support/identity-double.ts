// A test double of the Identity service: logs one account in, validates tokens, and fails on demand.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { ServerOptions } from 'node:https';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

const HOUR_MS = 3_600_000;

/** What a token is valid for; omitted fields take the default. */
export interface TokenFacts {
  readonly user?: string;
  readonly project?: string | null;
  readonly domain?: string;
  readonly isSystem?: boolean;
  readonly roles?: readonly string[];
  readonly expiresAt?: number;
  readonly accessRules?: readonly { readonly service: string; readonly method: string; readonly path: string }[];
  /** Merged over the token document. */
  readonly further?: object;
}

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers a request itself, or calls `usual` for the normal answer. */
export type Behaviour = (response: ServerResponse, usual: () => void, asked: Asked) => void;

const domain = { id: 'default', name: 'Default' };

export const tokenDocument = (facts: TokenFacts = {}): object => {
  const { user = 'alice', project = 'p1', roles = ['admin'], accessRules } = facts;
  const scope =
    facts.domain !== undefined
      ? { domain: { id: facts.domain, name: facts.domain } }
      : facts.isSystem === true
        ? { system: { all: true } }
        : project === null
          ? {}
          : { project: { id: project, name: `${project} name`, domain }, is_domain: false };
  return {
    token: {
      methods: ['password'],
      user: { id: user, name: `${user} name`, domain, password_expires_at: null },
      audit_ids: ['audit-1'],
      issued_at: new Date().toISOString(),
      expires_at: new Date(facts.expiresAt ?? Date.now() + HOUR_MS).toISOString().replace('Z', '000Z'),
      ...scope,
      ...(project !== null && { roles: roles.map((name) => ({ id: `${name} id`, name })) }),
      ...(accessRules !== undefined && {
        application_credential: { id: 'cred', name: 'cred', restricted: true, access_rules: accessRules },
      }),
      ...facts.further,
    },
  };
};

export class IdentityDouble {
  /** Every received request, in order. */
  readonly asked: Asked[] = [];
  /** Lifetime of the tokens that the double issues at a login. */
  ownLifeMs = HOUR_MS;
  password = 'S3CRET-password';
  /** The token of all logins; default: a new one each time. */
  ownToken: string | undefined;
  /** The services in the answers to logins. */
  catalog: readonly object[] | undefined;
  private readonly tokens = new Map<string, TokenFacts>();
  private readonly own = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private behaviour: Behaviour | undefined;
  private server: Server | undefined;
  private port = 0;

  private constructor(private readonly tls: ServerOptions | undefined) {}

  static async start(tls?: ServerOptions): Promise<IdentityDouble> {
    const double = new IdentityDouble(tls);
    await double.run();
    return double;
  }

  get url(): string {
    return `${this.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.port}/identity`;
  }

  get logins(): number {
    return this.asked.filter(({ method }) => method === 'POST').length;
  }

  /** Validations of tokens other than the service's own. */
  get validations(): number {
    return this.asked.filter(({ method, headers }) => method === 'GET' && !this.isOwn(headers['x-subject-token']))
      .length;
  }

  give(token: string, facts: TokenFacts = {}): string {
    this.tokens.set(token, facts);
    return token;
  }

  revoke(token: string): void {
    this.tokens.delete(token);
  }

  /** Invalidates the tokens of all logins. */
  forgetOwn(): void {
    this.own.clear();
  }

  /** Changes the behaviour from now on; undefined restores the normal one. */
  behave(behaviour: Behaviour | undefined): void {
    this.behaviour = behaviour;
  }

  /** Stops listening and closes every connection. */
  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((closed) => void server.close(() => closed()));
  }

  /** Listens on the previous port, if there was one. */
  async run(): Promise<void> {
    const listener: RequestListener = (request, response) => this.receive(request, response);
    const server = this.tls === undefined ? createServer(listener) : createTlsServer(this.tls, listener);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((listening) => server.listen(this.port, '127.0.0.1', listening));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  private isOwn(token: string | string[] | undefined): boolean {
    return typeof token === 'string' && token.startsWith('own-');
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const asked = { method, url, headers, body: Buffer.concat(parts).toString() };
      this.asked.push(asked);
      const usual = (): void => this.answer(asked, response);
      if (this.behaviour === undefined) usual();
      else this.behaviour(response, usual, asked);
    });
  }

  private answer(asked: Asked, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(asked.url, this.url);
    if (pathname !== '/identity/v3/auth/tokens') return refuse(response, 404);
    if (asked.method === 'POST') return this.login(asked, response);
    if (!this.own.has(String(asked.headers['x-auth-token']))) return refuse(response, 401);
    const subject = String(asked.headers['x-subject-token']);
    const facts = this.own.has(subject) ? {} : this.tokens.get(subject);
    const isExpired = (facts?.expiresAt ?? Infinity) < Date.now() && !searchParams.has('allow_expired');
    const isHidden = facts?.accessRules !== undefined && asked.headers['openstack-identity-access-rules'] !== '1.0';
    if (facts === undefined || isExpired || isHidden) return refuse(response, 404);
    send(response, 200, tokenDocument(facts), { 'x-subject-token': subject });
  }

  private login({ body }: Asked, response: ServerResponse): void {
    if (!body.includes(this.password)) return refuse(response, 401);
    const token = this.ownToken ?? `own-${this.logins}-${Math.random().toString(36).slice(2)}`;
    this.own.add(token);
    const further = this.catalog === undefined ? {} : { catalog: this.catalog };
    const document = tokenDocument({ expiresAt: Date.now() + this.ownLifeMs, further });
    send(response, 201, document, { 'x-subject-token': token });
  }
}

export const send = (
  response: ServerResponse,
  status: number,
  document: object,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(document));
};

/** Refuses in the format of the Identity service. */
export const refuse = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void => send(response, status, { error: { code: status, title: 'Refused', message: 'Refused.' } }, headers);
