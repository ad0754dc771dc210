// The strategy `static`: maps a named token to its identity. Database results are cached for a few seconds: every process
// refuses a revoked token after that time, and a busy token costs no query per request.
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AUTH_LIMITS } from '../../config/limits/auth';
import type { Database } from '../../database/database';
import type { Authentication, AuthenticationRequest } from '../principal';
import { Authenticator } from '../principal';
import type { StoredToken } from './access-token';
import { digestOf, isAccessToken } from './access-token';
import { findByDigest, noteUse } from './access-tokens.repository';

/** Maximum of cached tokens, and of cached digests that the database does not know. */
const TOKENS_REMEMBERED = 10_000;
/** `Retry-After` while the token cannot be validated. */
const RETRY_AFTER_SECONDS = 5;

const UNKNOWN: Authentication = {
  authenticated: false,
  message: 'The request you have made requires authentication.',
  hint: 'Send the header X-Auth-Token with a token that `berth token create` printed (auth_strategy static).',
};
const UNDECIDED: Authentication = {
  authenticated: false,
  message: 'The database is not available to check this token.',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
};

interface Known {
  readonly token: StoredToken;
  readonly readAtMs: number;
}

interface Log {
  warn(fields: object, message: string): void;
}

export class StaticAuthenticator extends Authenticator {
  private readonly known = new LRUCache<string, Known>({ max: TOKENS_REMEMBERED });
  /** Time at which a digest was found to be unknown. A separate cache, so invented tokens cannot evict valid ones. */
  private readonly refused = new LRUCache<string, number>({ max: TOKENS_REMEMBERED });
  /** At most one running query per token, for any number of requests. */
  private readonly asking = new Map<string, Promise<StoredToken | undefined>>();
  private readonly notedAtMs = new LRUCache<number, number>({ max: TOKENS_REMEMBERED });

  constructor(
    private readonly database: () => Database,
    private readonly log: Log,
    private readonly now: () => number = () => Date.now(),
  ) {
    super();
  }

  authenticate({ headers }: AuthenticationRequest): Authentication | Promise<Authentication> {
    const token = headers['x-auth-token'];
    if (typeof token !== 'string' || !isAccessToken(token)) return UNKNOWN;
    const digest = digestOf(token);
    const known = this.known.get(digest);
    if (known !== undefined && this.isRecent(known.readAtMs)) return this.judged(known.token, digest);
    if (this.isRecent(this.refused.get(digest))) return UNKNOWN;
    return this.asked(digest).then(
      (found) => this.judged(found, digest),
      (error: unknown) => {
        this.log.warn({ err: error }, 'a token could not be looked up');
        return UNDECIDED;
      },
    );
  }

  private asked(digest: string): Promise<StoredToken | undefined> {
    const inFlight = this.asking.get(digest);
    if (inFlight !== undefined) return inFlight;
    const asking = this.database()
      .read((sql) => findByDigest(sql, digest))
      .then((token) => {
        if (token === undefined) this.refused.set(digest, this.now());
        else this.known.set(digest, { token, readAtMs: this.now() });
        return token;
      })
      .finally(() => this.asking.delete(digest));
    this.asking.set(digest, asking);
    return asking;
  }

  private isRecent(readAtMs: number | undefined): boolean {
    return readAtMs !== undefined && this.now() - readAtMs < AUTH_LIMITS.staticTokenBelievedMs;
  }

  private judged(token: StoredToken | undefined, digest: string): Authentication {
    if (token === undefined || !timingSafeEqual(Buffer.from(token.digest), Buffer.from(digest))) return UNKNOWN;
    const { revokedAtMs, expiresAtMs, userId, projectId, roles, systemScope } = token;
    if (revokedAtMs !== null || (expiresAtMs !== null && expiresAtMs <= this.now())) return UNKNOWN;
    this.note(token);
    return { authenticated: true, principal: { userId, projectId, roles, systemScope } };
  }

  /** Records the last use of a token about once a minute, without delaying the request. */
  private note({ id, name, lastUsedAtMs }: StoredToken): void {
    const nowMs = this.now();
    const notedAtMs = this.notedAtMs.get(id) ?? lastUsedAtMs ?? 0;
    if (nowMs - notedAtMs < AUTH_LIMITS.tokenUseNotedMs) return;
    this.notedAtMs.set(id, nowMs);
    this.database()
      .write((tx) => noteUse(tx, id, nowMs))
      .catch((error: unknown) => this.log.warn({ err: error, token: name }, 'the use of a token could not be noted'));
  }
}
