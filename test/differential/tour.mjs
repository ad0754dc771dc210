// The scripted tour: every route, with valid and invalid requests, once in each of the forty versions, on a separate
// cloud. Also the parts that are the same in all versions: negotiation, authentication, media types, methods and paths.
import { namesFor } from './names.mjs';

const UNKNOWN = '99999999-9999-4999-8999-999999999999';

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

async function providers({ get, post, put, newest, names, root, child, pool, spare }) {
  await post('/resource_providers', { body: { name: names.name('root'), uuid: root } });
  await post('/resource_providers', { body: { name: names.name('child'), uuid: child, parent_provider_uuid: root } });
  await newest('POST', '/resource_providers', { name: names.name('child'), uuid: child, parent_provider_uuid: root });
  await newest('PUT', `/resource_providers/${child}`, { name: names.name('child'), parent_provider_uuid: root });
  await post('/resource_providers', { body: { name: names.name('pool'), uuid: `{${pool.toUpperCase()}}` } });
  await post('/resource_providers', { body: { name: names.name('spare'), uuid: spare, parent_provider_uuid: null } });
  await newest('POST', '/resource_providers', { name: names.name('spare'), uuid: spare });
  await post('/resource_providers', { body: { name: names.name('generated') } });
  for (const body of [
    { name: names.name('root'), uuid: names.uuid('a', 9) },
    { name: names.name('root') },
    { name: names.name('fresh'), uuid: root },
    { name: names.name('root'), uuid: root },
    { name: '' },
    { name: 'x'.repeat(201) },
    { name: 5 },
    { name: null },
    {},
    [],
    'text',
    null,
    7,
    { uuid: root },
    { name: names.name('a'), uuid: '' },
    { name: names.name('b'), uuid: null },
    { name: names.name('c'), uuid: 'nonsense' },
    { name: names.name('d'), uuid: 5 },
    { name: names.name('e'), surprise: 1 },
    { name: names.name('f'), generation: 0 },
    { name: names.name('g'), parent_provider_uuid: UNKNOWN },
    { name: names.name('h'), parent_provider_uuid: 'nonsense' },
    { name: names.name('i'), parent_provider_uuid: '' },
    { name: names.name('j'), uuid: names.uuid('a', 8), parent_provider_uuid: names.uuid('a', 8) },
  ]) {
    await post('/resource_providers', { body });
  }
  for (const raw of ['', '{', '{"name": "a"', '{"name": "a",}', 'name', '\ufeff{"name": ""}', '{"name": "\\ud800"']) {
    await post('/resource_providers', { raw });
    await put(`/resource_providers/${root}`, { raw });
  }
  for (const uuid of [root, child, pool, spare, UNKNOWN, 'nonsense']) await get(`/resource_providers/${uuid}`);
}

async function providerChanges({ put, get, del, names, root, child, pool, spare }) {
  const path = `/resource_providers/${child}`;
  const name = names.name('child');
  for (const body of [
    { name },
    { name: names.name('renamed') },
    { name },
    { name: names.name('root') },
    { name: 'x'.repeat(201) },
    { name: 5 },
    {},
    { name, uuid: child },
    { name, surprise: true },
    { name, parent_provider_uuid: root },
    { name, parent_provider_uuid: pool },
    { name, parent_provider_uuid: root },
    { name, parent_provider_uuid: child },
    { name, parent_provider_uuid: UNKNOWN },
    { name, parent_provider_uuid: 'nonsense' },
    { name, parent_provider_uuid: null },
    { name, parent_provider_uuid: root },
  ]) {
    await put(path, { body, about: 'change a child' });
    await get(path);
  }
  await put(`/resource_providers/${root}`, { body: { name: names.name('root'), parent_provider_uuid: child } });
  await put(`/resource_providers/${root}`, { body: { name: names.name('root'), parent_provider_uuid: null } });
  await put(`/resource_providers/${spare}`, { body: { name: names.name('spare'), parent_provider_uuid: pool } });
  await get(`/resource_providers/${spare}`);
  await put(`/resource_providers/${UNKNOWN}`, { body: { name: names.name('nobody') } });
  await put(`/resource_providers/${UNKNOWN}`, { body: { surprise: 1 } });
  await del(`/resource_providers/${UNKNOWN}`);
  await del(`/resource_providers/${pool}`);
}

