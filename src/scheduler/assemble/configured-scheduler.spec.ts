import { BUILT_IN_WEIGHERS } from '../../scheduling-rules/weighers';
import { SCHEDULER_TABLE } from '../option-table';
import type { LoadedConfig } from './configured-scheduler';
import { loadConfigWithPlugins, schedulerOf } from './configured-scheduler';
import { DEFAULT_SCHEDULER_OPTIONS } from './default-options.fixture';

const load = (env: Record<string, string>): Promise<LoadedConfig> =>
  loadConfigWithPlugins(SCHEDULER_TABLE, { env, cwd: '/nonexistent', readFile: () => undefined });

describe('warnings of the configuration', () => {
  it('do not name settings that the scheduler or its parts read', async () => {
    const { config } = await load({
      BERTH_SCHEDULER__MAX_ATTEMPTS: '5',
      BERTH_SCHEDULER__NOVA_COMPAT: 'true',
      BERTH_SCHEDULER__PENDING_TTL: '60',
      BERTH_BERTH__HOSTS_FROM_INVENTORY: 'false',
      BERTH_DEFAULT__DEFAULT_SCHEDULE_ZONE: 'az1',
      BERTH_WORKAROUNDS__DISABLE_FALLBACK_PCPU_QUERY: 'true',
      BERTH_COMPUTE__PACKING_HOST_NUMA_CELLS_ALLOCATION_STRATEGY: 'true',
      BERTH_FILTER_SCHEDULER__CPU_WEIGHT_MULTIPLIER: '2',
      BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '10',
      BERTH_FILTER_SCHEDULER__RAM_WEIGHT_MULTIPLIER: '-1',
      BERTH_PLACEMENT__RANDOM_SEED: '1',
    });
    expect(config.warnings).toEqual([]);
  });

  it.each(['[metrics]\nweight_setting', '[filter_scheduler]\nimage_props_weight_setting'])(
    'name the entries of %j that are dropped because they do not parse',
    async (setting) => {
      const file = `${setting} = cpu=1.0, nonsense, mem=x`;
      const { config } = await loadConfigWithPlugins(SCHEDULER_TABLE, { env: {}, cwd: '/srv', readFile: () => file });
      const place = `berth.conf:2: ${setting.replace('\n', ' ')}`;
      expect(config.warnings).toEqual([
        `${place}: 'nonsense' is not name=ratio and is dropped`,
        `${place}: 'mem=x' is not name=ratio and is dropped`,
      ]);
    },
  );
});

it('passes every option to the scheduler', async () => {
  const env = {
    BERTH_SCHEDULER__DRIVER: 'chance',
    BERTH_SCHEDULER__MAX_ATTEMPTS: '5',
    BERTH_SCHEDULER__MAX_PLACEMENT_RESULTS: '17',
    BERTH_SCHEDULER__CANDIDATES_PER_HOST: '3',
    BERTH_SCHEDULER__NOVA_COMPAT: 'true',
    BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'NumInstancesFilter',
    BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'nova.scheduler.weights.ram.RAMWeigher',
    BERTH_FILTER_SCHEDULER__HOST_SUBSET_SIZE: '4',
    BERTH_FILTER_SCHEDULER__SHUFFLE_BEST_SAME_WEIGHED_HOSTS: 'true',
    BERTH_DEFAULT__DEFAULT_AVAILABILITY_ZONE: 'home',
    BERTH_DEFAULT__DEFAULT_SCHEDULE_ZONE: 'az1',
    BERTH_WORKAROUNDS__DISABLE_FALLBACK_PCPU_QUERY: 'true',
    BERTH_COMPUTE__PACKING_HOST_NUMA_CELLS_ALLOCATION_STRATEGY: 'true',
    BERTH_PCI__ALIAS: '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", "device_type": "type-PCI"}',
  };
  const { options, parts } = schedulerOf(await load(env), '1.2.3');
  expect(options).toMatchObject({
    version: '1.2.3',
    driver: 'chance',
    maxAttempts: 5,
    maxPlacementResults: 17,
    candidatesPerHost: 3,
    novaCompat: true,
    hostSubsetSize: 4,
    shuffleBestSameWeighedHosts: true,
    packsNumaCells: true,
    defaultAvailabilityZone: 'home',
    defaultScheduleZone: 'az1',
    disableFallbackPcpuQuery: true,
  });
  expect([...options.pciAliases.keys()]).toEqual(['gpu']);
  expect(parts.filters.map(({ part }) => part.name)).toEqual(['NumInstancesFilter']);
  expect(parts.weighers.map(({ part }) => part.name)).toEqual(['RAMWeigher']);
});

it("runs nova's default filters and every weigher unless configured otherwise", async () => {
  const { options, parts } = schedulerOf(await load({}), '');
  expect(parts.filters.map(({ part }) => part.name)).toEqual([
    'ComputeFilter',
    'ComputeCapabilitiesFilter',
    'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter',
    'ServerGroupAffinityFilter',
  ]);
  expect(parts.weighers.map(({ part }) => part.name)).toEqual(BUILT_IN_WEIGHERS.map(({ name }) => name));
  expect({ ...options, values: {} }).toEqual(DEFAULT_SCHEDULER_OPTIONS);
});
