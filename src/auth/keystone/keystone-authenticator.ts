// The strategy `keystone`: believes the Identity service and nothing else a request says. A token that is known is
// answered at once; of one that is not, one question is asked, however many requests bring it.

import { IDENTITY_LIMITS } from '../../config/limits';
import { Authenticator } from '../principal';
import type {
  Authentication,
  AuthenticationHealth,
  AuthenticationRequest,
  PasswordLogins,
  Principal,
} from '../principal';
import { isAllowed } from './access-rules';
import { isTokenText } from './identity-client';
import type { Identity, Verdict } from './identity';
import type { KeystoneSettings } from './keystone-settings';
import { cacheKeyOf, TokenCache } from './token-cache';
import type { CachedToken } from './token-cache';

type Settings = Pick<
  KeystoneSettings,
  'challenge' | 'keptMs' | 'serviceType' | 'serviceRoles' | 'isServiceRoleRequired'
>;

/** What one token turned out to be. */
type Outcome = CachedToken | 'refused' | Extract<Verdict, { readonly kind: 'unknown' }>;

interface KeystoneLog {
  warn(fields: object, message: string): void;
}

export class KeystoneAuthenticator extends Authenticator {
  private readonly cache: TokenCache;
  private readonly asked = new Map<string, Promise<Outcome>>();
  private readonly refusal: Authentication;
  private hasWarnedOfService = false;

  constructor(
    private readonly identity: Identity,
    private readonly settings: Settings,
    private readonly log: KeystoneLog,
    override readonly passwordLogins: PasswordLogins | undefined = undefined,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.cache = new TokenCache(settings.keptMs, now);
    const message = 'The request you have made requires authentication.';
    this.refusal = Object.freeze({ authenticated: false, message, challenge: settings.challenge });
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

  async health(): Promise<AuthenticationHealth> {
    await this.identity.look();
    const { trouble } = this.identity;
    if (trouble === undefined) return { works: true, servesKnown: true };
    const reason = `The Identity service cannot be asked: ${trouble.reason}.`;
    return { works: false, reason, servesKnown: this.cache.hasKnown };
  }

  close(): Promise<void> {
    return this.identity.close();
  }

  /** A service's token must hold; with its role it lets in a user's that has expired, and that is bound to other paths. */
  private async forService(
    request: AuthenticationRequest,
    token: string,
    serviceToken: string | readonly string[],
  ): Promise<Authentication> {
    if (typeof serviceToken !== 'string') return this.refusal;
    const service = await this.outcomeOf(serviceToken, false);
    // A service's own token is for what its rules say, whomever it speaks for.
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
    // Where the API has a prefix, rules may be written with it, as the middleware of other services sees paths.
    const paths = prefix === '' ? [path] : [path, prefix + path];
    const service = this.settings.serviceType;
    const isFree = paths.some((each) => isAllowed(accessRules, { service, method, path: each }));
    return isFree ? answer : this.refusal;
  }

  /** What is known of a token, else what the Identity service says. */
  private outcomeOf(token: string, allowExpired: boolean): Outcome | Promise<Outcome> {
    if (!isTokenText(token)) return 'refused';
    const digest = cacheKeyOf(token);
    const known = this.cache.find(digest);
    if (known !== undefined) return known;
    // That an expired token is let in for a service says nothing about it without that service.
    const key = allowExpired ? `${digest} expired` : digest;
    const knownExpired = allowExpired ? this.cache.find(key) : undefined;
    if (knownExpired !== undefined) return knownExpired;
    if (this.cache.isRefused(key)) return 'refused';
    const asked = this.asked.get(key);
    if (asked !== undefined) return asked;
    const asking = this.ask(token, key, allowExpired).finally(() => this.asked.delete(key));
    this.asked.set(key, asking);
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
