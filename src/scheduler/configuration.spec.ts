// The configuration of the scheduler and of the rooms below it: sources, precedence, problems and warnings.
import { describeConfig } from '../platform/config/describe-config';
import type { LoadConfigInput } from '../platform/config/load-config';
import { ConfigError, loadConfig } from '../platform/config/load-config';
import type { OptionRow } from '../platform/values/options';
import { integer } from '../platform/values/options';
import { SCHEDULER_TABLE } from './option-table';
import type { SchedulerConfig, SchedulerGroups } from './options';

interface Extra extends Partial<LoadConfigInput<SchedulerGroups>> {
  readonly rows?: readonly OptionRow[];
}

const load = (
  file: string | null,
  env: Record<string, string> = {},
  { rows = [], ...extra }: Extra = {},
): SchedulerConfig =>
  loadConfig(SCHEDULER_TABLE.with(rows), {
    env,
    cwd: '/srv',
    readFile: (path) => (path === '/srv/berth.conf' || path === '/etc/b.conf' ? (file ?? undefined) : undefined),
    ...extra,
  });

const problemsOf = (file: string | null, env: Record<string, string> = {}, extra: Extra = {}): readonly string[] => {
  try {
    load(file, env, extra);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('the address in a file', () => {
  const readFile = (path: string): string | undefined =>
    path === '/run/db-url' ? 'mysql://berth:new@db1,db2/berth\n' : path === '/srv/empty' ? ' \n' : undefined;

  it('is read from the file that the environment names, whatever the configuration file says', () => {
    const config = load(null, { DATABASE_URL_FILE: '/run/db-url' }, { readFile });
    expect(config.database).toMatchObject({ kind: 'mysql', password: 'new', database: 'berth' });
  });

  it.each([
    ['gone', 'environment variable DATABASE_URL_FILE: gone is missing or empty'],
    ['empty', 'environment variable DATABASE_URL_FILE: empty is missing or empty'],
  ])('must be there: %s', (file, problem) => {
    expect(problemsOf(null, { DATABASE_URL_FILE: file }, { readFile })).toEqual([problem]);
  });

  it('is not given twice', () => {
    const env = { DATABASE_URL_FILE: '/run/db-url', DATABASE_URL: 'sqlite:///x.db' };
    expect(problemsOf(null, env, { readFile })).toEqual(['DATABASE_URL and DATABASE_URL_FILE: give one of them']);
  });
});

describe('the configuration', () => {
  it('needs no file and no variable', () => {
    const config = load(null);
    expect(config.server).toEqual({ host: '127.0.0.1', port: 8778, isLoopback: true });
    expect(config.database).toEqual({ kind: 'sqlite', path: '/srv/berth.db' });
    expect(config.logging.level).toBe('info');
    expect(config.api.auth_strategy).toBe('noauth2');
    expect(config.scheduler.max_attempts).toBe(3);
    expect(config.placement.max_allocation_candidates).toBe(100_000);
    expect(config.warnings).toEqual([]);
    expect(config).toMatchObject({ files: [], folder: '/srv' });
  });

  it('has defaults that keep their own rules', () => {
    expect(problemsOf(null)).toEqual([]);
    expect(new Set(SCHEDULER_TABLE.rows.map(({ group, name }) => `${group}.${name}`)).size).toBe(
      SCHEDULER_TABLE.rows.length,
    );
  });

  it('is frozen through and through', () => {
    const config = load(null);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.filter_scheduler.enabled_filters)).toBe(true);
    expect(Object.isFrozen(config.server)).toBe(true);
  });

  it('takes the environment over the file over the default', () => {
    const file = '[scheduler]\nmax_attempts = 5\nmax_placement_results = 7';
    const config = load(file, { BERTH_SCHEDULER__MAX_ATTEMPTS: '9' });
    expect(config.scheduler).toMatchObject({ max_attempts: 9, max_placement_results: 7, candidates_per_host: 8 });
    expect(config.origins).toMatchObject({
      'scheduler.max_attempts': 'environment variable BERTH_SCHEDULER__MAX_ATTEMPTS',
      'scheduler.max_placement_results': 'berth.conf:3',
    });
  });

  it('takes overrides over everything, and checks them too', () => {
    const overrides = { scheduler: { max_attempts: 4 }, placement: { max_allocation_candidates: -1 } } as const;
    const config = load('[scheduler]\nmax_attempts = 5', {}, { overrides });
    expect([config.scheduler.max_attempts, config.placement.max_allocation_candidates]).toEqual([4, 100_000]);
    expect(problemsOf(null, {}, { overrides: { scheduler: { max_attempts: 0 } } })).toEqual([
      'override: [scheduler] max_attempts = "0": must be at least 1',
    ]);
  });

  it('reads every type', () => {
    const file = `[DEFAULT]
debug = Yes
initial_ram_allocation_ratio = 1.5
[placement]
random_seed = 42
allocation-candidates-generation-strategy = breadth-first
[filter_scheduler]
enabled_filters = ComputeFilter,
  IoOpsFilter
available_filters = nova.scheduler.filters.all_filters
available_filters = Mine
io_ops_weight_multiplier = -2.5e0
isolated_hosts =
[berth]
url_prefix = /placement`;
    const config = load(file);
    expect(config.DEFAULT).toMatchObject({ debug: true, initial_ram_allocation_ratio: 1.5 });
    expect(config.logging.level).toBe('debug');
    expect(config.placement).toMatchObject({
      random_seed: 42,
      allocation_candidates_generation_strategy: 'breadth-first',
    });
    expect(config.filter_scheduler).toMatchObject({
      enabled_filters: ['ComputeFilter', 'IoOpsFilter'],
      available_filters: ['nova.scheduler.filters.all_filters', 'Mine'],
      io_ops_weight_multiplier: -2.5,
      isolated_hosts: [],
    });
    expect(config.berth.url_prefix).toBe('/placement');
  });

  it('reads repeatable options from the environment', () => {
    const alias = '{"name":"gpu","vendor_id":"10de"}';
    const aliases = (text: string): unknown => load(null, { BERTH_PCI__ALIAS: text }).pci.alias;
    expect(aliases(alias)).toEqual([alias]);
    expect(aliases(`[${alias}, ${alias}]`)).toEqual([alias, alias]);
    expect(
      load(null, { BERTH_FILTER_SCHEDULER__AVAILABLE_FILTERS: 'A, B' }).filter_scheduler.available_filters,
    ).toEqual(['A', 'B']);
  });

  it('replaces references to other options', () => {
    const file =
      '[DEFAULT]\ndefault_availability_zone = z1\ndefault_schedule_zone = ${default_availability_zone}-x\n[scheduler]\ndriver = $default_availability_zone';
    const config = load(file);
    expect([config.DEFAULT.default_schedule_zone, config.scheduler.driver]).toEqual(['z1-x', 'z1']);
    expect(problemsOf('[scheduler]\ndriver = $nothing')).toEqual([
      'berth.conf:2: [scheduler] driver refers to $nothing: there is no option of that name; write $$ for a dollar sign',
    ]);
  });

  it.each([
    ['-1', 100_000],
    ['0', 1],
    ['1000', 1_000],
  ])('understands max_allocation_candidates = %s', (text, expected) => {
    expect(load(`[placement]\nmax_allocation_candidates = ${text}`).placement.max_allocation_candidates).toBe(expected);
  });

  it('reports all problems at once, with place, option and rule', () => {
    const file = `[scheduler]
max_attempts = 0
max_placement_results = many
[placement]
allocation_candidates_generation_strategy = sideways
randomize_allocation_candidates = perhaps
[filter_schedular]
[filter_scheduler]
enabled_filter = X
max_attempts = 3`;
    expect(
      problemsOf(file, { PORT: '99999', BERTH_BERTH__AUTO_MIGRATE: '2', BERTH_SCHEDULER__MAX_ATEMPTS: '1' }),
    ).toEqual([
      'berth.conf:7: unknown group [filter_schedular]; did you mean [filter_scheduler]?',
      'berth.conf:9: unknown option [filter_scheduler] enabled_filter; did you mean enabled_filters?',
      'berth.conf:10: unknown option [filter_scheduler] max_attempts; there is one in [scheduler]',
      'environment variable BERTH_SCHEDULER__MAX_ATEMPTS: unknown option [scheduler] max_atempts; did you mean max_attempts?',
      'environment variable BERTH_BERTH__AUTO_MIGRATE: [berth] auto_migrate = "2": must be true or false (also 1, yes, on; 0, no, off)',
      'berth.conf:6: [placement] randomize_allocation_candidates = "perhaps": must be true or false (also 1, yes, on; 0, no, off)',
      'berth.conf:5: [placement] allocation_candidates_generation_strategy = "sideways": must be one of depth-first, breadth-first',
      'berth.conf:2: [scheduler] max_attempts = "0": must be at least 1',
      'berth.conf:3: [scheduler] max_placement_results = "many": must be an integer',
      'environment variable PORT = "99999": must be at most 65535',
    ]);
  });

  it('reports a file that was named and is not there, and one that cannot be read', () => {
    expect(problemsOf(null, { BERTH_CONFIG: '/etc/b.conf' })).toEqual(['/etc/b.conf: there is no such file']);
    const readFile = (): string => {
      throw Object.assign(new Error('no'), { code: 'EACCES' });
    };
    expect(problemsOf(null, {}, { readFile })).toEqual(['berth.conf: cannot be read (EACCES)']);
  });

  it('warns about variables that mean nothing, and former names', () => {
    const file = '[keystone_authtoken]\nauth_uri = http://k';
    const known = { BERTH_TEST_MYSQL_URL: 'mysql://', BERTH_URL: 'http://b', BERTH_TOKEN: 't', OTHER: 'y' };
    const config = load(file, { BERTH_HOSTS: 'x', ...known });
    expect(config.keystone_authtoken.www_authenticate_uri).toBe('http://k');
    expect(config.warnings).toEqual([
      'berth.conf:2: [keystone_authtoken] auth_uri is now called [keystone_authtoken] www_authenticate_uri',
      'environment variable BERTH_HOSTS means nothing here; did you mean BERTH_HOST?',
    ]);
  });

  describe('of a file that other services share', () => {
    const nova =
      '[DEFAULT]\nmy_ip = 1.2.3.4\ndefault_schedule_zon = z\n[libvirt]\nvirt_type = kvm\n[schedule]\nx = 1\n' +
      '[scheduler]\nmax_attempts = 2000';
    const shared = (text: string): SchedulerConfig =>
      load(
        null,
        { BERTH_CONFIG: '/etc/nova.conf' },
        { readFile: () => `[placement_database]\nconnection=sqlite:///x\n${text}` },
      );

    it('has warnings for unknown names, and numbers within the bounds', () => {
      const config = shared(nova);
      expect(config.scheduler.max_attempts).toBe(1_000);
      expect(config.warnings).toEqual([
        '/etc/nova.conf:8: [schedule] has no effect; did you mean [scheduler]?',
        '/etc/nova.conf:5: [DEFAULT] default_schedule_zon has no effect; did you mean default_schedule_zone?',
        '/etc/nova.conf: has no effect in Berth: [libvirt]; [DEFAULT] my_ip',
        '/etc/nova.conf:11: [scheduler] max_attempts = "2000": must be at most 1000; 1000 is used',
      ]);
    });

    it('still has errors for values of another type', () => {
      expect(() => shared('[scheduler]\nmax_attempts = many')).toThrow(/must be an integer/);
    });

    it('does not excuse a variable of the environment', () => {
      const readFile = (): string => '[scheduler]\nmax_attempts = 2000';
      const env = { BERTH_CONFIG: '/etc/nova.conf', BERTH_SCHEDULER__MAX_ATTEMPTS: '3000', BERTH_SCHEDULR__X: '1' };
      expect(problemsOf(null, env, { readFile })).toEqual([
        'environment variable BERTH_SCHEDULR__X: unknown group [schedulr]; did you mean [scheduler]?',
        'environment variable BERTH_SCHEDULER__MAX_ATTEMPTS: [scheduler] max_attempts = "3000": must be at most 1000',
      ]);
    });

    it('has errors in Berth’s own file, which say how to read such a file', () => {
      expect(problemsOf('[DEFAULT]\nmy_ip = 1.2.3.4\n[libvirt]\nvirt_type = kvm')).toEqual([
        'berth.conf:3: unknown group [libvirt]',
        'berth.conf:2: unknown option [DEFAULT] my_ip',
        'berth.conf: names of other services are errors here; in a file that is not called berth*.conf they are warnings',
      ]);
    });
  });

  it('merges several files in order', () => {
    const files: Record<string, string> = {
      '/etc/placement.conf': '[scheduler]\nmax_attempts = 5\nmax_placement_results = 7\n[pci]\nalias = {"name":"a"}',
      '/srv/berth.conf': '[scheduler]\nmax_attempts = 6\n[pci]\nalias = {"name":"b"}',
    };
    const readFile = (path: string): string | undefined => files[path];
    const config = load(null, { BERTH_CONFIG: '/etc/placement.conf, berth.conf' }, { readFile });
    expect(config.scheduler).toMatchObject({ max_attempts: 6, max_placement_results: 7 });
    expect(config.pci.alias).toEqual(['{"name":"a"}', '{"name":"b"}']);
    expect(config).toMatchObject({ files: ['/etc/placement.conf', '/srv/berth.conf'], folder: '/etc' });
    expect(config.origins['scheduler.max_attempts']).toBe('berth.conf:2');
    expect(problemsOf(null, { BERTH_CONFIG: '/etc/placement.conf,none.conf' }, { readFile })).toEqual([
      'none.conf: there is no such file',
    ]);
  });

  it('raises service_down_time to 2.5 intervals if it is not larger than one', () => {
    const config = load('[DEFAULT]\nservice_down_time = 20\nreport_interval = 21');
    expect(config.DEFAULT.service_down_time).toBe(52);
    expect(config.warnings).toHaveLength(1);
  });
});

