// Stops of the tour: resource providers, resource classes, traits, aggregates and inventories.
import { UNKNOWN } from './names.mjs';

export async function providers({ get, post, put, newest, names, root, child, pool, spare }) {
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

export async function providerChanges({ put, get, del, names, root, child, pool, spare }) {
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

export async function classes({ get, put, post, del, newest, names }) {
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

export async function traits({ get, put, del, newest, generation, names, root, child, pool }) {
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

export async function aggregates({ minor, get, put, newest, generation, root, pool, agg, agg2 }) {
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

export async function inventories({ get, put, post, del, newest, generation, names, root, child, pool }) {
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
