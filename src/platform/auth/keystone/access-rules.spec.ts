import { isAllowed, pathPattern } from './access-rules';

const matches = (pattern: string, path: string): boolean =>
  isAllowed([{ service: 'placement', method: 'GET', path: pathPattern(pattern) }], {
    service: 'placement',
    method: 'GET',
    path,
  });

describe('the path of an access rule', () => {
  it.each<readonly [string, string, boolean]>([
    ['/usages', '/usages', true],
    ['/usages', '/usages/', false],
    ['/usages', '/usage', false],
    ['/usages', '/Usages', false],
    ['/usages', '/%75sages', false],
    ['/resource_providers/*', '/resource_providers/a', true],
    ['/resource_providers/*', '/resource_providers/', false],
    ['/resource_providers/*', '/resource_providers/a/traits', false],
    ['/resource_providers/{uuid}/traits', '/resource_providers/a/traits', true],
    ['/resource_providers/{uuid}/traits', '/resource_providers/a/b/traits', false],
    ['/resource_providers/{uuid}/traits', '/resource_providers//traits', false],
    ['/resource_providers/**', '/resource_providers/a/traits', true],
    ['/resource_providers/**', '/resource_providers/', true],
    ['/resource_providers/**', '/resource_providers', false],
    ['**', '', true],
    ['**', '/a\nb', true],
    ['/**/traits', '/a/b/traits', true],
    ['/**/traits', '/a/b/traits/c', false],
    ['/a**', '/ab/c', true],
    ['/a*c', '/abc', true],
    ['/a*c', '/ac', false],
    ['/***', '/a/b', true],
    ['/{}', '/a', true],
    ['/{a', '/a', true],
    ['/a.c', '/abc', false],
    ['/a+(b)', '/a+(b)', true],
    ['', '', true],
    ['', '/', false],
    ['/ü', '/ü', true],
    ['/😀', '/😀', true],
  ])('%j stands for %j: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it('costs no more than its length times the path’s, whatever stands in it', () => {
    expect(matches(`${'**a'.repeat(400)}b`, 'a'.repeat(1_000))).toBe(false);
    expect(matches(`${'*'.repeat(3).repeat(200)}!`, 'a'.repeat(1_000))).toBe(false);
  });
});

describe('access rules', () => {
  const rules = [{ service: 'placement', method: 'GET', path: pathPattern('/usages') }];
  it.each([
    ['their request', { service: 'placement', method: 'GET', path: '/usages' }, true],
    ['another method', { service: 'placement', method: 'PUT', path: '/usages' }, false],
    ['another service', { service: 'compute', method: 'GET', path: '/usages' }, false],
    ['another path', { service: 'placement', method: 'GET', path: '/traits' }, false],
  ])('judge %s', (_what, request, expected) => {
    expect(isAllowed(rules, request)).toBe(expected);
  });

  it('allow nothing if there are none', () => {
    expect(isAllowed([], { service: 'placement', method: 'GET', path: '/usages' })).toBe(false);
  });
});