async function classes({ get, put, post, del, newest, names }) {
  const [mine, second, third] = ['A', 'B', 'C'].map(names.custom);
  await post('/resource_classes', { body: { name: mine } });
  await post('/resource_classes', { body: { name: mine } });
  for (const name of [
    'VCPU',
    'lower',
    'CUSTOM_',
    'CUSTOM_lower',
    'CUSTOM_A B',
    '',
    5,
    null,
    `CUSTOM_${'X'.repeat(249)}`,
  ]) {
    await post('/resource_classes', { body: { name } });
  }
  for (const body of [{}, [], { name: third, id: 1 }]) await post('/resource_classes', { body });
  await get('/resource_classes');
  await get(`/resource_classes/${mine}`);
  await get('/resource_classes/VCPU');
  await get('/resource_classes/NOPE');
  await get('/resource_classes/vcpu');
  await put(`/resource_classes/${second}`);
  await put(`/resource_classes/${second}`);
  await put(`/resource_classes/${second}`, { body: { name: mine } });
  await put(`/resource_classes/${mine}`, { body: { name: third } });
  await put(`/resource_classes/${mine}`, { body: { name: 'VCPU' } });
  await put(`/resource_classes/${mine}`, { body: { surprise: 1 } });
  await put(`/resource_classes/VCPU`, { body: { name: third } });
  for (const name of ['VCPU', 'CUSTOM_lower', 'CUSTOM_', 'MINE', `CUSTOM_${'X'.repeat(249)}`]) {
    await put(`/resource_classes/${name}`);
  }
  await put(`/resource_classes/${names.custom('TYPED')}`, {
    body: { name: 'VCPU' },
    headers: { 'content-type': 'text/plain' },
  });
  for (const name of [third, 'VCPU', 'CUSTOM_NOBODY_HAS_THIS', 'NOPE']) await del(`/resource_classes/${name}`);
  for (const name of [mine, second]) await newest('PUT', `/resource_classes/${name}`);
}

async function traits({ get, put, del, newest, generation, names, root, child, pool }) {
  const [fast, slow, gone] = ['FAST', 'SLOW', 'GONE'].map(names.custom);
  for (const name of [fast, fast, gone]) await put(`/traits/${name}`);
  for (const name of ['HW_CPU_X86_AVX', 'CUSTOM_', 'CUSTOM_lower', 'MINE', `CUSTOM_${'X'.repeat(249)}`, 'CUSTOM_A-B']) {
    await put(`/traits/${name}`);
  }
  for (const name of [fast, 'HW_CPU_X86_AVX', 'NOPE', 'custom_fast']) await get(`/traits/${name}`);
  for (const name of [gone, 'HW_CPU_X86_AVX', 'NOPE', 'CUSTOM_NOBODY_HAS_THIS']) await del(`/traits/${name}`);
  for (const name of [fast, slow]) await newest('PUT', `/traits/${name}`);
  const path = `/resource_providers/${root}/traits`;
  await get(path);
  for (const body of [
    { traits: [fast, 'HW_CPU_X86_AVX'], resource_provider_generation: await generation(root) },
    { traits: [fast, 'HW_CPU_X86_AVX'], resource_provider_generation: 77 },
    { traits: ['NOPE'], resource_provider_generation: 77 },
    { traits: ['NOPE'], resource_provider_generation: await generation(root) },
    { traits: [''], resource_provider_generation: 0 },
    { traits: 'text', resource_provider_generation: 0 },
    { traits: [5], resource_provider_generation: 0 },
    { traits: [fast] },
    { resource_provider_generation: 0 },
    { traits: [], resource_provider_generation: '0' },
    { traits: [], resource_provider_generation: true },
    { traits: [], resource_provider_generation: null },
    { traits: [], resource_provider_generation: -1 },
    { traits: [fast], resource_provider_generation: 0, surprise: 1 },
    [],
  ]) {
    await put(path, { body });
  }
  const now = await generation(root);
  await put(path, { body: { traits: [fast, fast, slow], resource_provider_generation: now } });
  await put(path, { body: { traits: [fast, slow], resource_provider_generation: now } });
  await put(path, { body: { traits: [fast, slow], resource_provider_generation: now + 1 } });
  await get(path);
  await put(`/resource_providers/${UNKNOWN}/traits`, { body: { traits: [], resource_provider_generation: 0 } });
  await put(`/resource_providers/${UNKNOWN}/traits`, { body: {} });
  await get(`/resource_providers/${UNKNOWN}/traits`);
  await del(`/resource_providers/${UNKNOWN}/traits`);
  await del(`/traits/${fast}`);
  await del(`/resource_providers/${child}/traits`);
  const shares = { traits: ['MISC_SHARES_VIA_AGGREGATE'], resource_provider_generation: await generation(pool) };
  await newest('PUT', `/resource_providers/${pool}/traits`, shares);
  await newest('GET', `/resource_providers/${root}/traits`);
  const listed = [
    `name=in:${fast},${slow},NOPE`,
    `name=startswith:${fast.slice(0, -2)}`,
    'name=startswith:HW_CPU_X86_AVX',
    `associated=true&name=startswith:${fast.slice(0, -4)}`,
    `associated=FALSE&name=startswith:${fast.slice(0, -4)}`,
    'associated=yes',
    'associated=',
    'name=',
    'name=plain',
    'name=foo:bar',
    'name=in:',
    'name=startswith:',
    'surprise=1',
    `name=in:${fast}&name=in:${slow}`,
    'name=startswith:hw_cpu_x86_avx5',
    'name=startswith:HW_CPU_X86%25',
  ];
  for (const query of listed) await get(`/traits?${query}`);
  await get('/traits');
}

