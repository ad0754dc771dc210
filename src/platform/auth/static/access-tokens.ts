// Creates, lists, revokes and rotates static tokens. The token itself is only in the answer to its creator.
import { AUTH_LIMITS } from '../../config/limits/auth';
import type { Database } from '../../database/database';
import type { StoredToken, TokenGrant } from './access-token';
import { digestOf, isAccessToken, newAccessToken } from './access-token';
import * as repository from './access-tokens.repository';

/** An invalid operation on tokens; the message has the reason. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem';
}

export class AccessTokens {
  constructor(private readonly db: Database) {}

  /** Returns the token, which cannot be displayed again. Throws TokenProblem. */
  async create(grant: TokenGrant, nowMs: number): Promise<string> {
    refuseGrant(grant, nowMs);
    const token = newAccessToken();
    try {
      await this.db.write((tx) => repository.insertToken(tx, grant, digestOf(token), nowMs));
    } catch (error) {
      if (this.db.dialect.classify(error) !== 'duplicate') throw error;
      throw new TokenProblem(`there is a token ${grant.name} already; rotate it, or choose another name`);
    }
    return token;
  }

  list(): Promise<readonly StoredToken[]> {
    return this.db.read((sql) => repository.listTokens(sql, AUTH_LIMITS.tokensListed));
  }

  /** Undefined if the token is unknown or not in Berth's format. */
  async find(token: string): Promise<StoredToken | undefined> {
    return isAccessToken(token) ? this.db.read((sql) => repository.findByDigest(sql, digestOf(token))) : undefined;
  }

  /** Creates a new token under the same name; the old one becomes invalid. Throws TokenProblem. */
  async rotate(name: string, expiresAtMs: number | null | undefined, nowMs: number): Promise<string> {
    const token = newAccessToken();
    const given = { digest: digestOf(token), expiresAtMs };
    const isThere = await this.db.write((tx) => repository.replaceDigest(tx, name, given, nowMs));
    if (!isThere) throw new TokenProblem(`there is no token ${name}`);
    return token;
  }

  /** Throws TokenProblem. */
  async revoke(name: string, nowMs: number): Promise<void> {
    if (await this.db.write((tx) => repository.revokeToken(tx, name, nowMs))) return;
    throw new TokenProblem(`there is no token ${name}`);
  }
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@:-]{0,254}$/;
const TEXT_MAX = 255;

function refuseGrant({ name, userId, projectId, systemScope, roles, expiresAtMs }: TokenGrant, nowMs: number): void {
  if (!NAME.test(name)) throw new TokenProblem('a name is 1 to 255 letters, digits and any of . _ @ : -');
  for (const [what, text] of [
    ['user', userId],
    ['project', projectId ?? 'none'],
  ] as const) {
    if (text === '' || text.length > TEXT_MAX) throw new TokenProblem(`a ${what} has 1 to ${TEXT_MAX} characters`);
  }
  if (projectId !== null && systemScope !== null) throw new TokenProblem('a token has a project or the system scope');
  if (roles.some((role) => role === '' || role.length > TEXT_MAX) || roles.length > AUTH_LIMITS.rolesPerToken) {
    throw new TokenProblem(
      `a token has at most ${AUTH_LIMITS.rolesPerToken} roles, each of 1 to ${TEXT_MAX} characters`,
    );
  }
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw new TokenProblem('a token must expire in the future');
}
