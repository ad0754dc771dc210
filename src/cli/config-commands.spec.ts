// `berth config`: the output of `show`, and `check` applies the same rules as the start of the service.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEPLOYED_FILES } from './deployed-files.fixture';
import { runCli } from './program';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'berth-check-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function berth(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const streams = { stdout: (text: string) => (said.out += text), stderr: (text: string) => (said.err += text) };
  const code = await runCli(['config', ...args], streams, { env: {}, cwd: directory });
  return { code, ...said };
}

async function check(
  text: string,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  const file = join(directory, 'berth.conf');
  writeFileSync(file, `[placement_database]\nconnection = sqlite:///${directory}/x.db\n${text}`);
  const { code, out, err } = await berth('check', ...options, file);
  return { code, said: out + err };
}

it.each<[string, string, string]>([
  [
    'a filter',
    '[filter_scheduler]\nenabled_filters = NoSuchFilter',
    'Scheduler Host Filter NoSuchFilter could not be found',
  ],
  [
    'a filter under its old name',
    '[DEFAULT]\nscheduler_default_filters = NoSuchFilter',
    'NoSuchFilter could not be found',
  ],
  ['a weigher', '[filter_scheduler]\nweight_classes = NoSuchWeigher', 'NoSuchWeigher could not be found'],
  [
    'a driver',
    '[DEFAULT]\nscheduler_driver = ironic_scheduler',
    'Scheduler driver ironic_scheduler could not be found',
  ],
  ['an alias', '[pci]\nalias = {"name": 1}', 'berth: [pci] alias: entry 1: name must be a text'],
])('reports an error for %s', async (_, text, expected) => {
  const { code, said: reported } = await check(text);
  expect(reported).toContain(expected);
  expect(reported).not.toContain('is valid');
  expect(code).toBe(1);
});

it('finds certificates that the service could not speak TLS with', async () => {
  const { code, said: reported } = await check('[berth]\ntls_cert = none.pem');
  expect(reported).toMatch(/berth: \[berth\] tls_cert: .*none\.pem cannot be read \(ENOENT\)/);
  expect(code).toBe(1);
});

it.each([
  ['"placement:traits:list": "rule:nope"', 'refers to rule "nope", which does not exist'],
  ['"placement:traits:list": "role:admin and"', 'it ends where a check is expected'],
  ['{{{', 'Flow map must end with a }'],
  [undefined, 'policy.yaml: cannot be read (EISDIR)'],
])('finds the policy file %j, which stops the start', async (text, expected) => {
  const path = join(directory, 'policy.yaml');
  if (text === undefined) mkdirSync(path);
  else writeFileSync(path, text);
  const { code, said: reported } = await check('');
  expect(reported).toContain(`berth: `);
  expect(reported).toContain(expected);
  expect(reported).not.toContain('is valid');
  expect(code).toBe(1);
});

it('finds a rule of the policy file that guards no request', async () => {
  writeFileSync(join(directory, 'policy.yaml'), '"placement:usage": "@"');
  const { code, said: reported } = await check('');
  expect(reported).toContain('policy.yaml:1: "placement:usage" guards no request; did you mean "placement:usages"?');
  expect(code).toBe(1);
});

it('warns of filters of old releases', async () => {
  const { said: reported } = await check('[filter_scheduler]\nenabled_filters = ComputeFilter,AggregateCoreFilter');
  expect(reported).toContain('warning: the filter AggregateCoreFilter duplicates what placement decides');
});

it('reports filters and policies also if an option is wrong', async () => {
  writeFileSync(join(directory, 'policy.yaml'), '"placement:traits:list": "rule:nope"');
  const { said: reported } = await check('[scheduler]\nmax_attempts = x\n[filter_scheduler]\nenabled_filters = Nope');
  expect(reported).toMatch(/max_attempts = "x": must be an integer[^]*Filter Nope could not[^]*refers to rule "nope"/);
});

it('reports the errors of all kinds together', async () => {
  const { said: reported } = await check(
    '[pci]\nalias = {"name": 1}\n[filter_scheduler]\nenabled_filters = Nope\nweight_classes = Nothing\n' +
      '[scheduler]\ndriver = none\n[berth]\nplugins = ./absent.js',
  );
  const expected = ['plug-in ./absent.js', '[pci] alias', 'driver none', 'Filter Nope', 'weigher Nothing'];
  const lines = reported.trim().split('\n');
  expect(lines.map((line) => line.startsWith('berth: ') && expected.find((part) => line.includes(part)))).toEqual(
    expected,
  );
});

