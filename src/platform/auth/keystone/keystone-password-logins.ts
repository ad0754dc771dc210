// Passes user and password to the Identity service to obtain a token for one project. It has its own circuit breaker:
// password attempts, or logins that fail in the service, do not affect token validation.

import { IDENTITY_LIMITS, LOGIN_LIMITS } from '../../config/limits/auth';
import { Gate } from '../../database/gate';
import { DomainError } from '../../values/errors';
import type { LoginVerdict, PasswordCredentials, PasswordLogins } from '../principal';
import { CircuitBreaker } from './circuit-breaker';
import type { IdentityClient } from './identity-client';
import { IdentityFault } from './identity-fault';

interface LoginLog {
  warn(fields: object, message: string): void;
}

export class KeystonePasswordLogins implements PasswordLogins {
  private loggedAt = -Infinity;
  private readonly breaker = new CircuitBreaker(IDENTITY_LIMITS, () => performance.now());
  private readonly gate = new Gate('logins', {
    inside: LOGIN_LIMITS.inFlight,
    waiting: LOGIN_LIMITS.waiting,
    waitMs: IDENTITY_LIMITS.questionMs,
  });

  constructor(
    private readonly client: Pick<IdentityClient, 'loginAs'>,
    private readonly endpoint: string,
    private readonly log: LoginLog,
  ) {}

  async login(credentials: PasswordCredentials): Promise<LoginVerdict> {
    if (this.breaker.waitMs > 0) return this.undecided();
    try {
      return await this.gate.pass(() => this.asked(credentials));
    } catch (error) {
      if (error instanceof DomainError) return { kind: 'unknown', message: BUSY, retryAfterSeconds: 1 };
      throw error;
    }
  }

  private async asked(credentials: PasswordCredentials): Promise<LoginVerdict> {
    // The breaker can open while a request is queued.
    if (!this.breaker.admit()) return this.undecided();
    try {
      const verdict = await this.client.loginAs(this.endpoint, bodyOf(credentials));
      this.breaker.succeeded();
      return verdict;
    } catch (error) {
      this.note(error);
      this.breaker.failed(error instanceof IdentityFault ? error.pauseMs : undefined);
      return this.undecided();
    }
  }

  /** Logged at a limited rate and without credentials; an error that is not an IdentityFault is logged by name only. */
  private note(error: unknown): void {
    const now = performance.now();
    if (now - this.loggedAt < IDENTITY_LIMITS.logEveryMs) return;
    this.loggedAt = now;
    const context =
      error instanceof IdentityFault
        ? { kind: error.kind, reason: error.reason }
        : { kind: 'strange', reason: error instanceof Error ? error.name : 'unknown' };
    this.log.warn(context, 'the Identity service is not available for logins');
  }

  private undecided(): LoginVerdict {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.breaker.waitMs / 1_000));
    return { kind: 'unknown', message: UNREACHABLE, retryAfterSeconds };
  }
}

const UNREACHABLE = 'The Identity service is not available for logins.';
const BUSY = 'Too many logins wait for the Identity service.';

const bodyOf = ({
  userName,
  userDomain,
  password,
  projectName,
  projectDomain,
}: PasswordCredentials): Readonly<Record<'auth', object>> => ({
  auth: {
    identity: {
      methods: ['password'],
      password: { user: { name: userName, domain: { name: userDomain }, password } },
    },
    scope: { project: { name: projectName, domain: { name: projectDomain } } },
  },
});
