// The figures of a plan.
import { figuresOf } from './figures';
import type { PlanCloud } from './plan-cloud';

it('leave out classes without capacity', () => {
  const cloud = {
    hosts: [{}, {}],
    resources: ['DISK_GB', 'VCPU', 'VGPU'],
    capacity: Float64Array.of(0, 10, 0, 0, 10, 0),
    used: Float64Array.of(0, 4, 0, 0, 8, 0),
    instancesOn: (host: number) => (host === 0 ? [0] : []),
  } as unknown as PlanCloud;
  const { spread, ...figures } = figuresOf(cloud, null);
  expect(figures).toEqual({ usedHosts: 1, emptyHosts: 1, highestUse: 0.8, places: null });
  expect(spread).toBeCloseTo(20);
});
