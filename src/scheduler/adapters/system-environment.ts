// The clock and the randomness of a running scheduler.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SEED_LIMIT } from '../../platform/values/random';
import type { SchedulerEnvironment } from '../ports';

export const SYSTEM_ENVIRONMENT: SchedulerEnvironment = {
  now: () => Date.now(),
  newUuid: () => randomUUID(),
  newSeed: () => randomInt(SEED_LIMIT),
  jitter: () => Math.random(),
  sleep: (ms) => sleep(ms),
};