async function aggregates({ minor, get, put, newest, generation, root, pool, agg, agg2 }) {
  const path = `/resource_providers/${root}/aggregates`;
  const asked = async (list) =>
    minor < 19 ? list : { aggregates: list, resource_provider_generation: await generation(root) };
  await get(path);
  for (const list of [[agg], [agg2, agg], [agg, agg], ['nonsense'], [''], [5], 'text', [], null]) {
    await put(path, { body: await asked(list), about: 'aggregates' });
    await get(path);
  }
  const good = await generation(root);
  for (const body of [
    [agg],
    {},
    { aggregates: [agg] },
    { resource_provider_generation: good },
    { aggregates: [agg], resource_provider_generation: good + 5 },
    { aggregates: [agg], resource_provider_generation: 'x' },
    { aggregates: [agg], resource_provider_generation: good, surprise: 1 },
  ]) {
    await put(path, { body });
  }
  await put(path, { body: await asked([agg]) });
  for (const wrong of [UNKNOWN, 'nonsense']) {
    await get(`/resource_providers/${wrong}/aggregates`);
    await put(`/resource_providers/${wrong}/aggregates`, { body: await asked([agg]) });
    await put(`/resource_providers/${wrong}/aggregates`, { body: 7 });
  }
  for (const uuid of [root, pool]) {
    const body = { aggregates: [agg], resource_provider_generation: await generation(uuid) };
    await newest('PUT', `/resource_providers/${uuid}/aggregates`, body);
  }
}

/** Records that violate a rule, and some at its boundary. */
const RECORDS = [
  { total: 8 },
  { total: 8, reserved: 2, min_unit: 1, max_unit: 4, step_size: 1, allocation_ratio: 2 },
  { total: 8, reserved: 8 },
  { total: 8, reserved: 9 },
  { total: 8, allocation_ratio: 0 },
  { total: 8, allocation_ratio: 0.01 },
  { total: 8, allocation_ratio: -1 },
  { total: 1, reserved: 2, allocation_ratio: 0.5 },
  { total: 1, allocation_ratio: -0.5 },
  { total: 8, allocation_ratio: 3.5e38 },
  { total: 8, allocation_ratio: '1.0' },
  { total: 0 },
  { total: -1 },
  { total: 2147483647 },
  { total: 2147483648 },
  { total: '8' },
  { total: 8.5 },
  { total: true },
  { total: null },
  { total: 8, reserved: -1 },
  { total: 8, min_unit: 0 },
  { total: 8, max_unit: 0 },
  { total: 8, step_size: 0 },
  { total: 8, min_unit: 5, max_unit: 2 },
  { total: 8, min_unit: 2147483648 },
  { total: 8, surprise: 1 },
  { total: 8, resource_provider_generation: 0 },
  {},
  [],
  null,
];

