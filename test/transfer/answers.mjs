// Reads all answers of a Placement service about a world, to compare them with those of another service.
const VERSION = '1.39';
const AT_ONCE = 8;

export async function send(base, method, path, body, version = VERSION) {
  const response = await fetch(base + path, {
    method,
    headers: {
      'x-auth-token': 'admin',
      'openstack-api-version': `placement ${version}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}

export async function atOnce(items, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The answers by path. Lists without a defined order are sorted. */
export async function answersOf(base, world) {
  const answers = new Map();
  const take = async (path) => answers.set(path, sorted(await send(base, 'GET', path)));
  const paths = [
    '/resource_classes',
    '/resource_providers',
    ...world.providers.flatMap(({ uuid }) =>
      ['', '/inventories', '/traits', '/aggregates', '/usages', '/allocations'].map(
        (part) => `/resource_providers/${uuid}${part}`,
      ),
    ),
    ...world.consumers.map(({ uuid }) => `/allocations/${uuid}`),
    ...world.projects.flatMap((project) => [
      `/usages?project_id=${project}`,
      ...world.users.slice(0, 3).map((user) => `/usages?project_id=${project}&user_id=${user}`),
    ]),
    ...world.customTraits.map((trait) => `/resource_providers?required=${trait}`),
    ...world.aggregates.map((aggregate) => `/resource_providers?member_of=${aggregate}`),
    ...world.searches.map((query) => `/allocation_candidates?${query}`),
  ];
  await atOnce(paths, take);
  // The number of standard traits depends on the release of the reference. Traits in use are compared with their
  // providers.
  answers.set(
    '/traits',
    (await send(base, 'GET', '/traits')).traits.filter((name) => name.startsWith('CUSTOM_')).sort(),
  );
  return answers;
}

/** Sorts lists, and the keys of objects. */
function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted).sort((a, b) => {
      const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
      return left < right ? -1 : left > right ? 1 : 0;
    });
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** The paths whose answers differ. */
export function differences(before, after) {
  return [...before.keys()].filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)));
}
