import { OPTION_ROWS } from '../config/options';
import type { OptionRow } from '../config/option-types';
import { entriesWithoutEffect, loadConfigWithPlugins, schedulerOf, settingsWithoutEffect } from './scheduler-of-config';
import { schedulerRegistry } from './scheduler.pipeline';
import { DEFAULT_SCHEDULER_OPTIONS, schedulerOptionRows } from './scheduler.options';
import { BUILT_IN_WEIGHERS } from './weighers';

const load = (env: Record<string, string>): ReturnType<typeof loadConfigWithPlugins> =>
  loadConfigWithPlugins({ env, cwd: '/nonexistent', readFile: () => undefined });

describe('settings without effect', () => {
  it('are named when an operator made them', async () => {
    const loaded = await load({
      BERTH_FILTER_SCHEDULER__TRACK_INSTANCE_CHANGES: 'false',
      // Told when the configuration is read: it is no setting of this service at all.
      BERTH_PCI__REPORT_IN_PLACEMENT: 'true',
    });
    expect(settingsWithoutEffect(loaded)).toEqual(['filter_scheduler.track_instance_changes']);
  });

  it('are none of those that the scheduler or its parts read', async () => {
    const loaded = await load({
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
    expect(settingsWithoutEffect(loaded)).toEqual([]);
  });
});

it('hands every option of the scheduler on', async () => {
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
    ...{ version: '1.2.3', driver: 'chance', maxAttempts: 5, maxPlacementResults: 17, candidatesPerHost: 3 },
    ...{ novaCompat: true, hostSubsetSize: 4, shuffleBestSameWeighedHosts: true, packsNumaCells: true },
    ...{ defaultAvailabilityZone: 'home', defaultScheduleZone: 'az1', disableFallbackPcpuQuery: true },
  });
  expect([...options.pciAliases.keys()]).toEqual(['gpu']);
  expect(parts.filters.map(({ part }) => part.name)).toEqual(['NumInstancesFilter']);
  expect(parts.weighers.map(({ part }) => part.name)).toEqual(['RAMWeigher']);
});

it("runs nova's default filters and every weigher unless told otherwise", async () => {
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

it('tells which entries of a setting are dropped because they do not parse', async () => {
  const file = '[metrics]\nweight_setting = cpu=1.0, nonsense, mem=x';
  const loaded = await loadConfigWithPlugins({ env: {}, cwd: '/srv', readFile: () => file });
  expect(entriesWithoutEffect(loaded)).toEqual([
    "[metrics] weight_setting: 'nonsense' is not name=ratio and is dropped",
    "[metrics] weight_setting: 'mem=x' is not name=ratio and is dropped",
  ]);
});

describe('defaults that stand in two places', () => {
  const facts = ({ type, default: fallback, min, max, group }: OptionRow): unknown => ({
    ...{ group, type, fallback: Array.isArray(fallback) ? fallback.join() : fallback },
    ...{ min: min ?? null, max: max ?? null },
  });
  const declared = schedulerOptionRows(schedulerRegistry([])).map(
    (row) => [`[${row.group}] ${row.name}`, row] as const,
  );

  it.each(declared)('%s: the part and the table of options say the same', (_, row) => {
    const known = OPTION_ROWS.find(({ group, name }) => group === row.group && name === row.name);
    expect(known === undefined ? 'not in the table' : facts(known)).toEqual(facts(row));
  });

  it('those of the scheduler are those of the table', async () => {
    const loaded = await load({});
    const { options } = schedulerOf(loaded, '');
    const { values: _values, pciAliases: _aliases, ...plain } = options;
    const { values: _none, pciAliases: _neither, ...defaults } = DEFAULT_SCHEDULER_OPTIONS;
    expect(plain).toEqual(defaults);
  });
});
