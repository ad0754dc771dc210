// `berth hosts|host|candidates|why|capacity` against the service: the output in a terminal.
import { berth } from '../support/command-line';
import type { CommandResult } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';
import type { TestService } from '../support/service';

const REPORT = { vcpus_total: 8, memory_mb: 16_384, local_gb: 100, report_providers: true };

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let url: string;
  const must = async (method: 'PUT' | 'POST' | 'PATCH', path: string, body: object): Promise<void> => {
    const { status, text } = await service.request({ method, path: `/scheduler/${path}`, body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  beforeAll(async () => {
    service = await startTestService(kind);
    await service.app.listen(0, '127.0.0.1');
    url = await service.app.getUrl();
    for (const host of ['quay-1', 'quay-2', 'quay-3']) await must('PUT', `hosts/${host}/${host}`, REPORT);
    await must('POST', 'host_aggregates', {
      name: 'harbour',
      availability_zone: 'harbour',
      hosts: ['quay-1', 'quay-2', 'quay-3'],
    });
    await must('PATCH', 'services/quay-3', { status: 'disabled', disabled_reason: 'broken fan' });
    await must('POST', 'flavors', { name: 'm1.small', vcpus: 4, memory_mb: 1_024 });
    await must('POST', 'flavors', { name: 'm1.huge', vcpus: 64, memory_mb: 1_024 });
  });
  afterAll(() => service.stop());

  const command = (...args: readonly string[]): Promise<CommandResult> => berth({ BERTH_URL: url }, args);

  it('hosts are listed and filtered', async () => {
    const { code, out } = await command('hosts');
    expect(code).toBe(0);
    expect(out).toMatch(/^host +node +status +state/);
    expect(out).toMatch(/quay-1 +quay-1 +enabled +up/);
    expect((await command('hosts', '--status', 'disabled')).out.trim().split('\n')).toHaveLength(2);
    const listed = JSON.parse((await command('hosts', '--zone', 'harbour', '--json')).out) as readonly object[];
    expect(listed).toHaveLength(3);
  });

  it('a host shows its free amounts', async () => {
    const { code, out } = await command('host', 'quay-3');
    expect(code).toBe(0);
    expect(out).toContain('quay-3, node quay-3: disabled (broken fan), up');
    expect(out).toMatch(/quay-3 +MEMORY_MB +16384 +\d+ +1(\.\d+)? +0 +\d+/);
    expect(out).toContain('traits of quay-3: COMPUTE_STATUS_DISABLED');
    expect(await command('host', 'quay-9')).toMatchObject({ code: 1, err: expect.stringContaining('no host quay-9') });
  });

  it('candidates are named, and an empty result is reported', async () => {
    const { code, out } = await command(
      'candidates',
      'VCPU=2',
      'MEMORY_MB=512',
      '--forbidden',
      'COMPUTE_STATUS_DISABLED',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/1 +quay-\d +MEMORY_MB=512,VCPU=2|1 +quay-\d +VCPU=2,MEMORY_MB=512/);
    expect(out).not.toContain('quay-3');
    expect(await command('candidates', 'VCPU=9999')).toMatchObject({ code: 1, out: '' });
    expect(await command('candidates', 'VCPU')).toMatchObject({
      code: 1,
      err: expect.stringContaining('CLASS=AMOUNT'),
    });
    expect(await command('candidates', 'CUSTOM_NO=1')).toMatchObject({ code: 1, err: expect.stringMatching(/^400: /) });
  });

  it('why shows the status of a host', async () => {
    expect(await command('why', 'quay-1', '--flavor', 'm1.small')).toMatchObject({
      code: 0,
      out: expect.stringContaining('quay-1 passes with weight'),
    });
    const placed = await command('why', 'quay-1', '--flavor', 'm1.small');
    expect(placed.out).not.toMatch(/^Placed/m);
    expect(placed.out).toMatch(/An instance would be placed on \S+ now\. Nothing was claimed\.\n$/);
    const disabled = await command('why', 'quay-3', '--flavor', 'm1.small');
    expect(disabled.code).toBe(1);
    expect(disabled.out).toMatch(/the compute service is disabled: .* \(since \d{4}-\S+Z\) \(forbidden_trait\)/);
    const huge = await command('why', 'quay-1', '--flavor', 'm1.huge');
    expect([huge.code, huge.out]).toEqual([1, expect.stringContaining('VCPU: 64 asked > max_unit 8 (above_max_unit)')]);
    expect(await command('why', 'quay-1', '--flavor', 'none')).toMatchObject({ code: 1, out: '' });
  });

  it('capacity counts instances', async () => {
    const { code, out } = await command('capacity', '--flavor', 'm1.small');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+ more fit\./);
    expect(out).toMatch(/harbour +2 +\d+/);
    expect(out).toMatch(/placement\.forbidden_trait +1/);
  });

  it('reports an unreachable service, and one of another kind', async () => {
    const gone = await command('hosts', '--url', 'http://127.0.0.1:9');
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 does not answer')]);
    const refused = await command('hosts', '--token', 'nobody');
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^403: /)]);
  });
});