describe('who may call', () => {
  it.each([
    ['127.0.0.1', {}, 0],
    ['127.9.9.9', {}, 0],
    ['::1', {}, 0],
    ['[::1]', {}, 0],
    ['localhost', {}, 0],
    ['0.0.0.0', {}, 1],
    ['::', {}, 1],
    ['10.0.0.1', {}, 1],
    ['127.example.org', {}, 1],
    ['0.0.0.0', { BERTH_ALLOW_NOAUTH: '0' }, 1],
    ['0.0.0.0', { BERTH_ALLOW_NOAUTH: '1' }, 0],
  ])('noauth2 at %s with %j has %i problems', (host, env, expected) => {
    expect(problemsOf(null, { BERTH_HOST: host, ...env })).toHaveLength(expected);
  });

  it('accepts noauth as another name of noauth2', () => {
    expect(load('[api]\nauth_strategy = noauth').api.auth_strategy).toBe('noauth2');
  });

  it('lets static be reached from anywhere', () => {
    expect(problemsOf('[api]\nauth_strategy = static', { BERTH_HOST: '0.0.0.0' })).toEqual([]);
  });

  it('lets keystone be reached from anywhere, and says what it lacks', () => {
    const account = '[keystone_authtoken]\nauth_url = http://k\nuser_id = u\npassword = p\nproject_id = s';
    const strategy = '[api]\nauth_strategy = keystone';
    expect(problemsOf(`${strategy}\n${account}`, { BERTH_HOST: '0.0.0.0' })).toEqual([]);
    expect(problemsOf(strategy)).toContain('[keystone_authtoken] auth_url is missing');
  });
});

