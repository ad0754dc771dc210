// What the Identity service said about tokens, for a bounded time and a bounded number of them. Keys are digests: no token
// is kept. Refused tokens have room of their own, so that whoever invents tokens drives nobody out.

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { IDENTITY_LIMITS } from '../../config/limits';
import type { Authentication } from '../principal';
import type { KnownToken } from './token-document';

/** A token that was validated, with the answer that its requests get. */
export interface CachedToken extends KnownToken {
  readonly answer: Extract<Authentication, { readonly authenticated: true }>;
  /** Believed until then; milliseconds since 1970. */
  readonly until: number;
}

/** What a token is known by. */
export const cacheKeyOf = (token: string): string => hash('sha256', token, 'base64');

export class TokenCache {
  private readonly known = new LRUCache<string, CachedToken>({ max: IDENTITY_LIMITS.tokensKept });
  private readonly refused = new LRUCache<string, number>({ max: IDENTITY_LIMITS.refusalsKept });
  private lastUntil = 0;

  constructor(
    private readonly keptMs: number,
    private readonly now: () => number,
  ) {}

  /** Whether there may be a token that is still believed. */
  get hasKnown(): boolean {
    return this.lastUntil > this.now();
  }

  find(key: string): CachedToken | undefined {
    const found = this.known.get(key);
    if (found === undefined || found.until > this.now()) return found;
    this.known.delete(key);
    return undefined;
  }

  isRefused(key: string): boolean {
    const until = this.refused.get(key);
    if (until === undefined) return false;
    if (until > this.now()) return true;
    this.refused.delete(key);
    return false;
  }

  /** Never kept past the token's own end, unless it had ended before and was let in for a service's sake. */
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
