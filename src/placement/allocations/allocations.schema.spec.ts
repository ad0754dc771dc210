// The limit on the amounts that are read from a body.
import { randomUUID } from 'node:crypto';
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { InvalidInput } from '../../platform/values/errors';
import { MICROVERSIONS } from '../microversions';
import type { PutAllocationsBody } from './allocations.schema';
import { consumerWrite, consumerWrites } from './allocations.schema';

const OWNER = { projectId: 'p', userId: 'u' };
const API = MICROVERSIONS.newest;
const { allocationsPerConsumer } = WRITE_LIMITS;

const bodyOn = (providers: number, read: () => void = () => undefined): PutAllocationsBody => ({
  allocations: Object.fromEntries(
    Array.from({ length: providers }, () => [
      randomUUID(),
      {
        get resources(): Record<string, number> {
          read();
          return { VCPU: 1 };
        },
      },
    ]),
  ),
  consumer_generation: null,
});

it('accepts the maximum of amounts per consumer, and reads at most one more', () => {
  let read = 0;
  const uuid = randomUUID();
  const count = (): void => void (read += 1);
  expect(consumerWrite(uuid, bodyOn(allocationsPerConsumer, count), API, OWNER).allocations.size).toBe(
    allocationsPerConsumer,
  );
  read = 0;
  expect(() => consumerWrite(uuid, bodyOn(20_000, count), API, OWNER)).toThrow(InvalidInput);
  expect(read).toBe(allocationsPerConsumer + 1);
});

it('refuses a provider that two keys name', () => {
  const provider = randomUUID();
  for (const again of [provider.toUpperCase(), provider.replaceAll('-', '')]) {
    const allocations = { [provider]: { resources: { VCPU: 1 } }, [again]: { resources: { VCPU: 2 } } };
    const body = { [randomUUID()]: { allocations, consumer_generation: null } };
    expect(() => consumerWrites(body, API, OWNER)).toThrow(`'${provider}' and '${again}'`);
  }
});
