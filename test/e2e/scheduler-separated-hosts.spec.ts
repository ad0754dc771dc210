// Windows and Linux hosts separated by host aggregates: the pitfall and its remedies.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse } from '../support/service';
import { hostsOf } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { decisionOf, rankedOf, reasonsOf, stageOf } from './scheduler-operator';
import { withCloud } from './three-hosts';

const ISOLATION = 'AggregateImagePropertiesIsolation';

/** Hosts alpha and beta run Linux, gamma Windows; all images but one have a type. */
async function partition(operator: Operator): Promise<{ readonly linux: string; readonly windows: string }> {
  await operator.image('windows-server', { properties: { os_type: 'windows' } });
  await operator.image('debian', { properties: { os_type: 'linux' } });
  await operator.image('mystery', {});
  return {
    linux: await operator.aggregate('linux-hosts', ['alpha', 'beta']),
    windows: await operator.aggregate('windows-hosts', ['gamma'], { os_type: 'windows' }),
  };
}

describe.each(testDatabaseKinds())('Windows and Linux separated, on %s', (kind) => {
  const cloud = withCloud(kind, { BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: `ComputeFilter,${ISOLATION}` });
  let linux: string;
  beforeEach(async () => {
    ({ linux } = await partition(cloud.operator));
  });
  const notesOf = (answer: TestResponse): Record<string, string> => {
    const notes = decisionOf(answer).passes[0].passed_because as { host: string; filter: string; message: string }[];
    for (const { filter } of notes) expect(filter).toBe(ISOLATION);
    return Object.fromEntries(notes.map(({ host, message }) => [host, message]));
  };
  const cure = (): Promise<unknown> =>
    cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${linux}/metadata`, { metadata: { os_type: 'linux' } });

  it('the pitfall: hosts whose aggregate lacks the key accept a Windows image, and the decision explains it', async () => {
    await cloud.operator.report('lone', 2_048);
    const answer = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(answer)).toEqual(['alpha']);
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma', 'lone']);
    expect(notesOf(answer)).toEqual({
      alpha: 'passed because the host aggregates linux-hosts have no key os_type',
      beta: 'passed because the host aggregates linux-hosts have no key os_type',
      lone: 'passed because the host is in no host aggregate that could name os_type',
    });
    expect(stageOf(answer, ISOLATION)).toMatchObject({ in: 4, out: 4 });
  });

  it('half of the separation works at once: Windows hosts accept no Linux image', async () => {
    const answer = await cloud.select({ image: 'debian' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta']);
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      gamma: 'the image has os_type = "linux"; the host aggregates take windows',
    });
  });

  it('the remedy: every aggregate of hosts has the key', async () => {
    await cure();
    const windows = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(windows)).toEqual(['gamma']);
    expect(rankedOf(windows)).toEqual(['gamma']);
    expect(reasonsOf(windows, ISOLATION)).toEqual({
      alpha: 'the image has os_type = "windows"; the host aggregates take linux',
      beta: 'the image has os_type = "windows"; the host aggregates take linux',
    });
    expect(notesOf(windows)).toEqual({});
    const debian = await cloud.select({ image: 'debian' });
    expect(rankedOf(debian)).toEqual(['alpha', 'beta']);
    expect(notesOf(debian)).toEqual({});
  });

  it('the rest of the pitfall: an image without a type goes to any host, which is noted', async () => {
    await cure();
    const answer = await cloud.select({ image: 'mystery' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'gamma']);
    expect(notesOf(answer)).toEqual({
      alpha: 'passed because the image has no property os_type, which the host aggregates linux-hosts name',
      beta: 'passed because the image has no property os_type, which the host aggregates linux-hosts name',
      gamma: 'passed because the image has no property os_type, which the host aggregates windows-hosts name',
    });
  });

  it('a host of both types accepts both, with a comma or two aggregates', async () => {
    await cure();
    await cloud.operator.aggregate('more-windows', ['beta'], { os_type: 'windows' });
    expect(rankedOf(await cloud.select({ image: 'windows-server' }))).toEqual(['beta', 'gamma']);
    await cloud.operator.ok('PATCH', `/scheduler/host_aggregates/${linux}/metadata`, {
      metadata: { os_type: 'linux, windows' },
    });
    expect(rankedOf(await cloud.select({ image: 'windows-server' }))).toEqual(['alpha', 'beta', 'gamma']);
  });

  it('is checked again for a rebuild with another image', async () => {
    await cure();
    const rebuild = { scheduler_hints: { _nova_check_type: 'rebuild' }, force_hosts: ['alpha'] };
    const same = await cloud.select({ ...rebuild, image: 'debian' });
    expect(hostsOf(same)).toEqual(['alpha']);
    expect(await cloud.operator.instances()).toEqual([]);
    const other = await cloud.select({ ...rebuild, image: 'windows-server' });
    expect(other).toMatchObject({ status: 409, json: { errors: [{ code: 'scheduler.no_valid_host' }] } });
    expect(reasonsOf(other, ISOLATION)).toEqual({
      alpha: 'the image has os_type = "windows"; the host aggregates take linux',
    });
  });
});

describe.each(testDatabaseKinds())('Windows and Linux strictly separated, on %s', (kind) => {
  const cloud = withCloud(kind, {
    BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: `ComputeFilter,${ISOLATION}`,
    BERTH_FILTER_SCHEDULER__AGGREGATE_IMAGE_PROPERTIES_ISOLATION_STRICT: 'os_type',
  });
  beforeEach(async () => {
    await partition(cloud.operator);
    await cloud.operator.report('lone', 2_048);
  });

  it('a host without the key accepts no image with a type', async () => {
    const answer = await cloud.select({ image: 'windows-server' });
    expect(hostsOf(answer)).toEqual(['gamma']);
    expect(rankedOf(answer)).toEqual(['gamma']);
    const reported = (aggregates: string): string =>
      `the image has os_type = "windows"; no host aggregate of the host (${aggregates}) has that key, as it must`;
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      alpha: reported('linux-hosts'),
      beta: reported('linux-hosts'),
      lone: reported('none'),
    });
    expect(decisionOf(answer).passes[0].passed_because).toEqual([]);
  });

  it('an image without a type goes to hosts without the key', async () => {
    const answer = await cloud.select({ image: 'mystery' });
    expect(rankedOf(answer)).toEqual(['alpha', 'beta', 'lone']);
    expect(reasonsOf(answer, ISOLATION)).toEqual({
      gamma: 'the host aggregates take os_type = windows; the image does not have that property, as it must',
    });
  });
});
