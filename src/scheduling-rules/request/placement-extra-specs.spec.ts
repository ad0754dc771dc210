import { resourceClassProblem } from './placement-extra-specs';

it.each([
  ['VGPU', null],
  ['CUSTOM_GPU', null],
  ['VGPUS', "names 'VGPUS', which is no standard resource class (the nearest is VGPU) and does not start with CUSTOM_"],
  ['QUAY', "names 'QUAY', which is no standard resource class and does not start with CUSTOM_"],
  [
    `${'VGPU'.repeat(20)}`,
    `names '${'VGPU'.repeat(20)}', which is no standard resource class and does not start with CUSTOM_`,
  ],
])('judges the resource class %s', (name, problem) => expect(resourceClassProblem(name)).toBe(problem));
