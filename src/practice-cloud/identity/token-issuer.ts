// Issues tokens for the configured auth strategy without storing them. With noauth2, a token contains the user and
// project that the client named. Otherwise the client presents an existing static token and receives it back.
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal';
import { Authenticator } from '../../platform/auth/principal';
import { AccessTokens } from '../../platform/auth/static/access-tokens';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import { Database } from '../../platform/database/database';
import { Unavailable } from '../../platform/values/errors';
import type { PracticeCloudConfig } from '../options';
import type { LoginCredentials } from './credentials';

/** The lifetime that clients see of a token that never expires. They request a new one in time. */
const TOKEN_SECONDS = 86_400;

/** A token and its principal. */
export interface IssuedToken {
  readonly token: string;
  readonly principal: Principal;
  /** Expiry time that clients see, in milliseconds since 1970; they request a new token before it. */
  readonly expiresAtMs: number;
}

@Injectable()
export class TokenIssuer {
  private readonly believes: boolean;
  private readonly tokens: AccessTokens;

  constructor(
    @Inject(BERTH_CONFIG) { api }: PracticeCloudConfig,
    private readonly authenticator: Authenticator,
    db: Database,
  ) {
    this.tokens = new AccessTokens(db);
    this.believes = api.auth_strategy === 'noauth2';
  }

  /** Undefined if the credentials are invalid. Throws unavailable if the authenticator cannot decide. */
  async issue(credentials: LoginCredentials, nowMs: number): Promise<IssuedToken | undefined> {
    return this.believes ? this.believed(credentials, nowMs) : this.proven(credentials, nowMs);
  }

  /** The principal of a token; undefined if the token is invalid. Throws unavailable. */
  async show(token: string, nowMs: number): Promise<IssuedToken | undefined> {
    const principal = await this.holderOf(token);
    if (principal === undefined) return undefined;
    const stored = this.believes ? undefined : await this.tokens.find(token);
    const shownUntil = nowMs + TOKEN_SECONDS * 1_000;
    return { token, principal, expiresAtMs: stored?.expiresAtMs ?? shownUntil };
  }

  /** With noauth2 there is no stored token to revoke. */
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

  /** The user name of the credentials must be the token's user or the token's own name. */
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
