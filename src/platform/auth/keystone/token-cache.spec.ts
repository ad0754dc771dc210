import { IDENTITY_LIMITS } from '../../config/limits/auth';
import { cacheKeyOf, TokenCache } from './token-cache';
import type { KnownToken } from './token-document';

const token = (expiresAt: number): KnownToken => ({
  principal: { userId: 'u', projectId: 'p', roles: [], systemScope: null },
  expiresAt,
  accessRules: null,
});

describe('the cache of tokens', () => {
  let now = 0;
  const open = (keptMs = 1_000) => new TokenCache(keptMs, () => now);
  beforeEach(() => {
    now = 1_000_000;
  });

  it('believes a token for its time, and not a moment longer', () => {
    const cache = open();
    cache.keep('a', token(now + 60_000));
    now += 999;
    expect([cache.find('a')?.answer.authenticated, cache.hasKnown]).toEqual([true, true]);
    now += 1;
    expect([cache.find('a'), cache.hasKnown]).toEqual([undefined, false]);
  });

  it('believes no token past its end', () => {
    const cache = open();
    cache.keep('a', token(now + 10));
    now += 10;
    expect(cache.find('a')).toBeUndefined();
  });

  it('caches nothing if caching is off', () => {
    const cache = open(0);
    expect(cache.keep('a', token(now + 60_000)).answer.authenticated).toBe(true);
    cache.refuse('b');
    expect([cache.find('a'), cache.isRefused('b'), cache.hasKnown]).toEqual([undefined, false, false]);
  });

  it('forgets what it believed of a token that is refused, and the refusal soon', () => {
    const cache = open(60_000);
    cache.keep('a', token(now + 60_000));
    cache.refuse('a');
    expect([cache.find('a'), cache.isRefused('a')]).toEqual([undefined, true]);
    now += IDENTITY_LIMITS.refusalKeptMs;
    expect(cache.isRefused('a')).toBe(false);
  });

  it('is driven out of nothing it knows by tokens that are refused', () => {
    const cache = open();
    cache.keep('a', token(now + 60_000));
    for (let at = 0; at <= IDENTITY_LIMITS.refusalsKept; at += 1) cache.refuse(`invented ${at}`);
    expect([cache.find('a') !== undefined, cache.isRefused('invented 0')]).toEqual([true, false]);
  });

  it('has a bounded number of tokens', () => {
    const cache = open();
    for (let at = 0; at <= IDENTITY_LIMITS.tokensKept; at += 1) cache.keep(`token ${at}`, token(now + 60_000));
    expect([cache.find('token 0'), cache.find('token 1') !== undefined]).toEqual([undefined, true]);
  });

  it('uses keys that reveal nothing about the token', () => {
    expect(cacheKeyOf('gAAAAtoken')).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });
});
