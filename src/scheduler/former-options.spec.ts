// Configurations of old releases: every former scheduling option is read.
import { ConfigError, loadConfig } from '../platform/config/load-config';
import { FORMER_OPTIONS } from './former-options';
import { SCHEDULER_TABLE } from './option-table';
import type { SchedulerConfig } from './options';

interface Loaded {
  readonly config: SchedulerConfig | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

function load(file: string, env: Record<string, string> = {}): Loaded {
  try {
    const config = loadConfig(SCHEDULER_TABLE, { env, cwd: '/srv', readFile: () => file });
    return { config, problems: [], warnings: config.warnings };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.problems, warnings: [] };
    throw error;
  }
}

/** A value of the option's type that is not its default. */
const OTHER: Readonly<Record<string, string>> = {
  boolean: 'true',
  integer: '7',
  number: '7.5',
  text: 'chance_scheduler',
  list: 'one, two',
  multi: 'one',
};

describe.each([
  ['Berth’s own file', 'berth.conf'],
  ['a file that services share', 'nova.conf'],
])('in %s', (_, fileName) => {
  it.each(Object.entries(FORMER_OPTIONS))('[%s] is never dropped', (name, now) => {
    const [group = '', old = ''] = name.split('.');
    const text = OTHER[typeOf(now) ?? ''] ?? 'anything';
    const { config, problems, warnings } = load(`[${group}]\n${old} = ${text}`, { BERTH_CONFIG: fileName });
    const reported = [...problems, ...warnings].filter((line) => line.startsWith(`${fileName}:2: [${group}] ${old}`));
    expect(reported).toHaveLength(1);
    const [nowGroup = '', nowName = ''] = now.split('.');
    expect(reported[0]).toContain(`is now called [${nowGroup}] ${nowName}`);
    const value = config?.values[nowGroup]?.[nowName];
    expect(typeof value === 'object' ? value?.join(', ') : String(value)).toBe(text);
    expect(config?.origins[now]).toBe(`${fileName}:2`);
  });
});

const typeOf = (now: string): string | undefined =>
  SCHEDULER_TABLE.rows.find(({ group, name }) => `${group}.${name}` === now)?.kind;

it('names no option of now, and leads to none that is not there', () => {
  const known = new Set(SCHEDULER_TABLE.rows.map(({ group, name }) => `${group}.${name}`));
  for (const [name, now] of Object.entries(FORMER_OPTIONS)) {
    expect(known.has(name)).toBe(false);
    expect(known.has(now)).toBe(true);
  }
});

describe('an old name', () => {
  it.each<[string, string, Record<string, string>]>([
    ['in the file', '[DEFAULT]\nscheduler_max_attempts = 5\n[scheduler]\nmax_attempts = 4', {}],
    [
      'in the environment, the new one in the file',
      '[scheduler]\nmax_attempts = 4',
      { BERTH_DEFAULT__SCHEDULER_MAX_ATTEMPTS: '5' },
    ],
    [
      'in the file, the new one in the environment',
      '[DEFAULT]\nscheduler_max_attempts = 5',
      { BERTH_SCHEDULER__MAX_ATTEMPTS: '4' },
    ],
  ])('%s gives way to the new one, with a warning', (_, file, env) => {
    const { config, warnings } = load(file, env);
    expect(config?.scheduler.max_attempts).toBe(4);
    expect(warnings).toContainEqual(expect.stringMatching(/: does not count, \[scheduler\] max_attempts is set by /));
  });

  it('is read from the environment', () => {
    const env = { BERTH_DEFAULT__SCHEDULER_DEFAULT_FILTERS: 'RamFilter,ComputeFilter' };
    const { config, warnings } = load('', env);
    expect(config?.filter_scheduler.enabled_filters).toEqual(['RamFilter', 'ComputeFilter']);
    expect(warnings[0]).toContain('BERTH_DEFAULT__SCHEDULER_DEFAULT_FILTERS: [DEFAULT] scheduler_default_filters');
  });

  it('of a repeatable option gathers all its lines', () => {
    const file = '[DEFAULT]\nscheduler_available_filters = a\nscheduler_available_filters = b';
    expect(load(file).config?.filter_scheduler.available_filters).toEqual(['a', 'b']);
  });

  it('can be referred to by other options', () => {
    const old =
      '[DEFAULT]\nscheduler_max_attempts = 9\n[filter_scheduler]\nhost_subset_size = ${DEFAULT.scheduler_max_attempts}';
    expect(load(old).config?.filter_scheduler.host_subset_size).toBe(9);
  });
});

it.each<[string, string]>([
  ['nova.scheduler.filter_scheduler.FilterScheduler', 'filter_scheduler'],
  ['nova.scheduler.chance.ChanceScheduler', 'chance_scheduler'],
  ['nova.scheduler.caching_scheduler.CachingScheduler', 'filter_scheduler'],
  ['caching_scheduler', 'filter_scheduler'],
  ['filter_scheduler', 'filter_scheduler'],
])('the driver %s is %s', (text, driver) => {
  expect(load(`[DEFAULT]\nscheduler_driver = ${text}`).config?.scheduler.driver).toBe(driver);
  expect(load(`[scheduler]\ndriver = ${text}`).config?.scheduler.driver).toBe(driver);
});

it('a file without a database is warned about, by name', () => {
  const warnings = (env: Record<string, string>, file: string): readonly string[] => load(file, env).warnings;
  const named = { BERTH_CONFIG: 'nova.conf' };
  expect(warnings(named, '')).toEqual(['nova.conf: no [placement_database] connection is set; /srv/berth.db is used']);
  expect(warnings({}, '')).toEqual([]);
  expect(warnings({ ...named, DATABASE_URL: 'sqlite:///x.db' }, '')).toEqual([]);
  expect(warnings(named, '[placement_database]\nconnection = sqlite:///x.db')).toEqual([]);
});
