import { capacityOf } from './inventory';

it.each([
  [{ total: 10, reserved: 0, allocationRatio: 0.75 }, 7],
  [{ total: 1, reserved: 2, allocationRatio: 0.5 }, 0],
  [{ total: 1, reserved: 0, allocationRatio: -0.5 }, 0],
  [{ total: 4, reserved: 4, allocationRatio: -1 }, 0],
  [{ total: 1, reserved: 4, allocationRatio: 0.5 }, -1],
  [{ total: 1, reserved: 0, allocationRatio: -1.5 }, -1],
  [{ total: 2_147_483_647, reserved: 0, allocationRatio: 3.4e38 }, Number.MAX_SAFE_INTEGER],
])('the capacity of %j is %d, truncated toward zero', (record, capacity) => {
  // toBe distinguishes 0 from -0.
  expect(capacityOf(record)).toBe(capacity);
});
