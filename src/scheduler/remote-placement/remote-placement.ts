// HTTP client of a Placement service that runs elsewhere: logs in to Keystone, finds the endpoint, sends requests with
// one fixed microversion. Every request has a time limit and a limit of its answer. Redirects are not followed.

import { IdentityClient } from '../../platform/auth/keystone/identity-client';
import { IdentityFault } from '../../platform/auth/keystone/identity-fault';
import type { ServiceTls } from '../../platform/auth/keystone/service-connection';
import { CLOSED, codeOf, PASSING, reasonOf, ServiceAgent } from '../../platform/auth/keystone/service-connection';
import type { EndpointQuery } from '../../platform/auth/keystone/token-document';
import { OutcomeUnknown, Unavailable } from '../../platform/values/errors';
import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';
import { StartRefused } from '../../platform/values/start-refused';
import { objectFrom } from './answer-json';

export interface RemotePlacementSettings {
  /** Address of the Identity API, ends with `/v3`. */
  readonly identity: string;
  /** The body of the login. Contains a password. */
  readonly login: object;
  readonly where: EndpointQuery;
  /** Null: the endpoint of the catalog. */
  readonly endpointOverride: string | null;
  readonly tls: ServiceTls;
  readonly timeoutMs: number;
}

interface RemoteQuestion {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** An answer with a status below 500. */
export interface RemoteAnswer {
  readonly kind: AnswerKind;
  /** For messages. */
  readonly status: number;
  readonly json: JsonObject;
  /** Code and detail of an error document; empty for other answers. */
  readonly code: string;
  readonly detail: string;
  /** The connection was lost, and the request was sent again: the first one can have been executed. */
  readonly isRepeated: boolean;
}

type AnswerKind = 'ok' | 'invalid' | 'not_found' | 'conflict' | 'refused';

const KINDS: ReadonlyMap<number, AnswerKind> = new Map([
  [400, 'invalid'],
  [404, 'not_found'],
  [409, 'conflict'],
]);
const kindOf = (status: number): AnswerKind => (status < 300 ? 'ok' : (KINDS.get(status) ?? 'refused'));

interface Session {
  readonly token: string;
  readonly endpoint: string;
  readonly expiresAt: number;
}

/** Mappings of candidates exist since 1.34, `in_tree` and `same_subtree` of all groups since 1.36. */
const MICROVERSION = [1, 36] as const;
const VERSION_HEADER = `placement ${MICROVERSION.join('.')}`;
const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
/** 1 000 candidates on hosts with eight NUMA nodes take about 10 MiB, which take 0.2 s of CPU. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const DETAIL_CHARACTERS = 1_000;
/** A token is renewed this long before it expires. */
const RENEW_MS = 60_000;

export class RemotePlacement {
  private readonly agent: ServiceAgent;
  private readonly identity: IdentityClient;
  private session: Session | undefined;
  private login: Promise<Session> | undefined;

  constructor(private readonly settings: RemotePlacementSettings) {
    const { tls } = settings;
    this.identity = new IdentityClient({
      tls,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      retries: 1,
      serviceType: 'placement',
      account: '[placement]',
    });
    this.agent = new ServiceAgent({ tls, connectTimeoutMs: CONNECT_TIMEOUT_MS, connections: CONNECTIONS });
  }

  /** A write is executed at most this long after it was sent, if the service is not overloaded. */
  get timeoutMs(): number {
    return this.settings.timeoutMs;
  }

  /** Checks login, endpoint, version and permissions. Throws StartRefused. Returns the endpoint and its newest version. */
  async start(): Promise<{ readonly endpoint: string; readonly newest: string }> {
    try {
      const { endpoint } = await this.currentSession();
      const { json } = await this.ask({ method: 'GET', path: '/' });
      const newest = newestOf(json);
      if (newest === null) throw new StartRefused(`${endpoint} does not answer as the Placement API does.`);
      const [major, minor] = newest.split('.').map(Number);
      if (major !== MICROVERSION[0] || Number(minor) < MICROVERSION[1]) {
        throw new StartRefused(
          `Placement at ${endpoint} serves microversions up to ${newest}. [nova] placement = remote needs at least ` +
            `${MICROVERSION.join('.')} (OpenStack Train).`,
        );
      }
      // The document of versions needs no permission.
      await this.ask({ method: 'GET', path: '/resource_providers?name=berth-check' });
      return { endpoint, newest };
    } catch (error) {
      if (error instanceof Unavailable) throw new StartRefused(error.message, { cause: error });
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.agent.destroy(), this.identity.close()]);
  }

