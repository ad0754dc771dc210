// Stops of the tour: allocations, usages and the reshaper.
import { UNKNOWN } from './names.mjs';

export async function allocations(scene) {
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

export async function manyAllocations({ minor, get, post, names, root, pool, vm, project, user }) {
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

export async function usages({ get, project, user }) {
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

export async function reshaper(scene) {
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
