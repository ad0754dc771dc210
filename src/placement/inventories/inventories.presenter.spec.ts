import { presentInventories, presentOne } from './inventories.presenter';

const record = (allocationRatio: number) => ({
  total: 16,
  reserved: 0,
  minUnit: 1,
  maxUnit: 16,
  stepSize: 1,
  allocationRatio,
});

it.each([
  [2, '2.0'],
  [16, '16.0'],
  [1.5, '1.5'],
  [0.0625, '0.0625'],
  [1e21, '1e+21'],
])('a ratio of %d is written %s, and nothing else gets a fraction', (ratio, text) => {
  const rest = '"total":16,"reserved":0,"min_unit":1,"max_unit":16,"step_size":1';
  expect(presentOne(3, record(ratio))).toBe(`{${rest},"allocation_ratio":${text},"resource_provider_generation":3}`);
  expect(presentInventories(3, [['VCPU', record(ratio)]])).toBe(
    `{"resource_provider_generation":3,"inventories":{"VCPU":{${rest},"allocation_ratio":${text}}}}`,
  );
});