  /** Throws Unavailable; OutcomeUnknown for a write that was possibly executed. */
  async ask(question: RemoteQuestion): Promise<RemoteAnswer> {
    const session = await this.currentSession();
    let answer = await this.send(question, session);
    if (answer.status === 401) {
      // The token was revoked, or Keystone lost its keys.
      if (this.session === session) this.session = undefined;
      answer = await this.send(question, await this.currentSession());
    }
    const { status } = answer;
    if (status < 300 || (status >= 400 && status < 500 && ![401, 403, 429].includes(status))) return answer;
    const [of] = question.path.split('?');
    const text = `Placement answers ${question.method} ${of} with ${status}${answer.detail && `: ${answer.detail}`}`;
    // A proxy answers with 502 to 504 although the service can have executed the request.
    if (status >= 500 && question.method !== 'GET') throw new OutcomeUnknown(text);
    throw new Unavailable(
      status === 403 ? `${text} The account of [placement] needs the role service or admin.` : text,
    );
  }

  private async currentSession(): Promise<Session> {
    const { session } = this;
    if (session !== undefined && Date.now() < session.expiresAt - RENEW_MS) return session;
    this.login ??= this.loggedIn().finally(() => (this.login = undefined));
    return (this.session = await this.login);
  }

  private async loggedIn(): Promise<Session> {
    const { identity, login, where, endpointOverride } = this.settings;
    try {
      const { token, expiresAt, endpoint } = await this.identity.login(identity, login, where);
      const address = endpointOverride ?? endpoint;
      if (address === null || !/^https?:\/\//.test(address) || !URL.canParse(address)) {
        const { region, interface: interfaces } = where;
        const place = `${[interfaces].flat().join(' or ')} of ${region === null ? 'any region' : `region ${region}`}`;
        throw new Unavailable(`Keystone's catalog has no endpoint of the service type placement, interface ${place}.`);
      }
      return { token, expiresAt, endpoint: address.replace(/\/+$/, '') };
    } catch (error) {
      if (error instanceof IdentityFault) throw new Unavailable(`Keystone at ${identity}: ${error.reason}`);
      throw error;
    }
  }

  /** Sends the request, and once more if the connection fails. */
  private async send(question: RemoteQuestion, session: Session): Promise<RemoteAnswer> {
    const signal = AbortSignal.timeout(this.settings.timeoutMs);
    let wasSent = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.exchange(question, session, signal);
        return { ...answer, isRepeated: wasSent };
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        const code = codeOf(error);
        const isLate = signal.aborted;
        wasSent ||= isLate || CLOSED.has(code) || !PASSING.has(code);
        if (attempt === 1 && !isLate && PASSING.has(code)) continue;
        const reason = isLate ? `it does not answer within ${this.settings.timeoutMs / 1000} s` : reasonOf(error, code);
        const text = `Placement at ${session.endpoint} cannot be reached: ${reason}`;
        if (wasSent && question.method !== 'GET') throw new OutcomeUnknown(text, { cause: error });
        throw new Unavailable(text, { cause: error });
      }
    }
  }

  private async exchange(
    { method, path, body }: RemoteQuestion,
    { endpoint, token }: Session,
    signal: AbortSignal,
  ): Promise<Omit<RemoteAnswer, 'isRepeated'>> {
    const question = {
      method,
      url: `${endpoint}${path}`,
      headers: {
        'x-auth-token': token,
        'openstack-api-version': VERSION_HEADER,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      answerBytes: ANSWER_BYTES,
    };
    const { status, parts } = await this.agent.ask('placement', question, signal);
    if (parts === undefined) {
      throw new Unavailable(`An answer of Placement is larger than ${ANSWER_BYTES / 1024 / 1024} MiB.`);
    }
    const json = await objectFrom(parts);
    return { kind: kindOf(status), status, json, ...(status < 400 ? { code: '', detail: '' } : faultOf(json)) };
  }
}

/** The service puts a general sentence and an empty line in front of the detail. */
function faultOf({ errors }: JsonObject): Pick<RemoteAnswer, 'code' | 'detail'> {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (!isJsonObject(first)) return { code: '', detail: '' };
  const detail = typeof first['detail'] === 'string' ? first['detail'] : '';
  return {
    code: typeof first['code'] === 'string' ? first['code'] : '',
    detail: (detail.split('\n\n').at(-1) ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, DETAIL_CHARACTERS),
  };
}

function newestOf({ versions }: JsonObject): string | null {
  const first: unknown = Array.isArray(versions) ? versions[0] : undefined;
  const newest = isJsonObject(first) ? first['max_version'] : undefined;
  return typeof newest === 'string' && /^\d+\.\d+$/.test(newest) ? newest : null;
}
