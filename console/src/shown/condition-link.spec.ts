import { linkOf } from './condition-link';

it.each([
  ['resource', ['VGPU'], '/map?resource_class=VGPU'],
  ['trait', ['HW_NUMA_ROOT'], '/hosts?trait=HW_NUMA_ROOT'],
  ['trait', ['A', 'B'], undefined],
  ['forbidden_trait', ['CUSTOM_OLD'], '/hosts?trait=%21CUSTOM_OLD'],
  ['aggregate', ['u1'], '/hosts?placement_aggregate=u1'],
  ['host', ['cn1'], '/hosts?name=cn1'],
  ['enabled', [], '/hosts?status=disabled'],
  ['service_up', [], '/hosts?status=silent'],
  ['filter', ['ComputeCapabilitiesFilter'], undefined],
] as const)('the condition %s of %j leads to %s', (kind, names, to) => {
  expect(linkOf({ kind, names: [...names] })).toBe(to);
});
