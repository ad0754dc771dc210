import { ConfigError } from '../../platform/config/load-config';
import type { NovaConf, NovaConfInput } from './nova-conf';
import { readNovaConf } from './nova-conf';

const API = '[api_database]\nconnection = mysql+pymysql://nova:secret@db/nova_api\n';

const read = (text: string, more: Partial<NovaConfInput> = {}): NovaConf =>
  readNovaConf({ files: [{ shown: 'nova.conf', text: API + text }], env: {}, release: 26, ...more });

function problemsOf(text: string, more: Partial<NovaConfInput> = {}): readonly string[] {
  try {
    read(text, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('values', () => {
  const cases: readonly [string, string, Partial<NovaConfInput>, (conf: NovaConf) => unknown, unknown][] = [
    ['references to other options', '[DEFAULT]\nhost = $my_ip\nmy_ip = 10.0.0.7', {}, (conf) => conf.host, '10.0.0.7'],
    [
      'two dollar signs',
      '[database]\nconnection = mysql://u:a$$b@h/d',
      {},
      (conf) => conf.database,
      'mysql://u:a$b@h/d',
    ],
    [
      'an escaped dollar sign',
      '[database]\nconnection = mysql://u:a\\$b@h/d',
      {},
      (conf) => conf.database,
      'mysql://u:a$b@h/d',
    ],
    [
      'a percent sign as written',
      '[database]\nconnection = mysql://u:%(x)s@h/d',
      {},
      (conf) => conf.database,
      'mysql://u:%(x)s@h/d',
    ],
    [
      'a variable before the files',
      '[DEFAULT]\ntransport_url = rabbit://a/',
      { env: { OS_DEFAULT__TRANSPORT_URL: 'rabbit://b/' } },
      (conf) => conf.transportUrl,
      'rabbit://b/',
    ],
    [
      'references in variables, and a warning about unknown ones',
      '',
      { env: { OS_DEFAULT__HOST: '$state_path', OS_DEFAULT__NONSENSE_OF_A_NAME: 'x', OS_AUTH_URL: 'x' } },
      (conf) => [conf.host, ...conf.warnings],
      ['/var/lib/nova', 'environment variables: has no effect in Berth: [DEFAULT] nonsense_of_a_name'],
    ],
    ['the last of several values', '[DEFAULT]\nhost = a\nhost = b', {}, (conf) => conf.host, 'b'],
    [
      'continuation lines of a list',
      '[filter_scheduler]\nenabled_filters = ComputeFilter,\n  NUMATopologyFilter',
      {},
      (conf) => conf.scheduler['filter_scheduler']?.['enabled_filters'],
      ['ComputeFilter', 'NUMATopologyFilter'],
    ],
    [
      'all values of a repeatable option',
      '[pci]\nalias = {"name": "a"}\nalias = {"name": "b"}',
      {},
      (conf) => conf.scheduler['pci']?.['alias'],
      ['{"name": "a"}', '{"name": "b"}'],
    ],
    [
      'options of the scheduler that are set',
      '[scheduler]\nmax_attempts = 7',
      {},
      (conf) => conf.scheduler['scheduler'],
      { max_attempts: 7 },
    ],
    [
      'no weigher that release 27 lacks',
      '',
      { release: 27 },
      (conf) => conf.scheduler['filter_scheduler'],
      { hypervisor_version_weight_multiplier: 0 },
    ],
    ['all weighers of release 28', '', { release: 28 }, (conf) => conf.scheduler['filter_scheduler'], {}],
    [
      'a weigher that is set',
      '[filter_scheduler]\nhypervisor_version_weight_multiplier = 2',
      {},
      (conf) => conf.scheduler['filter_scheduler'],
      { hypervisor_version_weight_multiplier: 2 },
    ],
    ['ratios of release 26', '', {}, (conf) => conf.ratios, { cpu: 16, ram: 1.5, disk: 1 }],
    ['ratios of release 27', '', { release: 27 }, (conf) => conf.ratios, { cpu: 4, ram: 1, disk: 1 }],
    [
      'a ratio of 0 as not set',
      '[DEFAULT]\ncpu_allocation_ratio = 0.0\ninitial_cpu_allocation_ratio = 3',
      {},
      (conf) => conf.ratios.cpu,
      3,
    ],
    [
      'a ratio before the initial one',
      '[DEFAULT]\nram_allocation_ratio = 2.5\ninitial_ram_allocation_ratio = 3',
      {},
      (conf) => conf.ratios.ram,
      2.5,
    ],
    [
      'the raw options of RabbitMQ',
      '[oslo_messaging_rabbit]\nrabbit_quorum_queue = true\nssl = True',
      {},
      (conf) => conf.rabbit,
      { rabbit_quorum_queue: 'true', ssl: 'True' },
    ],
    ['the exchange of nova', '', {}, (conf) => conf.controlExchange, 'nova'],
    [
      'groups and options of other services as one warning',
      '[libvirt]\nvirt_type = kvm\nnonsense = $missing\n[DEFAULT]\ncompute_driver = libvirt.LibvirtDriver\nbind_host = 1',
      {},
      (conf) => conf.warnings,
      ['nova.conf: has no effect in Berth: [libvirt]; [DEFAULT] compute_driver, bind_host'],
    ],
    [
      'numbers out of bounds as the nearest bound',
      '[scheduler]\nmax_attempts = 0',
      {},
      (conf) => [conf.scheduler['scheduler'], ...conf.warnings],
      [{ max_attempts: 1 }, 'nova.conf:4: [scheduler] max_attempts = "0": must be at least 1; 1 is used'],
    ],
  ];
  it.each(cases)('%s', (_name, text, more, pick, expected) => {
    expect(pick(read(text, more))).toEqual(expected);
  });

  it('come from the last of several files', () => {
    const files = [
      { shown: 'a.conf', text: `${API}[scheduler]\nmax_attempts = 1\n[pci]\nalias = {"name": "a"}\n` },
      { shown: 'b.conf', text: '[scheduler]\nmax_attempts = 2\n[pci]\nalias = {"name": "b"}\n' },
    ];
    const { scheduler } = readNovaConf({ files, env: {}, release: 26 });
    expect(scheduler['scheduler']).toEqual({ max_attempts: 2 });
    expect(scheduler['pci']).toMatchObject({ alias: ['{"name": "a"}', '{"name": "b"}'] });
  });

  it('of the API database are decoded', () => {
    const env = { OS_API_DATABASE__CONNECTION: 'mysql+pymysql://nova:s%2Fe+@[2001:db8::1]:3307/nova_api?charset=utf8' };
    expect(read('', { env }).apiDatabase).toMatchObject({
      hosts: [{ host: '2001:db8::1', port: 3307 }],
      user: 'nova',
      password: 's/e+',
      database: 'nova_api',
    });
  });
});

describe('warnings name', () => {
  it.each([
    [
      '[filter_scheduler]\nenabled_filter = X',
      'nova.conf:4: [filter_scheduler] enabled_filter has no effect; did you mean enabled_filters?',
    ],
    ['[scheduler]\nnonsense_of_a_name = X', 'nova.conf: has no effect in Berth: [scheduler] nonsense_of_a_name'],
    ['[schedule]\nmax_attempts = 4', 'nova.conf:3: [schedule] has no effect; did you mean [scheduler]?'],
    [
      '[DEFAULT]\nscheduler_default_filters = X',
      'nova.conf: has no effect in Berth: [DEFAULT] scheduler_default_filters',
    ],
    ['[DEFAULT]\ntransport_ur = X', 'nova.conf:4: [DEFAULT] transport_ur has no effect; did you mean transport_url?'],
    ['[scheduler]\nworkers = 4', 'nova.conf: has no effect in Berth: [scheduler] workers'],
  ])('%j', (text, warning) => {
    expect(read(text).warnings).toEqual([warning]);
  });
});

describe('refused are', () => {
  it.each<[string, string, Partial<NovaConfInput>, RegExp]>([
    [
      'memcached heartbeats',
      '[DEFAULT]\nservicegroup_driver = mc',
      {},
      /servicegroup_driver = "mc" is not supported.*memcached/,
    ],
    [
      'PostgreSQL',
      '',
      { env: { OS_API_DATABASE__CONNECTION: 'postgresql+psycopg2://nova:secret@db/api' } },
      /names a PostgreSQL database/,
    ],
    [
      'other databases',
      '',
      { env: { OS_API_DATABASE__CONNECTION: 'oracle://nova:secret@db/api' } },
      /of type 'oracle'/,
    ],
    [
      'several hosts',
      '',
      { env: { OS_API_DATABASE__CONNECTION: 'mysql://nova:secret@a,b/api' } },
      /names several hosts/,
    ],
    ['no API database', '', { files: [{ shown: 'nova.conf', text: '' }] }, /\[api_database\] connection is not set/],
    [
      'unknown references',
      '[DEFAULT]\nhost = $secret_name',
      {},
      /nova.conf:4: \[DEFAULT\] host contains a \$ reference/,
    ],
    ['invalid values', '[scheduler]\nmax_attempts = x', {}, /nova.conf:4: \[scheduler\] max_attempts = "x"/],
    [
      'an invalid number',
      '[DEFAULT]\ncpu_allocation_ratio = many',
      {},
      /cpu_allocation_ratio = "many": must be a number/,
    ],
    ['old releases', '', { release: 25 }, /Release 25 of nova is not supported/],
    ['lines that are no settings', '[DEFAULT]\nsecret', {}, /nova.conf:4: expected key = value/],
  ])('%s', (_name, text, more, expected) => {
    const problems = problemsOf(text, more);
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems.join()).not.toContain('secret@');
  });
});
