import { join } from 'node:path';
import { schedulerRegistry } from '../../scheduling-rules/built-in';
import { BUILT_IN_FILTERS } from '../../scheduling-rules/filters';
import { defineFilter } from '../../scheduling-rules/pipeline/define-filter';
import { optionOwners, optionRows } from '../../scheduling-rules/pipeline/option-rows';
import { readPlugin } from '../../scheduling-rules/pipeline/read-plugin';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { chosenHosts, decideOn, FixtureCloud } from '../scheduler.fixture';
import { DEFAULT_SCHEDULER_OPTIONS } from './default-options.fixture';
import { loadPlugins } from './load-plugins';
import type { SchedulerOptions } from './scheduler-options';
import { assembleScheduler } from './scheduler-pipeline';

const DIRECTORY = join(__dirname, '../../../test/support');
const load = (): Promise<readonly SchedulerExtension[]> => loadPlugins(['./foreign-plugin/plugin.js'], DIRECTORY);

const ENABLED = {
  enabledFilters: ['RackFilter', 'NumInstancesFilter'],
  weightClasses: ['nova.scheduler.weights.all_weighers', 'ShortNameWeigher'],
};
const cloud = (): FixtureCloud =>
  new FixtureCloud([
    { name: 'r1-long-name', memoryMb: 8192 },
    { name: 'r1-a', memoryMb: 4096 },
    { name: 'r2-b', memoryMb: 4096 },
  ]);

describe('a plug-in filter', () => {
  it('rejects hosts and is explained by its own template', async () => {
    const body = { scheduler_hints: { rack: 'r2' } };
    const decided = await decideOn(cloud(), { body, options: ENABLED, plugins: await load() });
    expect(chosenHosts(decided)).toEqual(['r2-b']);
    expect(decided.decision.passes[0]?.stages[1]).toMatchObject({
      name: 'RackFilter',
      in: 3,
      out: 1,
      rejected: [{ message: 'host is in rack r1; the request wants r2' }, { host: 'r1-a' }],
    });
    expect(decided.decision.ignored).toEqual([]);
  });

  it('does not run unless it is enabled; its hint is reported as ignored', async () => {
    const body = { scheduler_hints: { rack: 'r2' } };
    const { decision } = await decideOn(cloud(), { body, plugins: await load() });
    expect(decision.passes[0]?.stages.map(({ name }) => name)).not.toContain('RackFilter');
    expect(decision.ignored).toMatchObject([{ field: 'scheduler_hints.rack' }]);
  });
});

describe('a plug-in weigher', () => {
  it('changes the order, and the decision shows its share of the weight', async () => {
    const decided = await decideOn(cloud(), { options: ENABLED, plugins: await load() });
    expect(chosenHosts(decided)).toEqual(['r1-a']);
    const part = decided.decision.passes[0]?.weighers.find(({ name }) => name === 'ShortNameWeigher')?.hosts[0];
    expect(part).toMatchObject({ host: 'r1-long-name', raw: -12, normalized: 0, multiplier: 10 });
  });

  it('takes its multiplier from the configuration', async () => {
    const options = { ...ENABLED, values: { filter_scheduler: { short_name_weight_multiplier: 0 } } };
    expect(chosenHosts(await decideOn(cloud(), { options, plugins: await load() }))).toEqual(['r1-long-name']);
  });
});

describe('a plug-in prefilter', () => {
  it('adds to the query after the built-in prefilters, with a reason', async () => {
    const world = cloud();
    const { decision } = await decideOn(world, { body: { project_id: 'gpu-1' }, plugins: await load() });
    expect(world.queries[0]?.rootRequired).toEqual(['CUSTOM_GPU_ROOM']);
    expect(decision.prefilters.at(-1)).toMatchObject({
      name: 'GpuProjectPrefilter',
      ran: true,
      because: 'project gpu-1',
    });
  });

  it('refuses a request before the query to Placement', async () => {
    const world = cloud();
    const { refusal } = await decideOn(world, { body: { project_id: 'closed' }, plugins: await load() });
    expect(refusal?.message).toBe('No valid host was found. Scheduling failed: project closed is closed');
    expect(world.queries).toEqual([]);
  });

  it('refuses the request when it throws; no condition is dropped', async () => {
    const broken = readPlugin('broken', {
      prefilters: [
        {
          name: 'Broken',
          summary: '',
          apply: () => {
            throw new Error('no such key');
          },
        },
      ],
    });
    const { refusal } = await decideOn(cloud(), { plugins: [broken] });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
    expect(refusal?.message).toContain('the prefilter Broken failed: no such key');
  });
});

