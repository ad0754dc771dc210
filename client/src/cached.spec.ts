// Cached lists: lifetime, capacity and invalidation.
import { cached } from './index.ts';

interface Options {
  readonly signal?: AbortSignal;
  readonly version?: string;
}

/** Records the requested names. */
function resource() {
  const asked: string[] = [];
  const answer = (what: string): Promise<{ names: string[] }> => {
    asked.push(what);
    return Promise.resolve({ names: [what] });
  };
  return {
    asked,
    list: (query: object = {}, _options?: Options) => answer(`list ${JSON.stringify(query)}`),
    get: (name: string) => answer(name),
    create: (name: string) => answer(`create ${name}`),
    inner: { list: (name: string) => answer(`inner ${name}`), replace: (name: string) => answer(`replace ${name}`) },
  };
}

const later = (ms: number): void => {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now + ms);
};
beforeEach(() => later(0));
afterEach(() => jest.restoreAllMocks());

it('is asked for once while it is fresh, and again when it is not', async () => {
  const traits = resource();
  const { list } = cached(traits, { ttlMs: 1_000 });
  expect([await list(), await list()]).toEqual([{ names: ['list {}'] }, { names: ['list {}'] }]);
  later(999);
  await list();
  expect(traits.asked).toHaveLength(1);
  later(2);
  await list();
  expect(traits.asked).toHaveLength(2);
});

it('is asked for once by those who ask at the same time', async () => {
  const traits = resource();
  const { list } = cached(traits);
  await Promise.all([list(), list(), list()]);
  expect(traits.asked).toHaveLength(1);
});

it('distinguishes calls by function, arguments, options and query', async () => {
  const traits = resource();
  const { list, get, inner } = cached(traits);
  await list({ name: 'a' });
  await list({ name: 'b' });
  await list({ name: 'a' }, { version: '1.6' });
  await list(new URLSearchParams('name=a'));
  await list(new URLSearchParams('name=b'));
  await get('a');
  await inner.list('a');
  expect(traits.asked).toHaveLength(7);
});

it.each([
  ['create', ({ create }: ReturnType<typeof resource>) => create('a')],
  ['an inner write', ({ inner }: ReturnType<typeof resource>) => inner.replace('a')],
])('forgets everything when it writes: %s', async (_, write) => {
  const traits = resource();
  const its = cached(traits);
  await its.list();
  await write(its);
  await its.list();
  expect(traits.asked).toHaveLength(3);
});

it('forgets what was read while it wrote, and when the write failed', async () => {
  let fail = (_: Error): void => undefined;
  const traits = { ...resource(), create: () => new Promise<never>((_, reject) => (fail = reject)) };
  const its = cached(traits);
  const written = its.create();
  await its.list();
  fail(new Error('lost'));
  await expect(written).rejects.toThrow('lost');
  await its.list();
  expect(traits.asked).toHaveLength(2);
});

it('does not keep failures', async () => {
  let asked = 0;
  const { list } = cached({
    list: () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('passing')) : Promise.resolve('fine');
    },
  });
  await expect(list()).rejects.toThrow('passing');
  expect(await list()).toBe('fine');
});

it('keeps so many answers, those that were used last', async () => {
  const traits = resource();
  const { get } = cached(traits, { entries: 2 });
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await get(name);
  expect(traits.asked).toEqual(['a', 'b', 'c', 'b']);
});

it('leaves calls with an abort signal uncached', async () => {
  const traits = resource();
  const { list } = cached(traits);
  const { signal } = new AbortController();
  await list({}, { signal });
  await list({}, { signal });
  expect(traits.asked).toHaveLength(2);
});

it('returns frozen values', async () => {
  const { list } = cached(resource());
  const { names } = await list();
  expect(() => names.push('CUSTOM_X')).toThrow(TypeError);
  expect(await list()).toEqual({ names: ['list {}'] });
});