it('reads nova.conf in the place of nova-scheduler', async () => {
  const nova = join(directory, 'nova.conf');
  const text = `[nova]\nenabled = true\nconfig_file = ${nova}\n`;
  expect((await check(text)).said).toBe(`berth: ${nova}: there is no such file\n`);
  writeFileSync(
    nova,
    '[api_database]\nconnection = mysql://n:p@db/nova_api\n[filter_scheduler]\nenabled_filters = Nope\n',
  );
  expect(await check(text)).toEqual({ code: 1, said: expect.stringContaining('Scheduler Host Filter Nope') });
});

it("warns of a rule of the operator's own that no rule refers to", async () => {
  const rules = ['"plcement:usages": "@"', '"auditor": "role:auditor"', '"placement:traits:list": "rule:auditor"'];
  writeFileSync(join(directory, 'policy.yaml'), rules.join('\n'));
  const { code, said: reported } = await check('');
  expect(reported).toContain('policy.yaml:1: "plcement:usages" guards no request, and no rule refers to it; did you');
  expect([code, reported.match(/guards no/g)?.length]).toEqual([0, 1]);
});

it.each(Object.entries(DEPLOYED_FILES))('accepts what %s', async (_, { name, text }) => {
  writeFileSync(join(directory, name), text);
  const { code, out, err } = await berth('check', name);
  expect({ code, out }).toEqual({ code: 0, out: 'The configuration is valid.\n' });
  expect(err).toContain('has no effect in Berth');
  expect(err.split('\n').length).toBeLessThan(12);
});

it.each([
  [['show', 'x.conf'], '[scheduler]\nmax_attempts = 4', 0, 'max_attempts = 4', ''],
  [['check', 'x.conf'], '', 0, 'The configuration is valid.', ''],
  [['check', 'x.conf'], '[x]', 0, 'valid', 'x.conf: has no effect in Berth: [x]'],
  [['check', 'berth-x.conf'], '[x]', 1, '', 'berth-x.conf:1: unknown group [x]'],
  [['check', 'y.conf'], '', 1, '', 'there is no such file'],
  [['show', '--what'], '', 2, '', "unknown option '--what'"],
  [[], '', 2, '', 'Usage: berth config'],
  [['check', 'x.conf', 'y.conf'], '', 1, '', 'y.conf: there is no such file'],
  [['show', 'x.conf', 'berth-x.conf'], '[scheduler]\nmax_attempts = 4', 0, '# from berth-x.conf:2', ''],
  [['shw'], '', 2, '', 'Did you mean "berth config show"?'],
])('berth config %j', async (args, text, code, out, err) => {
  for (const name of ['x.conf', 'berth-x.conf']) writeFileSync(join(directory, name), text);
  expect(await berth(...args)).toEqual({ code, out: expect.stringContaining(out), err: expect.stringContaining(err) });
});

it('merges --config and --config-dir in the order given', async () => {
  mkdirSync(join(directory, 'conf.d'));
  writeFileSync(join(directory, 'a.conf'), '[scheduler]\nmax_attempts = 2\nmax_placement_results = 2\npending_ttl = 2');
  writeFileSync(join(directory, 'conf.d/2.conf'), '[scheduler]\nmax_attempts = 4');
  writeFileSync(join(directory, 'conf.d/1.conf'), '[scheduler]\nmax_attempts = 3\nmax_placement_results = 3');
  const said = { out: '', err: '' };
  const streams = { stdout: (text: string) => (said.out += text), stderr: (text: string) => (said.err += text) };
  const args = ['--config', 'a.conf', '--config-dir', 'conf.d', 'config', 'show'];
  expect(await runCli(args, streams, { env: {}, cwd: directory })).toBe(0);
  expect(said.out).toMatch(
    /from conf.d\/2.conf:2\nmax_attempts = 4\n# from conf.d\/1.conf:3\nmax_placement_results = 3/,
  );
  expect(said.out).toContain('# from a.conf:4\npending_ttl = 2');
});
