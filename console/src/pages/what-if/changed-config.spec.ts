import type { Running } from './changed-config';
import { changedConfig, changeLines, changesNothing, configOf, settingOf } from './changed-config';

const RUNNING = {
  prefilters: [],
  filters: [
    { name: 'ComputeFilter', options: [] },
    { name: 'RamFilter', options: [] },
  ],
  weighers: [
    {
      name: 'RAMWeigher',
      options: [{ group: 'filter_scheduler', name: 'ram_weight_multiplier', value: 2, default: 1 }],
    },
    {
      name: 'CPUWeigher',
      options: [{ group: 'filter_scheduler', name: 'cpu_weight_multiplier', value: 1, default: 1 }],
    },
  ],
  options: {
    max_placement_results: 1000,
    candidates_per_host: 8,
    host_subset_size: 1,
    shuffle_best_same_weighed_hosts: false,
    default_availability_zone: 'nova',
    nova_compat: false,
  },
} as unknown as Running;

describe('a changed configuration', () => {
  it('is the one in force, but for its changes', () => {
    const config = configOf(RUNNING);
    expect(config['filter_scheduler']).toMatchObject({
      enabled_filters: ['ComputeFilter', 'RamFilter'],
      ram_weight_multiplier: 2,
    });
    expect(config['filter_scheduler']).not.toHaveProperty('cpu_weight_multiplier');
    const changed = changedConfig(config, {
      off: ['RamFilter'],
      on: ['NumInstancesFilter'],
      set: ['filter_scheduler.cpu_weight_multiplier=-1.5'],
    });
    expect(changed['filter_scheduler']).toMatchObject({
      enabled_filters: ['ComputeFilter', 'NumInstancesFilter'],
      ram_weight_multiplier: 2,
      cpu_weight_multiplier: -1.5,
    });
    expect(config['filter_scheduler']).not.toHaveProperty('cpu_weight_multiplier');
  });

  it.each([
    ['a.b=1', 1],
    ['a.b=true', true],
    ['a.b=x=y', 'x=y'],
    ['a.b=', ''],
  ])('reads %s', (text, value) => {
    expect(settingOf(text)).toEqual({ group: 'a', name: 'b', value });
  });

  it('is listed in lines', () => {
    const change = { off: ['A'], on: ['B'], set: ['g.n=1'] };
    expect(changeLines(change)).toEqual(['without A', 'with B', '[g] n = 1']);
    expect([changesNothing(change), changesNothing({ off: [], on: [], set: [] })]).toEqual([false, true]);
  });
});