async function inventories({ get, put, post, del, newest, generation, names, root, child, pool }) {
  const path = `/resource_providers/${root}/inventories`;
  const custom = names.custom('A');
  await get(path);
  for (const record of RECORDS) {
    const generationNow = await generation(root);
    await put(path, { body: { resource_provider_generation: generationNow, inventories: { VCPU: record } } });
    await get(path);
    if (record !== null && !Array.isArray(record)) {
      await post(path, { body: { ...record, resource_class: custom } });
      await get(`${path}/${custom}`);
      const again = await generation(root);
      await put(`${path}/VCPU`, { body: { resource_provider_generation: again, ...record } });
      await del(`${path}/${custom}`);
    }
  }
  for (const body of [
    {},
    [],
    { inventories: {} },
    { resource_provider_generation: 0 },
    { resource_provider_generation: 77, inventories: {} },
    { resource_provider_generation: 77, inventories: { NOPE: { total: 1 } } },
    { resource_provider_generation: await generation(root), inventories: { NOPE: { total: 1 } } },
    { resource_provider_generation: 'x', inventories: {} },
    { resource_provider_generation: 0, inventories: [] },
    { resource_provider_generation: 0, inventories: {}, surprise: 1 },
  ]) {
    await put(path, { body, about: 'inventories' });
  }
  for (const body of [
    { total: 1 },
    { total: 1, resource_class: 'NOPE' },
    { total: 1, resource_class: 'lower' },
    { total: 1, resource_class: '' },
    { total: 1, resource_class: 'VCPU' },
    { total: 1, resource_class: 'VCPU', resource_provider_generation: 99 },
    { resource_class: 'VCPU' },
  ]) {
    await post(path, { body, about: 'inventory' });
  }
  for (const name of ['VCPU', 'MEMORY_MB', 'NOPE', 'vcpu']) {
    await get(`${path}/${name}`);
    await put(`${path}/${name}`, { body: { resource_provider_generation: await generation(root), total: 4 } });
    await put(`${path}/${name}`, { body: { resource_provider_generation: 99, total: 4 } });
    await put(`${path}/${name}`, { body: { total: 4 } });
    await put(`${path}/${name}`, { body: { resource_class: name, resource_provider_generation: 0, total: 4 } });
  }
  for (const name of ['MEMORY_MB', 'NOPE']) await del(`${path}/${name}`);
  const lost = `/resource_providers/${UNKNOWN}/inventories`;
  const good = { resource_provider_generation: 0, inventories: {} };
  await get(lost);
  await put(lost, { body: good });
  await put(lost, { body: {} });
  await post(lost, { body: { total: 1, resource_class: 'VCPU' } });
  await del(lost);
  await get(`${lost}/VCPU`);
  await put(`${lost}/VCPU`, { body: { resource_provider_generation: 0, total: 1 } });
  await del(`${lost}/VCPU`);
  await del(path);
  await del(path);
  await get(path);
  for (const [uuid, set] of [
    [root, { VCPU: { total: 8 }, MEMORY_MB: { total: 1024, min_unit: 64, step_size: 64, max_unit: 512 } }],
    [child, { [custom]: { total: 4, reserved: 1, allocation_ratio: 1.5 } }],
    [pool, { DISK_GB: { total: 100 } }],
  ]) {
    const body = { resource_provider_generation: await generation(uuid), inventories: set };
    await newest('PUT', `/resource_providers/${uuid}/inventories`, body);
  }
}

