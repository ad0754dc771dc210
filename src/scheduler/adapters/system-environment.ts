// The clock and the randomness of a running scheduler.
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { turns } from '../../turns/turns';
import type { SchedulerEnvironment } from '../ports';

const SEEDS = 2 ** 32;

export const SYSTEM_ENVIRONMENT: SchedulerEnvironment = {
  now: () => Date.now(),
  newUuid: () => randomUUID(),
  newSeed: () => randomInt(SEEDS),
  jitter: () => Math.random(),
  sleep: (ms) => sleep(ms),
  run: (walk, caller) => turns.run(walk, caller),
  giveWay: (caller) => turns.giveWay(caller),
};