describe('options of plugins', () => {
  const row = { ...integer(5, 'Tries.', { min: 1 }), group: 'filter_scheduler', name: 'my_tries', readBy: ['Mine'] };

  it('are read, checked and found by name', () => {
    const config = load('[filter_scheduler]\nmy_tries = 7', {}, { rows: [row] });
    expect(config.values['filter_scheduler']?.['my_tries']).toBe(7);
    expect(problemsOf('[filter_scheduler]\nmy_tries = 0', {}, { rows: [row] })).toHaveLength(1);
    expect(problemsOf('[filter_scheduler]\nmy_tries = 7')[0]).toContain('unknown option [filter_scheduler] my_tries');
  });

  it('may repeat an option of the table with the same kind only', () => {
    const repeated = { ...row, name: 'max_io_ops_per_host' };
    const config = load(null, {}, { rows: [repeated] });
    expect(config.values['filter_scheduler']?.['max_io_ops_per_host']).toBe(5);
    expect(problemsOf(null, {}, { rows: [{ ...row, name: 'enabled_filters' }] })).toEqual([
      'option [filter_scheduler] enabled_filters is declared as integer, but it is list already',
    ]);
  });
});

describe('what is shown', () => {
  const file =
    '[placement_database]\nconnection = mysql+pymysql://berth:S3CRET@db/berth\n[keystone_authtoken]\npassword = S3CRET';

  it('never holds a secret', () => {
    const config = load(file);
    expect(describeConfig(config, SCHEDULER_TABLE)).not.toContain('S3CRET');
    expect(describeConfig(config, SCHEDULER_TABLE)).toContain('# database: mysql://berth:***@db:3306/berth');
    expect(
      problemsOf(
        '[placement_database]\nconnection = oracle://berth:S3CRET@db/b\n[keystone_authtoken]\npassword = a$S3CRET',
      ).join(),
    ).not.toContain('S3CRET');
  });

  it('can be read again', () => {
    const config = load('[scheduler]\ndriver = $$x\n[filter_scheduler]\navailable_filters = A\navailable_filters = B');
    const again = load(describeConfig(config, SCHEDULER_TABLE));
    expect(again.scheduler).toEqual(config.scheduler);
    expect(again.filter_scheduler).toEqual(config.filter_scheduler);
  });
});