async function allocations(scene) {
  const { get, put, del, claim, root, child, pool, vm, other, names, sets, minor } = scene;
  const path = `/allocations/${vm}`;
  const fine = { [root]: { VCPU: 1, MEMORY_MB: 64 } };
  await get(path);
  for (const body of [
    claim(fine),
    claim(fine, 1),
    claim(fine, 1),
    claim(fine, 77),
    claim(fine, null),
    claim({ [root]: { VCPU: 9 } }, 2),
    claim({ [root]: { MEMORY_MB: 65 } }, 2),
    claim({ [root]: { MEMORY_MB: 32 } }, 2),
    claim({ [root]: { MEMORY_MB: 576 } }, 2),
    claim({ [root]: { DISK_GB: 1 } }, 2),
    claim({ [root]: { NOPE: 1 } }, 2),
    claim({ [root]: { lower: 1 } }, 2),
    claim({ [UNKNOWN]: { VCPU: 1 } }, 2),
    claim({ [root]: {} }, 2),
    claim({ [root]: { VCPU: 0 } }, 2),
    claim({ [root]: { VCPU: -1 } }, 2),
    claim({ [root]: { VCPU: 1.5 } }, 2),
    claim({ [root]: { VCPU: '1' } }, 2),
    claim({ [root]: { VCPU: true } }, 2),
    claim({ [root]: { VCPU: null } }, 2),
    claim({ nonsense: { VCPU: 1 } }, 2),
    claim({ '------------------------------------': { VCPU: 1 } }, 2),
    claim(fine, 2, { project_id: '' }),
    claim(fine, 2, { project_id: 5 }),
    claim(fine, 2, { project_id: 'x'.repeat(256) }),
    claim(fine, 2, { user_id: null }),
    claim(fine, 2, { project_id: undefined }),
    claim(fine, 2, { user_id: undefined }),
    claim(fine, 2, { consumer_generation: undefined }),
    claim(fine, 2, { consumer_generation: 'x' }),
    claim(fine, 2, { consumer_type: undefined }),
    claim(fine, 2, { consumer_type: 'lower' }),
    claim(fine, 2, { consumer_type: '' }),
    claim(fine, 2, { consumer_type: null }),
    claim(fine, 2, { consumer_type: 'x'.repeat(256) }),
    claim(fine, 2, { consumer_type: 'unknown' }),
    claim(fine, 2, { surprise: 1 }),
    claim(fine, 2, { mappings: 'text' }),
    claim(fine, 2, { mappings: {} }),
    claim(fine, 2, { mappings: { _A: [] } }),
    claim(fine, 2, { mappings: { _A: ['nonsense'] } }),
    claim(fine, 2, { allocations: undefined }),
    claim(fine, 2, { allocations: null }),
    claim(fine, 2, { allocations: [] }),
    claim(fine, 2, { allocations: [{}] }),
    claim(fine, 2, { allocations: [{ resource_provider: { uuid: root }, resources: { VCPU: 1 } }] }),
    claim(fine, 2, { allocations: { [root]: { resources: { VCPU: 1 }, generation: 5 } } }),
    claim(fine, 2, { allocations: { [root]: { resources: { VCPU: 1 }, surprise: 5 } } }),
    claim(fine, 2, { allocations: { [root]: {} } }),
    {},
    [],
    null,
  ]) {
    const { isApart } = await put(path, { body, about: 'claim' });
    if (isApart) await put(path, { body, about: 'claim again' });
    await get(path);
  }
  const { berth } = await get(path, { minor: 39 });
  const now = berth?.consumer_generation ?? null;
  await put(path, { body: claim({ [root]: { VCPU: 2 }, [pool]: { DISK_GB: 10 } }, now, mappings(scene)) });
  await get(path);
  const twice = [
    { resource_provider: { uuid: root }, resources: { VCPU: 3 } },
    { resource_provider: { uuid: root }, resources: { MEMORY_MB: 128 } },
  ];
  if (minor < 12) await put(path, { body: claim({}, null, { allocations: twice }) });
  await get(path);
  for (const uuid of [root, child, pool, UNKNOWN, 'nonsense']) {
    await get(`/resource_providers/${uuid}/allocations`);
    await get(`/resource_providers/${uuid}/usages`);
    await get(`/resource_providers/${uuid}/inventories`);
  }
  await put(`/allocations/nonsense`, { body: claim(fine) });
  await put(`/allocations/${other.toUpperCase()}`, { body: claim({ [root]: { VCPU: 1 } }) });
  await get(`/allocations/${other}`);
  for (const each of [UNKNOWN, 'nonsense']) {
    await get(`/allocations/${each}`);
    await del(`/allocations/${each}`);
  }
  await del(`/allocations/${other}`);
  await del(`/allocations/${other}`);
  const third = names.uuid('c', 3);
  await put(`/allocations/${third}`, { body: claim({ [root]: { VCPU: 1 } }, 0) });
  await put(`/allocations/${third}`, { body: claim({ [root]: { VCPU: 1 } }) });
  await put(`/allocations/${third}`, { body: claim({}, 1, { allocations: sets({}) }) });
  await get(`/allocations/${third}`);
}

const mappings = ({ minor, root, pool }) => (minor < 34 ? {} : { mappings: { '': [root], _D: [pool] } });

async function manyAllocations({ minor, get, post, names, root, pool, vm, project, user }) {
  const claim = (sets, generation, more = {}) => ({
    allocations: Object.fromEntries(Object.entries(sets).map(([uuid, resources]) => [uuid, { resources }])),
    project_id: project,
    user_id: user,
    ...(minor >= 28 && { consumer_generation: generation }),
    ...(minor >= 38 && { consumer_type: 'MIGRATION' }),
    ...more,
  });
  const [first, second] = [names.uuid('c', 5), names.uuid('c', 6)];
  const { berth } = await get(`/allocations/${vm}`, { minor: 39 });
  const now = berth?.consumer_generation ?? null;
  for (const body of [
    {},
    [],
    null,
    { nonsense: claim({ [root]: { VCPU: 1 } }, null) },
    { [first]: {} },
    { [first]: claim({ [root]: { VCPU: 5 } }, null), [second]: claim({ [root]: { VCPU: 5 } }, null) },
    { [first]: claim({ [root]: { VCPU: 1 } }, null), [second]: claim({ [root]: { VCPU: 1 } }, 5) },
    { [first]: claim({ [root]: { VCPU: 1 } }, null, { surprise: 1 }) },
    { [first]: claim({ [root]: { VCPU: 1 } }, null), [second]: claim({ [pool]: { DISK_GB: 3 } }, null) },
    { [first]: claim({}, 1), [second]: claim({ [pool]: { DISK_GB: 3 }, [root]: { VCPU: 1 } }, 1) },
    { [vm]: claim({ [pool]: { DISK_GB: 1 } }, now), [second]: claim({ [root]: { VCPU: 2 } }, 2) },
  ]) {
    await post('/allocations', { body, about: 'many claims' });
    for (const each of [first, second, vm]) await get(`/allocations/${each}`);
  }
}

