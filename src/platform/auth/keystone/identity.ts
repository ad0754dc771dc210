// The Identity service for the strategy: validates tokens for thousands of concurrent requests and never throws. Holds
// Berth's own token, the circuit breaker, and the state of the service.

import { IDENTITY_LIMITS } from '../../config/limits/auth';
import { within } from '../../event-loop/within';
import type { IdentityClient, OwnLogin, Validation } from './identity-client';
import { IdentityFault } from './identity-fault';
import type { IdentityLog, Undecided } from './identity-guard';
import { IdentityGuard } from './identity-guard';
import type { KeystoneSettings } from './keystone-settings';
import { versionedEndpoint } from './keystone-settings';

export type Verdict =
  | Exclude<Validation, { readonly kind: 'own token refused' }>
  /** The token cannot be validated at present. */
  | Undecided;

export class Identity {
  private own: (OwnLogin & { readonly renewAt: number }) | undefined;
  private renewal: Promise<OwnLogin> | undefined;
  private renewedAt = -Infinity;
  private probe: Promise<unknown> | undefined;
  private readonly guard: IdentityGuard;

  constructor(
    private readonly client: IdentityClient,
    private readonly settings: Pick<KeystoneSettings, 'endpoint' | 'login' | 'where'>,
    private readonly log: IdentityLog,
  ) {
    this.guard = new IdentityGuard(
      {
        what: 'the Identity service',
        inside: IDENTITY_LIMITS.connections,
        waiting: IDENTITY_LIMITS.questionsWaiting,
        unreachable: 'The Identity service is not available to check this token.',
        busy: 'Too many tokens wait to be validated.',
        isSecret: false,
      },
      log,
    );
  }

  /** The fault of the last request, if it failed. */
  get trouble(): IdentityFault | undefined {
    return this.guard.fault;
  }

  /** Validates a token. Never throws. */
  validate(subject: string, allowExpired: boolean): Promise<Verdict> {
    return this.guard.ask(() => this.validateWith(subject, allowExpired, false));
  }

  /** Checks the service unless there was a recent answer, and waits for a limited time. Never throws. */
  async look(): Promise<void> {
    const isFresh = performance.now() - this.guard.lastAnswerAt < IDENTITY_LIMITS.probeEveryMs;
    if (isFresh || this.guard.isClosed) return;
    this.probe ??= this.askOwn().finally(() => (this.probe = undefined));
    await within(IDENTITY_LIMITS.probeWaitMs, this.probe, () => undefined);
  }

  async close(): Promise<void> {
    this.guard.isClosed = true;
    await this.client.close();
    await this.probe;
    await this.renewal?.catch(() => undefined);
  }

  /** The health check validates Berth's own token, or logs in if there is none. */
  private async askOwn(): Promise<void> {
    const subject = this.own?.token;
    if (subject !== undefined) await this.validate(subject, false);
    else await this.guard.askNow(() => this.ownToken());
  }

  private async validateWith(subject: string, allowExpired: boolean, isAgain: boolean): Promise<Verdict> {
    const own = await this.ownToken();
    const found = await this.client.validate(own.endpoint ?? this.settings.endpoint, own.token, subject, allowExpired);
    if (found.kind !== 'own token refused') return found;
    if (isAgain) {
      const reason = 'it does not take the token that it gave to the account of [keystone_authtoken]';
      throw new IdentityFault('account', reason, IDENTITY_LIMITS.accountPauseMs);
    }
    // The token was revoked, or the service lost its keys: retry once with a new token, which another request has
    // possibly fetched already.
    if (this.own?.token === own.token) this.own = undefined;
    return this.validateWith(subject, allowExpired, true);
  }

  /** Berth's own token; near its expiry a new one is fetched in the background. */
  private async ownToken(): Promise<OwnLogin> {
    const { own } = this;
    const now = Date.now();
    if (own === undefined || now >= own.expiresAt) return this.renewed();
    const isDue = now >= own.renewAt && performance.now() - this.renewedAt > IDENTITY_LIMITS.renewEveryMs;
    if (isDue) this.renewed().catch((error: unknown) => this.guard.note(error));
    return own;
  }

  private renewed(): Promise<OwnLogin> {
    this.renewal ??= this.login().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async login(): Promise<OwnLogin> {
    this.renewedAt = performance.now();
    const now = Date.now();
    const { endpoint, login, where } = this.settings;
    const found = await this.client.login(endpoint, login, where);
    const left = found.expiresAt - now;
    if (left <= 0) {
      throw new IdentityFault('strange', 'it gives tokens that have expired: are the clocks of both machines right?');
    }
    const early = Math.min(left * IDENTITY_LIMITS.renewShare, IDENTITY_LIMITS.renewMs);
    const own = { ...found, endpoint: this.judged(found.endpoint), renewAt: found.expiresAt - early };
    this.own = own;
    return own;
  }

  /** The validation endpoint from the catalog; null to use the configured address. */
  private judged(named: string | null): string | null {
    const { endpoint, where } = this.settings;
    if (where === null) return null;
    const fields = { region: where.region, interface: where.interface, used: endpoint };
    if (named === null || !/^https?:/.test(named) || !URL.canParse(named)) {
      this.log.warn(fields, 'the catalog names no Identity endpoint of this region; auth_url is used');
      return null;
    }
    if (endpoint.startsWith('https:') && !named.startsWith('https:')) {
      this.log.warn(fields, 'the Identity endpoint of this region is not encrypted, and auth_url is; that is used');
      return null;
    }
    return versionedEndpoint(named);
  }
}
