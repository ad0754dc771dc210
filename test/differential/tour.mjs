// The scripted tour: every route, with valid and invalid requests, once in each of the forty versions, on a separate
// cloud. Also the parts that are the same in all versions: negotiation, authentication, media types, methods and paths.
import { namesFor } from './names.mjs';
import { allocations, manyAllocations, reshaper, usages } from './tour-consumers.mjs';
import { aggregates, classes, inventories, providerChanges, providers, traits } from './tour-providers.mjs';
import { candidates, endings, lists } from './tour-reads.mjs';

/** Several versions at a time: each has unique names. */
export async function tourOfVersions(pair, minors, atOnce = 3) {
  const waiting = [...minors];
  const guide = async () => {
    for (let minor = waiting.shift(); minor !== undefined; minor = waiting.shift()) {
      await tourOf(pair.another(minor), minor);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, guide));
}

/** One version's tour. Each stop is a function of the same scene, in this order. */
async function tourOf(pair, minor) {
  const scene = sceneFor(pair, minor);
  for (const stop of [
    providers,
    providerChanges,
    classes,
    traits,
    aggregates,
    inventories,
    allocations,
    manyAllocations,
    usages,
    reshaper,
    lists,
    candidates,
    endings,
  ]) {
    await stop(scene);
  }
}

function sceneFor(pair, minor) {
  const names = namesFor(pair.tag);
  const at = (method) => (path, options) => pair.ask(method, path, { minor, ...options });
  const scene = {
    minor,
    names,
    get: at('GET'),
    put: at('PUT'),
    post: at('POST'),
    del: at('DELETE'),
    root: names.uuid('a', 1),
    child: names.uuid('a', 2),
    pool: names.uuid('a', 3),
    spare: names.uuid('a', 4),
    vm: names.uuid('c', 1),
    other: names.uuid('c', 2),
    agg: names.uuid('e', 1),
    agg2: names.uuid('e', 2),
    project: names.name('project'),
    user: names.name('user'),
  };
  // Set-up must work in every version, so it uses the newest one.
  scene.newest = (method, path, body) => pair.ask(method, path, { minor: 39, body });
  scene.generation = async (uuid) => (await scene.newest('GET', `/resource_providers/${uuid}`)).berth?.generation ?? 0;
  scene.sets = (sets) =>
    minor < 12
      ? Object.entries(sets).map(([uuid, resources]) => ({ resource_provider: { uuid }, resources }))
      : Object.fromEntries(Object.entries(sets).map(([uuid, resources]) => [uuid, { resources }]));
  scene.claim = (sets, generation = null, more = {}) => ({
    allocations: scene.sets(sets),
    ...(minor >= 8 && { project_id: scene.project, user_id: scene.user }),
    ...(minor >= 28 && { consumer_generation: generation }),
    ...(minor >= 38 && { consumer_type: 'INSTANCE' }),
    ...more,
  });
  return scene;
}