async function usages({ get, project, user }) {
  const p = encodeURIComponent(project);
  const u = encodeURIComponent(user);
  for (const query of [
    '',
    `?project_id=${p}`,
    `?project_id=${p}&user_id=${u}`,
    `?project_id=${p}&user_id=nobody`,
    '?project_id=nobody',
    '?project_id=',
    `?user_id=${u}`,
    `?project_id=${p}&user_id=`,
    `?project_id=${p}&consumer_type=INSTANCE`,
    `?project_id=${p}&consumer_type=MIGRATION`,
    `?project_id=${p}&consumer_type=NOBODY`,
    `?project_id=${p}&consumer_type=all`,
    `?project_id=nobody&consumer_type=all`,
    `?project_id=${p}&consumer_type=unknown`,
    `?project_id=${p}&consumer_type=lower`,
    `?project_id=${p}&consumer_type=allfoo`,
    `?project_id=${p}&consumer_type=`,
    `?project_id=${p}&surprise=1`,
    `?project_id=nobody&project_id=${p}`,
    `?project_id=${'x'.repeat(256)}`,
  ]) {
    await get(`/usages${query}`);
  }
}

async function reshaper(scene) {
  const { post, get, generation, names, root, child, spare, vm, project, user, minor } = scene;
  const set = async (uuid, inventories, off = 0) => ({
    resource_provider_generation: (await generation(uuid)) + off,
    inventories,
  });
  const { berth } = await get(`/allocations/${vm}`, { minor: 39 });
  const held = Object.entries(berth?.allocations ?? {}).map(([uuid, { resources }]) => [uuid, { resources }]);
  const owner = (over = {}) => ({
    allocations: Object.fromEntries(held),
    project_id: project,
    user_id: user,
    consumer_generation: berth?.consumer_generation ?? null,
    ...(minor >= 38 && { consumer_type: 'INSTANCE' }),
    ...over,
  });
  const same = { VCPU: { total: 8 }, MEMORY_MB: { total: 1024 } };
  for (const body of [
    {},
    [],
    { inventories: {}, allocations: {} },
    { inventories: { [root]: await set(root, same) } },
    { inventories: { nonsense: await set(root, same) }, allocations: {} },
    { inventories: { [UNKNOWN]: { resource_provider_generation: 0, inventories: {} } }, allocations: {} },
    { inventories: { [root]: await set(root, same, 9) }, allocations: {} },
    { inventories: { [root]: await set(root, {}) }, allocations: {} },
    { inventories: { [root]: await set(root, { NOPE: { total: 1 } }) }, allocations: {} },
    { inventories: { [root]: await set(root, { VCPU: { total: 0 } }) }, allocations: {} },
    {
      inventories: { [spare]: await set(spare, { VCPU: { total: 4 } }) },
      allocations: { [vm]: owner({ surprise: 1 }) },
    },
    { inventories: { [spare]: await set(spare, {}) }, allocations: { [vm]: owner({ consumer_generation: 99 }) } },
    {
      inventories: { [spare]: await set(spare, {}) },
      allocations: { [vm]: owner({ allocations: { [UNKNOWN]: { resources: { VCPU: 1 } } } }) },
    },
    {
      inventories: { [spare]: await set(spare, { VGPU: { total: 4 } }) },
      allocations: { [vm]: owner({ allocations: { [spare]: { resources: { VGPU: 9 } } } }) },
    },
    { inventories: { [spare]: await set(spare, {}) }, allocations: {}, surprise: 1 },
    {
      inventories: { [spare]: await set(spare, { VGPU: { total: 4 }, [names.custom('B')]: { total: 3 } }) },
      allocations: {},
    },
  ]) {
    await post('/reshaper', { body, about: 'reshape' });
  }
  const moved = {
    inventories: {
      [child]: await set(child, { VGPU: { total: 2 } }),
      [spare]: await set(spare, {}),
    },
    allocations: { [vm]: owner({ allocations: { [child]: { resources: { VGPU: 1 } } } }) },
  };
  await post('/reshaper', { body: moved, about: 'reshape' });
  for (const uuid of [root, child, spare]) {
    await get(`/resource_providers/${uuid}`);
    await get(`/resource_providers/${uuid}/inventories`);
    await get(`/resource_providers/${uuid}/usages`);
  }
  await get(`/allocations/${vm}`);
}

