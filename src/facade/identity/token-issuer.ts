// Gives out tokens, of the strategy in force, without keeping any: where callers are believed, a token is what they say;
// static tokens are handed back to whoever has one.
import { Inject, Injectable } from '@nestjs/common';
import { AccessTokens } from '../../auth/static/access-tokens';
import { Authenticator } from '../../auth/principal';
import type { Principal } from '../../auth/principal';
import type { BerthConfig } from '../../config/berth-config';
import { BERTH_CONFIG } from '../../config/config.module';
import { FACADE_LIMITS } from '../../config/limits';
import { Database } from '../../database/database';
import { Unavailable } from '../../domain/errors';
import type { LoginCredentials } from './credentials';

/** A token, and whom it is for. */
export interface IssuedToken {
  readonly token: string;
  readonly principal: Principal;
  /** When clients should have asked for another one, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

@Injectable()
export class TokenIssuer {
  private readonly believes: boolean;
  private readonly tokens: AccessTokens;

  constructor(
    @Inject(BERTH_CONFIG) { api }: BerthConfig,
    private readonly authenticator: Authenticator,
    db: Database,
  ) {
    this.tokens = new AccessTokens(db);
    this.believes = api.auth_strategy === 'noauth2';
  }

  /** Undefined: the credentials are none. Throws unavailable where nobody can tell. */
  async issue(credentials: LoginCredentials, nowMs: number): Promise<IssuedToken | undefined> {
    return this.believes ? this.believed(credentials, nowMs) : this.proven(credentials, nowMs);
  }

  /** Whom a token is for; undefined: it is none. Throws unavailable. */
  async show(token: string, nowMs: number): Promise<IssuedToken | undefined> {
    const principal = await this.holderOf(token);
    if (principal === undefined) return undefined;
    const stored = this.believes ? undefined : await this.tokens.find(token);
    const shownUntil = nowMs + FACADE_LIMITS.tokenSeconds * 1_000;
    return { token, principal, expiresAtMs: stored?.expiresAtMs ?? shownUntil };
  }

  /** Of what callers say of themselves there is nothing to revoke. */
  async revoke(token: string, nowMs: number): Promise<void> {
    if (this.believes) return;
    const stored = await this.tokens.find(token);
    if (stored !== undefined) await this.tokens.revoke(stored.name, nowMs);
  }

  private async believed(credentials: LoginCredentials, nowMs: number): Promise<IssuedToken | undefined> {
    const holder = credentials.method === 'token' ? await this.holderOf(credentials.token) : undefined;
    const user = credentials.method === 'token' ? holder?.userId : credentials.user;
    if (user === undefined || user === '') return undefined;
    return this.show(`${user}:${credentials.project ?? holder?.projectId ?? user}`, nowMs);
  }

  /** A user is whoever the token speaks for, or the name that the token has. */
  private async proven(credentials: LoginCredentials, nowMs: number): Promise<IssuedToken | undefined> {
    const token = credentials.method === 'token' ? credentials.token : credentials.password;
    const issued = await this.show(token, nowMs);
    if (issued === undefined) return undefined;
    const { userId, projectId } = issued.principal;
    if (credentials.project !== null && credentials.project !== projectId) return undefined;
    if (credentials.method === 'token' || credentials.user === userId) return issued;
    return (await this.tokens.find(token))?.name === credentials.user ? issued : undefined;
  }

  private async holderOf(token: string): Promise<Principal | undefined> {
    const answer = await this.authenticator.authenticate({
      headers: { 'x-auth-token': token },
      method: 'GET',
      path: '/',
      prefix: '',
    });
    if (answer.authenticated) return answer.principal;
    if ('retryAfterSeconds' in answer) throw new Unavailable(answer.message);
    return undefined;
  }
}