describe('the start-up stops', () => {
  const boot = (options: Partial<SchedulerOptions>, plugins: readonly SchedulerExtension[] = []): unknown =>
    assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, ...options }, plugins);
  const filter = (name: string): ReturnType<typeof defineFilter> =>
    defineFilter({ name, summary: '', rejections: {}, check: (_host, _spec, { pass }) => pass });

  it('for unknown enabled filters, naming all of them at once', () => {
    const enabledFilters = ['RackFilter9', 'NumInstancesFilter', 'CompteFilter'];
    const known = BUILT_IN_FILTERS.map(({ name }) => name).sort();
    expect(() => boot({ enabledFilters: [...enabledFilters, 'Xyz'] })).toThrow(
      `Scheduler Host Filter RackFilter9, CompteFilter, Xyz could not be found. Known: ${known.join(', ')}.`,
    );
    expect(() => boot({ enabledFilters: ['NumInstanceFilter', 'CompteFilter'] })).toThrow(
      'Scheduler Host Filter NumInstanceFilter, CompteFilter could not be found. Did you mean NumInstancesFilter, ComputeFilter? A',
    );
  });

  it('for an unknown weigher', () => {
    expect(() => boot({ weightClasses: ['ShortNamWeigher'] })).toThrow(
      'Scheduler weigher ShortNamWeigher could not be found.',
    );
  });

  it('for an unknown driver', () => {
    expect(() => boot({ driver: 'chanse' })).toThrow(
      'Scheduler driver chanse could not be found. Did you mean chance?',
    );
  });

  it('for a built-in filter that is not available', () => {
    const availableFilters = ['nova.scheduler.filters.num_instances_filter.NumInstancesFilter'];
    const enabledFilters = ['NumInstancesFilter', 'DifferentHostFilter'];
    expect(() => boot({ availableFilters, enabledFilters })).toThrow(
      'Scheduler Host Filter DifferentHostFilter could not be found.',
    );
  });

  it('for an unknown available filter', () => {
    expect(() => boot({ availableFilters: ['site.filters.Nope'], enabledFilters: [] })).toThrow(
      /^Scheduler Host Filter site\.filters\.Nope could not be found\. .* name its file in \[berth\] plugins\.$/,
    );
  });

  it('for two parts with one name', () => {
    const twin = { source: 'site', exports: { filters: [filter('NumInstancesFilter')] } };
    expect(() => boot({}, [twin])).toThrow('two filters are named NumInstancesFilter: built in and site');
  });

  it('for an option out of range', () => {
    const enabledFilters = ['NumInstancesFilter'];
    expect(() => boot({ enabledFilters, values: { filter_scheduler: { max_instances_per_host: 0 } } })).toThrow(
      '[filter_scheduler] max_instances_per_host: must be at least 1',
    );
  });

  it('for a plug-in that cannot be found', async () => {
    await expect(loadPlugins(['./foreign-plugin/plugn.js'], DIRECTORY)).rejects.toThrow(
      'plug-in ./foreign-plugin/plugn.js could not be loaded',
    );
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an export of another name', { filters: [], prefilter: [] }, 'exports prefilter; it may export'],
    ['no export', {}, 'exports nothing'],
    ['something that is no list', { filters: {} }, 'filters must be a list'],
    ['a part without a name', { filters: [{ summary: '' }] }, 'holds a part without a name'],
    ['a filter without check', { filters: [{ name: 'F', summary: '', rejections: {} }] }, 'F has no check()'],
    [
      'a filter without rejections',
      { filters: [{ name: 'F', summary: '', check: () => null }] },
      'F has no rejections',
    ],
    [
      'an option of an unknown kind',
      {
        weighers: [
          { name: 'W', summary: '', weigh: () => 0, multiplier: () => 0, options: { x: { kind: 'int', default: 1 } } },
        ],
      },
      'option x must have a kind',
    ],
    [
      'a default that breaks its own bounds',
      {
        prefilters: [
          { name: 'P', summary: '', apply: () => 0, options: { x: { kind: 'integer', default: 0, min: 1 } } },
        ],
      },
      'option x has a default that must be at least 1',
    ],
  ])('for a plug-in with %s', (_, loaded, sentence) => expect(() => readPlugin('site.js', loaded)).toThrow(sentence));
});

describe('accepts the names that nova uses', () => {
  it.each([
    ['bare names', ['NumInstancesFilter'], ['RAMWeigher']],
    [
      'paths',
      ['nova.scheduler.filters.num_instances_filter.NumInstancesFilter'],
      ['nova.scheduler.weights.ram.RAMWeigher'],
    ],
    [
      'names given twice',
      ['NumInstancesFilter', 'NumInstancesFilter'],
      ['RAMWeigher', 'nova.scheduler.weights.ram.RAMWeigher'],
    ],
  ])('%s', (_, enabledFilters, weightClasses) => {
    const { parts } = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, enabledFilters, weightClasses });
    expect(parts.filters.map(({ part }) => part.name)).toEqual(['NumInstancesFilter']);
    expect(parts.weighers.map(({ part }) => part.name)).toEqual(['RAMWeigher']);
  });
});

describe('configuration rows', () => {
  it('come from the declarations, including those of plug-ins', async () => {
    const rows = optionRows(optionOwners(schedulerRegistry(await load())));
    expect(rows).toContainEqual({
      group: 'filter_scheduler',
      name: 'max_instances_per_host',
      kind: 'integer',
      default: 50,
      min: 1,
      aggregateKey: 'max_instances_per_host',
      help: 'Instances that a host can run.',
      readBy: ['AggregateNumInstancesFilter', 'NumInstancesFilter'],
    });
    const namesOf = (all: typeof rows): string[] => all.map(({ group, name }) => `${group}.${name}`);
    const builtIn = namesOf(optionRows(optionOwners(schedulerRegistry())));
    expect(builtIn).toContain('scheduler.query_placement_for_image_type_support');
    expect(namesOf(rows).sort()).toEqual(
      [...builtIn, 'filter_scheduler.rack_separator', 'filter_scheduler.short_name_weight_multiplier'].sort(),
    );
  });

  it('stop the start-up when two parts declare one option differently', () => {
    const options = { max_instances_per_host: { kind: 'integer', default: 9 } as const };
    const other = defineFilter({
      name: 'Other',
      summary: '',
      options,
      rejections: {},
      check: (_h, _s, { pass }) => pass,
    });
    const registry = schedulerRegistry([{ source: 'site', exports: { filters: [other] } }]);
    expect(() => optionRows(optionOwners(registry))).toThrow(
      'max_instances_per_host is declared differently by AggregateNumInstancesFilter and Other',
    );
  });
});
