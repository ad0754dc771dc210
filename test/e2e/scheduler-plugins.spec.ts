// A plug-in's filter, weigher and prefilter from a separate file, by configuration alone: each runs, rejects and is
// explained; every invalid name stops the start-up and is reported.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_IN_WEIGHERS } from '../../src/scheduling-rules/weighers';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { clear, hostsOf, loadWorld, select } from './scheduler-cloud';

const EXAMPLE = join(__dirname, '../../docs/examples/requested-host.js');
const FOLDER = join(__dirname, '../support/foreign-plugin');
const RACKS = `
  r1.long-name VCPU:8 MEMORY_MB:8192
  r1.a         VCPU:8 MEMORY_MB:4096
  r2.b         VCPU:8 MEMORY_MB:2048 {CUSTOM_GPU_ROOM}
`;
/** The separator of racks is a dot here: an option of the plug-in, set in the environment. */
const PLUGGED_IN = {
  BERTH_BERTH__PLUGINS: './plugin.js',
  BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'RackFilter,NumInstancesFilter',
  BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'nova.scheduler.weights.all_weighers,ShortNameWeigher',
  BERTH_FILTER_SCHEDULER__RACK_SEPARATOR: '.',
};

describe.each(testDatabaseKinds())('a plug-in on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { env: PLUGGED_IN, cwd: FOLDER });
  });
  afterAll(() => service.stop());
  beforeEach(() => loadWorld(service, RACKS));
  afterEach(() => clear(service));

  it('is described with its origin and its effective options', async () => {
    const { json } = await service.request({ path: '/scheduler' });
    expect(json.filters.map(({ name }: Json) => name)).toEqual(['RackFilter', 'NumInstancesFilter']);
    expect(json.filters[0]).toMatchObject({
      source: './plugin.js',
      summary: 'Rejects hosts outside of the rack that the hint rack names.',
      options: [{ group: 'filter_scheduler', name: 'rack_separator', value: '.', default: '-' }],
    });
    expect(json.weighers.map(({ name }: Json) => name)).toEqual([
      ...BUILT_IN_WEIGHERS.map(({ name }) => name),
      'ShortNameWeigher',
    ]);
    expect(json.prefilters.at(-1).name).toBe('GpuProjectPrefilter');
  });

  it('filters by its own option, and is explained in its own words', async () => {
    const answer = await select(service, { scheduler_hints: { rack: 'r2' } });
    expect(hostsOf(answer)).toEqual(['r2.b']);
    expect(answer.json.decision.request.ignored).toEqual([]);
    expect(answer.json.decision.passes[0].stages[1]).toMatchObject({
      kind: 'filter',
      name: 'RackFilter',
      in: 3,
      out: 1,
      rejections: {
        by_code: { wrong_rack: 2 },
        hosts: [
          { host: 'r1.long-name', code: 'wrong_rack', message: 'host is in rack r1; the request wants r2' },
          { host: 'r1.a', params: { actual: 'r1', wanted: 'r2' } },
        ],
      },
    });
  });

  it('rejects the last host, and the refusal shows it', async () => {
    const { status, json } = await select(service, { scheduler_hints: { rack: 'r9' } });
    expect(status).toBe(409);
    expect(json.errors[0]).toMatchObject({
      code: 'scheduler.no_valid_host',
      decision: { summary: { rejected: { 'RackFilter.wrong_rack': 3 } } },
    });
    expect(json.errors[0].decision.summary.sentence).toMatch(
      /^0 of 3 hosts fit: no host passes RackFilter \(host is in rack .*; the request wants r9, or similar\)\.$/,
    );
  });

  it('weighs, and its part of each weight is shown', async () => {
    const answer = await select(service);
    expect(hostsOf(answer)).toEqual(['r1.a']);
    const { hosts } = answer.json.decision.passes[0].weighers.find(({ name }: Json) => name === 'ShortNameWeigher');
    expect(hosts).toContainEqual({
      host: 'r1.long-name',
      node: 'r1.long-name',
      raw: -12,
      normalized: 0,
      multiplier: 10,
      score: 0,
    });
  });

  it('adds conditions before the query to Placement, which Placement explains', async () => {
    const answer = await select(service, { project_id: 'gpu-1', explain: 'all' });
    expect(hostsOf(answer)).toEqual(['r2.b']);
    expect(answer.json.decision).toMatchObject({
      placement: { hosts: 1, rejections: { by_code: { missing_trait: 2 } } },
    });
    expect(answer.json.decision.prefilters.at(-1)).toMatchObject({
      name: 'GpuProjectPrefilter',
      ran: true,
      because: 'project gpu-1',
      added: { root_required: ['CUSTOM_GPU_ROOM'] },
    });
  });

  it('refuses a request in its own words', async () => {
    const { status, json } = await select(service, { project_id: 'closed' });
    expect(status).toBe(409);
    expect(json.errors[0]).toMatchObject({ code: 'scheduler.no_valid_host', decision: { placement: null } });
    expect(json.errors[0].detail).toContain('project closed is closed');
  });

  it('adds its limits to the built-in ones', async () => {
    await select(service, { num_instances: 2, scheduler_hints: { rack: 'r1' } });
    const { json } = await select(service, { scheduler_hints: { rack: 'r1' } });
    expect(json.decision.passes[0].stages[2]).toMatchObject({ name: 'NumInstancesFilter', in: 2, out: 2 });
  });
});

