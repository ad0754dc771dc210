// The chance driver: any host whose service is up, in random order. It runs only ComputeFilter and no weigher. Hosts of
// a batch differ while there are enough.

import { shuffled } from '../../platform/values/random';
import { computeFilter } from '../filters/compute.filter';
import type { BoundFilter } from '../pipeline/bind';
import { bind } from '../pipeline/bind';
import type { Driver, DriverInput } from '../pipeline/define-driver';
import { defineDriver } from '../pipeline/define-driver';
import { filterTask } from '../pipeline/run-filters';

const rank: Driver['rank'] = function* (input) {
  const { hosts, spec, index, mode, random, env, chosen } = input;
  const { survivors, stages, notes } = yield* filterTask({
    hosts,
    spec,
    index,
    mode,
    env,
    filters: [serviceIsUp(input)],
  });
  const drawn = shuffled(survivors, random);
  const free = drawn.filter(({ uuid }) => chosen?.has(uuid) !== true);
  const taken = drawn.filter(({ uuid }) => chosen?.has(uuid) === true);
  const order = [...free, ...taken].map((state) => ({ state, weight: 0 }));
  return { stages, notes, weighers: [], order, drawnFrom: free.length === 0 ? taken.length : free.length };
};

export const chanceSchedulerDriver = defineDriver({
  name: 'chance_scheduler',
  summary: 'Draws among the hosts whose compute service is up; asks no other filter and no weigher.',
  rank,
});

/** The same driver under its older, shorter name. */
export const chanceDriver = defineDriver({
  name: 'chance',
  summary: 'The same as chance_scheduler.',
  rank,
});

/** ComputeFilter as enabled, otherwise with the configured values. */
function serviceIsUp({ filters, values }: DriverInput): BoundFilter {
  return filters.find(({ part }) => part === computeFilter) ?? bind(computeFilter, values ?? {});
}
