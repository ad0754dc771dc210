// HTTP client of the Identity service: Berth's own login, password logins, token validation. Interprets the answers and
// keeps only connections. Does not follow redirects, so a token goes to the configured host only.

import { IDENTITY_LIMITS } from '../../config/limits/auth';
import type { LoginVerdict } from '../principal';
import { IdentityFault } from './identity-fault';
import type { ServiceAnswer, ServiceQuestion, ServiceTls } from './service-connection';
import { CLOSED, codeOf, PASSING, reasonOf, ServiceAgent } from './service-connection';
import type { EndpointQuery, KnownToken, OwnTokenFacts } from './token-document';
import { isRefusalDocument, readOwnToken, readToken } from './token-document';

interface IdentityClientSettings {
  readonly tls: ServiceTls;
  readonly connectTimeoutMs: number;
  readonly retries: number;
  readonly serviceType: string;
  /** Names the account in messages; default: `[keystone_authtoken]`. */
  readonly account?: string;
}

export interface OwnLogin extends OwnTokenFacts {
  readonly token: string;
}

export type Validation =
  | { readonly kind: 'known'; readonly token: KnownToken }
  /** `reason`: set if the service knows the token but Berth does not accept it. */
  | { readonly kind: 'refused'; readonly reason?: string }
  /** Berth's own token is invalid. */
  | { readonly kind: 'own token refused' };

interface Answer extends Omit<ServiceAnswer, 'parts'> {
  readonly text: string;
}

/** Parses seconds or a date; undefined for any other value. */
const pauseOf = (retryAfter: string | string[] | undefined, now: number): number | undefined => {
  if (typeof retryAfter !== 'string') return undefined;
  const text = retryAfter.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (!(ms >= 0)) return undefined;
  return Math.min(Math.max(ms, IDENTITY_LIMITS.pauseMs), IDENTITY_LIMITS.pauseAskedMsMax);
};

/** The meaning of an answer that does not depend on the request. */
const faultOf = ({ status, headers }: Answer): IdentityFault => {
  const pause = pauseOf(headers['retry-after'], Date.now());
  if (status === 429) return new IdentityFault('busy', 'it asks for fewer questions (429)', pause ?? 1_000);
  if (status >= 500) return new IdentityFault('unreachable', `it answers ${status}`, pause);
  if (status >= 300 && status < 400) {
    return new IdentityFault('strange', `it answers with a redirection (${status}): auth_url must be its own address`);
  }
  return new IdentityFault('strange', `it answers ${status}, and not as the Identity API does`);
};

export class IdentityClient {
  private readonly agent: ServiceAgent;

  constructor(private readonly settings: IdentityClientSettings) {
    const { tls, connectTimeoutMs } = settings;
    this.agent = new ServiceAgent({ tls, connectTimeoutMs, connections: IDENTITY_LIMITS.connections });
  }