async function lists({ get, names, root, child, agg, agg2 }) {
  const fast = names.custom('FAST');
  const slow = names.custom('SLOW');
  const name = encodeURIComponent(names.name('root'));
  for (const query of [
    '',
    `?name=${name}`,
    '?name=',
    `?name=nobody&name=${name}`,
    `?uuid=${root}`,
    `?uuid=${UNKNOWN}&uuid=${root}`,
    `?uuid=nonsense`,
    '?uuid=',
    `?name=${name}&uuid=${child}`,
    '?surprise=1',
    `?name=${name}&surprise=1`,
    `?member_of=${agg}`,
    `?member_of=in:${agg},${agg2}`,
    `?member_of=${agg},${agg2}`,
    `?member_of=${agg}&member_of=${agg2}`,
    `?member_of=!${agg}`,
    `?member_of=!in:${agg},${agg2}`,
    `?member_of=in:!${agg}`,
    `?member_of=${agg}&member_of=!${agg2}`,
    '?member_of=',
    '?member_of=in:',
    '?member_of=!',
    '?member_of=nonsense',
    `?member_of=${UNKNOWN}`,
    `?member_of=not:${agg}`,
    `?member_of=${agg}&resources=VCPU:1`,
    `?member_of=${agg}&resources=VCPU:9`,
    `?member_of=${agg}&resources=VCPU:1,MEMORY_MB:64`,
    `?member_of=${agg}&resources=VCPU:99&resources=VCPU:1`,
    '?resources=',
    '?resources=VCPU',
    '?resources=VCPU:',
    '?resources=VCPU:0',
    '?resources=VCPU:-1',
    '?resources=VCPU:x',
    '?resources=VCPU:1.5',
    '?resources=VCPU:1,',
    '?resources=VCPU:1:2',
    '?resources=NOPE:1',
    '?resources=:1',
    `?member_of=${agg}&resources=VCPU:+1`,
    `?member_of=${agg}&resources=VCPU:%2B1`,
    `?member_of=${agg}&resources=VCPU:1,VCPU:99`,
    `?member_of=${agg}&resources=VCPU:1,%20MEMORY_MB:64`,
    `?member_of=${agg}&resources=VCPU:1_0`,
    `?member_of=${agg}&resources=VCPU:%D9%A1`,
    `?in_tree=${root}`,
    `?in_tree=${child}`,
    `?in_tree=${child}&name=${name}`,
    `?in_tree=${UNKNOWN}`,
    '?in_tree=nonsense',
    '?in_tree=',
    `?required=${fast}`,
    `?required=${fast},${slow}`,
    `?required=!${fast}`,
    `?member_of=${agg}&required=!${fast}`,
    `?required=${fast},!${fast}`,
    `?required=${fast}&required=HW_CPU_X86_AVX`,
    `?required=in:${fast},HW_CPU_X86_AVX`,
    `?required=in:${fast},!${slow}`,
    '?required=in:',
    '?required=',
    '?required=NOPE',
    '?required=!',
    `?required=${fast},`,
    `?required=,${fast}`,
    `?required=%20${fast}%20,${slow}`,
    `?required=!!${fast}&in_tree=${root}`,
    `?required=in:in:${fast}`,
    `?required=${fast}&in_tree=${root}&member_of=${agg}&resources=VCPU:1&name=${name}&uuid=${root}`,
  ]) {
    await get(`/resource_providers${query}`);
  }
}

