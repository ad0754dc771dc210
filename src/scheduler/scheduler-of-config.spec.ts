import { loadConfigWithPlugins, settingsWithoutEffect } from './scheduler-of-config';

const load = (env: Record<string, string>): ReturnType<typeof loadConfigWithPlugins> =>
  loadConfigWithPlugins({ env, cwd: '/nonexistent', readFile: () => undefined });

describe('settings without effect', () => {
  it('are named when an operator made them', async () => {
    const loaded = await load({
      BERTH_SCHEDULER__NOVA_COMPAT: 'true',
      BERTH_FILTER_SCHEDULER__CPU_WEIGHT_MULTIPLIER: '2',
      BERTH_BERTH__HOSTS_FROM_INVENTORY: 'false',
    });
    expect([...settingsWithoutEffect(loaded)].sort()).toEqual([
      'berth.hosts_from_inventory',
      'filter_scheduler.cpu_weight_multiplier',
      'scheduler.nova_compat',
    ]);
  });

  it('are none of those that the scheduler or its parts read', async () => {
    const loaded = await load({
      BERTH_SCHEDULER__MAX_ATTEMPTS: '5',
      BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '10',
      BERTH_FILTER_SCHEDULER__RAM_WEIGHT_MULTIPLIER: '-1',
      BERTH_PLACEMENT__RANDOM_SEED: '1',
    });
    expect(settingsWithoutEffect(loaded)).toEqual([]);
  });
});