  /** Obtains Berth's own token. Throws IdentityFault. */
  async login(endpoint: string, body: object, where: EndpointQuery | null): Promise<OwnLogin> {
    const answer = await this.ask({
      method: 'POST',
      url: `${endpoint}/auth/tokens${where === null ? '?nocatalog' : ''}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      answerBytes: IDENTITY_LIMITS.ownAnswerBytes,
    });
    const isRefused = [400, 401, 403, 404].includes(answer.status) && isRefusalDocument(answer.text, answer.status);
    if (isRefused) {
      const { account = '[keystone_authtoken]' } = this.settings;
      const reason = `it rejects the account of ${account} (${answer.status})`;
      throw new IdentityFault('account', reason, IDENTITY_LIMITS.accountPauseMs);
    }
    if (answer.status !== 201 && answer.status !== 200) throw faultOf(answer);
    const token = answer.headers['x-subject-token'];
    if (typeof token !== 'string' || !isTokenText(token)) throw strange('a login without a token');
    const facts = readOwnToken(answer.text, where);
    if ('malformed' in facts) throw strange(`a login where ${facts.malformed}`);
    return { token, ...facts };
  }

  /** Obtains a token for a user with a password; `body` is never kept. Throws IdentityFault. */
  async loginAs(endpoint: string, body: object): Promise<LoginVerdict> {
    const answer = await this.ask({
      method: 'POST',
      url: `${endpoint}/auth/tokens?nocatalog`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      answerBytes: IDENTITY_LIMITS.answerBytes,
    });
    const { status, headers, text } = answer;
    if (status === 201 || status === 200) return this.letIn(answer);
    if (status === 401 && headers['openstack-auth-receipt'] !== undefined) return FURTHER_FACTOR;
    if (!isRefusalDocument(text, status)) throw faultOf(answer);
    if (status === 403) return NOT_BY_PASSWORD;
    // 401 or 404: the user or domain does not exist. 400: the text is invalid as a name.
    if (status === 400 || status === 401 || status === 404) return { kind: 'refused' };
    throw faultOf(answer);
  }

  /** Validates a token. Throws IdentityFault. */
  async validate(endpoint: string, own: string, subject: string, allowExpired: boolean): Promise<Validation> {
    let answer: Answer;
    try {
      answer = await this.ask({
        method: 'GET',
        url: `${endpoint}/auth/tokens?nocatalog${allowExpired ? '&allow_expired=1' : ''}`,
        headers: {
          'x-auth-token': own,
          'x-subject-token': subject,
          // Without this header the service hides tokens with access rules.
          'openstack-identity-access-rules': '1.0',
        },
        answerBytes: IDENTITY_LIMITS.answerBytes,
      });
    } catch (error) {
      // The token's owner determines the size of its description.
      if (error instanceof TooLarge) return { kind: 'refused', reason: 'its description is too large' };
      throw error;
    }
    return this.meaningOf(answer, subject);
  }

  /** Closes all connections and aborts their requests. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private letIn({ headers, text }: Answer): LoginVerdict {
    const token = headers['x-subject-token'];
    if (typeof token !== 'string' || !isTokenText(token)) throw strange('a login without a token');
    const reading = readToken(text, this.settings.serviceType);
    if (reading.kind === 'too much') return { kind: 'barred', reason: `Its token is not served: ${reading.reason}.` };
    if (reading.kind === 'malformed') throw strange(`a login where ${reading.reason}`);
    const { principal, expiresAt } = reading.token;
    return { kind: 'let in', token, principal, expiresAt };
  }

  private meaningOf(answer: Answer, subject: string): Validation {
    const { status, headers, text } = answer;
    if (status === 200) {
      const echoed = headers['x-subject-token'];
      if (echoed !== undefined && echoed !== subject) throw strange('the description of another token');
      const reading = readToken(text, this.settings.serviceType);
      if (reading.kind === 'token') return { kind: 'known', token: reading.token };
      if (reading.kind === 'too much') return { kind: 'refused', reason: reading.reason };
      throw strange(`the description of a token where ${reading.reason}`);
    }
    // Other web servers answer 404 and 400 too; only the Identity service sends this document.
    const isItsOwn = isRefusalDocument(text, status);
    if (isItsOwn && (status === 404 || status === 400)) return { kind: 'refused' };
    if (status === 401) return { kind: 'own token refused' };
    if (isItsOwn && status === 403) {
      const reason = 'it does not allow the account of [keystone_authtoken] to validate tokens (403)';
      throw new IdentityFault('account', reason, IDENTITY_LIMITS.accountPauseMs);
    }
    throw faultOf(answer);
  }

  /** One answer, after at most the configured number of attempts, within one time limit. */
  private async ask(question: ServiceQuestion): Promise<Answer> {
    const deadline = AbortSignal.timeout(IDENTITY_LIMITS.questionMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(question, deadline);
      } catch (error) {
        if (error instanceof TooLarge) throw error;
        if (deadline.aborted) throw new IdentityFault('unreachable', LATE);
        const code = codeOf(error);
        const most = Math.max(this.settings.retries, CLOSED.has(code) ? 1 : 0);
        if (attempt > most || !PASSING.has(code)) {
          throw new IdentityFault('unreachable', `it cannot be reached: ${reasonOf(error, code)}`);
        }
      }
      const pause = IDENTITY_LIMITS.retryPauseMs * attempt * (0.5 + Math.random() / 2);
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }

  private async attempt(question: ServiceQuestion, signal: AbortSignal): Promise<Answer> {
    const { status, headers, parts } = await this.agent.ask('identity', question, signal);
    if (parts === undefined) throw new TooLarge();
    return { status, headers, text: Buffer.concat(parts).toString('utf8') };
  }
}

/** A fault of the service, unless the token's owner determines the size of the answer. */
class TooLarge extends IdentityFault {
  constructor() {
    super('strange', 'its answer is too large');
  }
}

const FURTHER_FACTOR: LoginVerdict = {
  kind: 'barred',
  reason:
    'The Identity service asks this account for more than a password. Get a token elsewhere, and log in with that.',
};

const NOT_BY_PASSWORD: LoginVerdict = {
  kind: 'barred',
  reason: 'The Identity service does not accept a password alone for this account.',
};

const LATE = 'it does not answer in time';

const strange = (what: string): IdentityFault => new IdentityFault('strange', `it answers ${what}`);

const TOKEN = /^[\x21-\x7e]+$/;

/** Whether the text is valid as a token: it goes into a header unchanged. */
export const isTokenText = (text: string): boolean =>
  text.length > 0 && text.length <= IDENTITY_LIMITS.tokenCharacters && TOKEN.test(text) && !text.includes(',');
