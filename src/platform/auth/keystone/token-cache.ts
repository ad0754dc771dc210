// Caches the Identity service's verdicts on tokens, limited in time and number. Keys are digests, so no token is
// stored. Refused tokens have a separate cache, so invented tokens cannot evict valid ones.

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { IDENTITY_LIMITS } from '../../config/limits/auth';
import type { Authentication } from '../principal';
import type { KnownToken } from './token-document';

/** A validated token with the authentication result of its requests. */
export interface CachedToken extends KnownToken {
  readonly answer: Extract<Authentication, { readonly authenticated: true }>;
  /** Valid until this time, in milliseconds since 1970. */
  readonly until: number;
}

/** The cache key of a token. */
export const cacheKeyOf = (token: string): string => hash('sha256', token, 'base64');

export class TokenCache {
  private readonly known = new LRUCache<string, CachedToken>({ max: IDENTITY_LIMITS.tokensKept });
  private readonly refused = new LRUCache<string, number>({ max: IDENTITY_LIMITS.refusalsKept });
  private lastUntil = 0;

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number,
  ) {}

  /** Whether the cache can still contain a valid token. */
  get hasKnown(): boolean {
    return this.lastUntil > this.now();
  }

  find(key: string): CachedToken | undefined {
    const found = this.known.get(key);
    return found !== undefined && found.until > this.now() ? found : undefined;
  }

  isRefused(key: string): boolean {
    return (this.refused.get(key) ?? 0) > this.now();
  }

  /** Never kept beyond the token's expiry, unless it had already expired and was accepted for a service. */
  keep(key: string, token: KnownToken): CachedToken {
    const now = this.now();
    const most = now + this.keptMs;
    const until = token.expiresAt > now ? Math.min(most, token.expiresAt) : most;
    const cached = { ...token, until, answer: { authenticated: true, principal: token.principal } as const };
    if (until > now) {
      this.known.set(key, cached);
      this.refused.delete(key);
      this.lastUntil = Math.max(this.lastUntil, until);
    }
    return cached;
  }

  refuse(key: string): void {
    this.known.delete(key);
    const keptMs = Math.min(this.keptMs, IDENTITY_LIMITS.refusalKeptMs);
    if (keptMs > 0) this.refused.set(key, this.now() + keptMs);
  }
}