describe.each(testDatabaseKinds())('the example of the documentation, from another folder, on %s', (kind) => {
  let folder: string;
  let service: TestService;
  const boot = (env: Record<string, string> = {}): Promise<TestService> =>
    startTestService(kind, {
      env: {
        BERTH_BERTH__PLUGINS: './ours.js',
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,RequestedHostFilter',
        BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'RAMWeigher',
        ...env,
      },
      cwd: folder,
    });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'berth-example-'));
    copyFileSync(EXAMPLE, join(folder, 'ours.js'));
    service = await boot();
    await loadWorld(service, RACKS);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  const stageOf = ({ json }: { json: Json }): Json =>
    (json.decision ?? json.errors[0].decision).passes[0].stages.find(
      ({ name }: Json) => name === 'RequestedHostFilter',
    );
  const ask = (requested: unknown, on = service): ReturnType<typeof select> =>
    select(on, { scheduler_hints: { requested_host: requested }, dry_run: true });

  it('follows the hint, and explains itself', async () => {
    const answer = await ask('r2.b');
    expect(hostsOf(answer)).toEqual(['r2.b']);
    expect(answer.json.decision.request.ignored).toEqual([]);
    expect(stageOf(answer)).toMatchObject({
      in: 3,
      out: 1,
      skipped: false,
      rejections: {
        by_code: { not_requested: 2 },
        hosts: [
          {
            host: 'r1.long-name',
            params: { wanted: ['r2.b'] },
            message: expect.stringMatching(/ r2\.b, not r1\.long/),
          },
          { host: 'r1.a', message: 'the hint requested_host names r2.b, not r1.a' },
        ],
      },
    });
  });

  it('accepts several names, and chooses the best of those hosts', async () => {
    expect(hostsOf(await ask(['r2.b', 'r1.a']))).toEqual(['r1.a']);
  });

  it('is skipped without the hint', async () => {
    const answer = await select(service, { dry_run: true });
    expect(hostsOf(answer)).toEqual(['r1.long-name']);
    expect(stageOf(answer)).toMatchObject({ in: 3, out: 3, rejections: { hosts: [] } });
  });

  it('refuses an unknown host name, in its own words', async () => {
    const answer = await ask('r9');
    expect(answer).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_valid_host' }] } });
    expect(answer.json.errors[0].decision.summary.rejected).toEqual({ 'RequestedHostFilter.not_requested': 3 });
  });

  it('has an option, off and on', async () => {
    expect((await ask('R2.B')).status).toBe(409);
    const lenient = await boot({ BERTH_FILTER_SCHEDULER__REQUESTED_HOST_IGNORES_CASE: 'true' });
    await loadWorld(lenient, RACKS);
    expect(hostsOf(await ask('R2.B', lenient))).toEqual(['r2.b']);
    await lenient.stop();
  });

  it('does nothing while loaded but not enabled; the hint is reported as ignored', async () => {
    const idle = await boot({ BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter' });
    await loadWorld(idle, RACKS);
    const answer = await ask('r2.b', idle);
    expect(hostsOf(answer)).toEqual(['r1.long-name']);
    expect(answer.json.decision.request.ignored).toMatchObject([{ field: 'scheduler_hints.requested_host' }]);
    await idle.stop();
  });

  it('is included in the documentation unchanged', () => {
    const page = readFileSync(join(__dirname, '../../docs/scheduler-plugins.md'), 'utf8');
    expect(page).toContain(readFileSync(EXAMPLE, 'utf8').trim());
  });
});

describe('the start-up stops', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-plugins-'));
    const twin = `{ name: 'NumInstancesFilter', summary: 'twin', rejections: {}, check: (h, s, { pass }) => pass }`;
    writeFileSync(join(folder, 'twin.js'), `module.exports = { filters: [${twin}] };\n`);
    writeFileSync(join(folder, 'broken.js'), `throw new Error('wires crossed');\n`);
    writeFileSync(join(folder, 'typo.js'), `module.exports = { filter: [] };\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const boot = (env: Record<string, string>, cwd = FOLDER): Promise<TestService> =>
    startTestService('sqlite', { env: { ...PLUGGED_IN, ...env }, cwd });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a misspelt filter', { BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'RakFilter' }, /RakFilter could not be found/],
    ['a misspelt weigher', { BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'ShortNmWeigher' }, /ShortNmWeigher could not be/],
    ['a misspelt path', { BERTH_BERTH__PLUGINS: './plugn.js' }, /plug-in \.\/plugn\.js could not be loaded/],
    ['the same plug-in twice', { BERTH_BERTH__PLUGINS: './plugin.js,./plugin.js' }, /two filters are named RackFilter/],
    ['a misspelt option', { BERTH_FILTER_SCHEDULER__RACK_SEPERATOR: '.' }, /rack_seperator/i],
  ])('for %s, with its name', async (_, env, message) => {
    await expect(boot(env)).rejects.toThrow(message);
  });

  it.each<[string, string, RegExp]>([
    [
      'has the name of a built-in part',
      './twin.js',
      /two filters are named NumInstancesFilter: built in and .*twin\.js/,
    ],
    ['throws while it is loaded', './broken.js', /broken\.js could not be loaded: wires crossed/],
    ['exports something unknown', './typo.js', /typo\.js exports filter;/],
  ])('for a plug-in that %s', async (_, plugin, message) => {
    const env = { BERTH_BERTH__PLUGINS: plugin, BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'NumInstancesFilter' };
    await expect(startTestService('sqlite', { env, cwd: folder })).rejects.toThrow(message);
  });
});
