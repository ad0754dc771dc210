// Stops of the tour: lists, allocation candidates, and the deletion of everything at the end.
import { UNKNOWN } from './names.mjs';

export async function lists({ get, names, root, child, agg, agg2 }) {
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

export async function candidates({ get, names, root, pool, agg }) {
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

export async function endings({ get, del, newest, root, child, pool, spare, vm, names }) {
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
