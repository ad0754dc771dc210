// The strategy `keystone`: trusts only the Identity service. A cached token is answered synchronously; for an unknown
// one a single validation runs, however many requests present it.

import { IDENTITY_LIMITS } from '../../config/limits/auth';
import type {
  Authentication,
  AuthenticationHealth,
  AuthenticationRequest,
  PasswordLogins,
  Principal,
} from '../principal';
import { Authenticator } from '../principal';
import { isAllowed } from './access-rules';
import type { Identity, Verdict } from './identity';
import { isTokenText } from './identity-client';
import type { KeystoneSettings } from './keystone-settings';
import type { CachedToken } from './token-cache';
import { cacheKeyOf, TokenCache } from './token-cache';

type Settings = Pick<
  KeystoneSettings,
  'challenge' | 'keptMs' | 'serviceType' | 'serviceRoles' | 'isServiceRoleRequired'
>;

/** The outcome of a token's validation. */
type Outcome = CachedToken | 'refused' | Extract<Verdict, { readonly kind: 'unknown' }>;

interface KeystoneLog {
  warn(fields: object, message: string): void;
}

export class KeystoneAuthenticator extends Authenticator {
  private readonly cache: TokenCache;
  private readonly runningValidations = new Map<string, Promise<Outcome>>();
  private readonly refusal: Authentication;
  private hasWarnedOfService = false;

  constructor(
    private readonly identity: Identity,
    private readonly settings: Settings,
    private readonly log: KeystoneLog,
    override readonly passwordLogins: PasswordLogins | undefined,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.cache = new TokenCache(settings.keptMs, now);
    const message = 'The request you have made requires authentication.';
    const hint = 'Send the header X-Auth-Token with a token of the Identity service (auth_strategy keystone).';
    this.refusal = Object.freeze({ authenticated: false, message, hint, challenge: settings.challenge });
  }

  authenticate(request: AuthenticationRequest): Authentication | Promise<Authentication> {
    const { headers } = request;
    const token = headers['x-auth-token'];
    if (typeof token !== 'string') return this.refusal;
    const service = headers['x-service-token'];
    if (service !== undefined) return this.forService(request, token, service);
    const outcome = this.outcomeOf(token, false);
    return outcome instanceof Promise
      ? outcome.then((settled) => this.answerTo(request, settled))
      : this.answerTo(request, outcome);
  }

  override async health(): Promise<AuthenticationHealth> {
    await this.identity.look();
    const { trouble } = this.identity;
    if (trouble === undefined) return { works: true, servesKnown: true };
    const reason = `The Identity service is not available: ${trouble.reason}.`;
    return { works: false, reason, servesKnown: this.cache.hasKnown };
  }

  override close(): Promise<void> {
    return this.identity.close();
  }

  /**
   * A service token must be valid. With the service role it also admits a user token that has expired or has access
   * rules for other paths.
   */
  private async forService(
    request: AuthenticationRequest,
    token: string,
    serviceToken: string | readonly string[],
  ): Promise<Authentication> {
    if (typeof serviceToken !== 'string') return this.refusal;
    const service = await this.outcomeOf(serviceToken, false);
    // The access rules of the service token apply to every request, including one on behalf of a user.
    const known = this.answerTo(request, service);
    if (!known.authenticated) return known;
    const { principal } = known;
    const hasRole = principal.roles.some((role) => this.settings.serviceRoles.has(role.toLowerCase()));
    if (!hasRole) {
      if (this.settings.isServiceRoleRequired) return this.refusal;
      this.warnOfService(principal);
    }
    const user = await this.outcomeOf(token, hasRole);
    if (!hasRole || user === 'refused' || !('answer' in user)) return this.answerTo(request, user);
    return { authenticated: true, principal: { ...user.principal, service: principal } };
  }

  private answerTo(request: AuthenticationRequest, outcome: Outcome): Authentication {
    if (outcome === 'refused') return this.refusal;
    if (!('answer' in outcome)) {
      return { authenticated: false, message: outcome.message, retryAfterSeconds: outcome.retryAfterSeconds };
    }
    const { accessRules, answer } = outcome;
    if (accessRules === null) return answer;
    const { method, path, prefix } = request;
    if (prefix.length + path.length > IDENTITY_LIMITS.accessPathCharacters) return this.refusal;
    // If the API has a prefix, rules can contain it, as the middleware of other services sees paths.
    const paths = prefix === '' ? [path] : [path, prefix + path];
    const service = this.settings.serviceType;
    const isFree = paths.some((each) => isAllowed(accessRules, { service, method, path: each }));
    return isFree ? answer : this.refusal;
  }

  /** The cached outcome of a token, otherwise that of the Identity service. */
  private outcomeOf(token: string, allowExpired: boolean): Outcome | Promise<Outcome> {
    if (!isTokenText(token)) return 'refused';
    const digest = cacheKeyOf(token);
    const known = this.cache.find(digest);
    if (known !== undefined) return known;
    // An expired token that is accepted for a service must not be accepted without it, so it has a separate key.
    const key = allowExpired ? `${digest} expired` : digest;
    const knownExpired = allowExpired ? this.cache.find(key) : undefined;
    if (knownExpired !== undefined) return knownExpired;
    if (this.cache.isRefused(key)) return 'refused';
    const running = this.runningValidations.get(key);
    if (running !== undefined) return running;
    const asking = this.ask(token, key, allowExpired).finally(() => this.runningValidations.delete(key));
    this.runningValidations.set(key, asking);
    return asking;
  }

  private async ask(token: string, key: string, allowExpired: boolean): Promise<Outcome> {
    const verdict = await this.identity.validate(token, allowExpired);
    switch (verdict.kind) {
      case 'unknown':
        return verdict;
      case 'refused':
        if (verdict.reason !== undefined) this.log.warn({ reason: verdict.reason }, 'a valid token is not served');
        this.cache.refuse(key);
        return 'refused';
      case 'known': {
        const isExpired = verdict.token.expiresAt <= this.now();
        if (isExpired && !allowExpired) {
          this.cache.refuse(key);
          return 'refused';
        }
        return this.cache.keep(isExpired ? key : cacheKeyOf(token), verdict.token);
      }
    }
  }

  private warnOfService({ userId }: Principal): void {
    if (this.hasWarnedOfService) return;
    this.hasWarnedOfService = true;
    const fields = { user: userId, roles: [...this.settings.serviceRoles] };
    this.log.warn(fields, 'a service token without a role of service_token_roles was ignored; further ones silently');
  }
}