async function candidates({ get, names, root, pool, agg }) {
  const mine = names.custom('A');
  const second = names.custom('B');
  const fast = names.custom('FAST');
  const r = `resources=${mine}:1`;
  for (const query of [
    '',
    r,
    `resources=${mine}:99`,
    `${r}&resources=${second}:1`,
    'resources=',
    'resources=VCPU',
    'resources=VCPU:0',
    'resources=NOPE:1',
    'resources=VCPU:1,',
    `${r}&limit=1`,
    `${r}&limit=0`,
    `${r}&limit=-1`,
    `${r}&limit=x`,
    `${r}&limit=`,
    `${r}&limit=01`,
    `${r}&limit=5&limit=1`,
    `${r}&required=${fast}`,
    `${r}&required=!${fast}`,
    `${r}&required=${fast},!${fast}`,
    `${r}&required=NOPE`,
    `${r}&required=`,
    `${r}&required=in:${fast},HW_CPU_X86_AVX`,
    `${r}&required=${fast}&required=HW_CPU_X86_AVX`,
    `${r}&required=in:${fast}&required=!${fast}`,
    `${r}&required=in:!${fast}`,
    `${r}&member_of=${agg}`,
    `${r}&member_of=in:${agg},${UNKNOWN}`,
    `${r}&member_of=${agg},${UNKNOWN}`,
    `${r}&member_of=${agg}&member_of=${agg}`,
    `${r}&member_of=!${agg}`,
    `${r}&member_of=!in:${agg}`,
    `${r}&member_of=nonsense`,
    `${r}&member_of=`,
    `${r}&in_tree=${root}`,
    `${r}&in_tree=${pool}`,
    `${r}&in_tree=${UNKNOWN}`,
    `${r}&in_tree=nonsense`,
    `${r}&in_tree=${pool}&in_tree=${root}`,
    `${r}&surprise=1`,
    `resources1=${mine}:1`,
    `resources1=${mine}:1&required1=${fast}`,
    `resources1=${mine}:1&member_of1=${agg}`,
    `resources1=${mine}:1&in_tree1=${root}`,
    `resources1=${mine}:1&resources2=${mine}:1`,
    `resources1=${mine}:1&resources2=${mine}:1&group_policy=none`,
    `resources1=${mine}:1&resources2=${mine}:1&group_policy=isolate`,
    `resources1=${mine}:1&resources2=${mine}:1&group_policy=foo`,
    `resources1=${mine}:1&resources2=${mine}:1&group_policy=`,
    `resources1=${mine}:1&resources2=${mine}:1&group_policy=none&group_policy=isolate`,
    `resources0=${mine}:1`,
    `resources01=${mine}:1`,
    `resources_A=${mine}:1`,
    `resources-A=${mine}:1`,
    `resources${'x'.repeat(64)}=${mine}:1`,
    `resources${'x'.repeat(65)}=${mine}:1`,
    `resources%C3%A4=${mine}:1`,
    `resources.A=${mine}:1`,
    `required=${fast}`,
    `required1=${fast}`,
    `${r}&required1=${fast}`,
    `${r}&required1=!${fast}`,
    `${r}&in_tree1=${root}`,
    `${r}&member_of1=${agg}`,
    `${r}&root_required=${fast}`,
    `${r}&root_required=!${fast}`,
    `${r}&root_required=${fast},!${fast}`,
    `${r}&root_required=${fast}&root_required=${fast}`,
    `${r}&root_required=in:${fast}`,
    `${r}&root_required=NOPE`,
    `${r}&root_required=`,
    `${r}&root_required1=${fast}`,
    `${r}&same_subtree=`,
    `${r}&same_subtree=_A`,
    `resources_A=${mine}:1&same_subtree=_A`,
    `resources_A=${mine}:1&same_subtree=_A,`,
    `resources_A=${mine}:1&same_subtree=_A,_A`,
    `resources_A=${mine}:1&required_B=${fast}&group_policy=none&same_subtree=_A,_B`,
    `resources_A=${mine}:1&required_B=${fast}&group_policy=none&same_subtree=%20_A%20,%20_B`,
    `resources_A=${mine}:1&required_B=${fast}&same_subtree=_A,_B`,
    `resources_A=${mine}:1&required_B=${fast}&group_policy=none`,
    `required_B=${fast}&same_subtree=_B`,
    `resources_A=${mine}:1&resources_B=${second}:1&group_policy=none&same_subtree=_A,_B`,
    `resources_A=${mine}:1&same_subtree=_A&same_subtree=_A`,
    `resources_A=${mine}:1&same_subtree1=_A`,
  ]) {
    await get(`/allocation_candidates${query === '' ? '' : `?${query}`}`);
  }
}

async function endings({ get, del, newest, root, child, pool, spare, vm, names }) {
  await del(`/resource_providers/${root}`);
  await del(`/resource_providers/${child}`);
  await del(`/resource_providers/${child}/inventories`);
  await del(`/resource_providers/${child}/inventories/VGPU`);
  await del(`/resource_classes/${names.custom('A')}`);
  await del(`/traits/${names.custom('FAST')}`);
  await newest('DELETE', `/allocations/${vm}`);
  for (const number of [3, 5, 6]) await newest('DELETE', `/allocations/${names.uuid('c', number)}`);
  await del(`/resource_providers/${root}/traits`);
  await del(`/resource_providers/${root}/traits`);
  await newest('PUT', `/resource_providers/${spare}`, { name: names.name('spare'), parent_provider_uuid: null });
  for (const uuid of [spare, child, pool, root, root]) {
    await del(`/resource_providers/${uuid}`);
    await get(`/resource_providers/${uuid}`);
  }
}
