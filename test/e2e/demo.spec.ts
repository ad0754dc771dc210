// The demo as an operator runs it: the script in a process of its own, against a service that listens.
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';
import type { TestService } from '../support/service';
import { books, loadWorld } from './scheduler-cloud';

const SCRIPT = join(__dirname, '../../scripts/demo.mjs');

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

function demo(...options: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, ...options], (_, out, errors) =>
      resolve({ code: child.exitCode, out, errors }),
    );
  });
}

describe.each(testDatabaseKinds())('the demo on %s', (kind) => {
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    // The witness of its story needs the filter that reads its hint.
    const env = { BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,DifferentHostFilter' };
    service = await startTestService(kind, { env });
    await service.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
  });
  afterAll(() => service.stop());

  const providers = async (): Promise<string[]> =>
    (await service.request({ path: '/resource_providers' })).json.resource_providers.map(
      ({ name }: { name: string }) => name,
    );

  it('tells its story, succeeds, and leaves nothing behind', async () => {
    await loadWorld(service, 'bystander VCPU:512 MEMORY_MB:9000000 DISK_GB:9000');
    const { code, out, errors } = await demo('--url', url);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toContain('A cloud of 40 hosts in 2 zones');
    expect(out).toMatch(/trainer +→ +galley-[34] +lagoon/);
    expect(out).toMatch(/payroll +→ +(mary-celeste|porthole)-\d/);
    expect(out).toMatch(/\d+ +the root provider has trait COMPUTE_STATUS_DISABLED, which is forbidden/);
    expect(out).toMatch(/DifferentHostFilter|host runs .*, named by the hint different_host/);
    expect(out).toMatch(/hosts? lacks? only /);
    expect(out.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^Released 10 instances and removed \d+ providers; nothing is left behind\.$/),
      expect.stringMatching(/^Done in \d+\.\d s\.$/),
      '',
    ]);
    expect(out).not.toContain('\u001b');
    expect(out).not.toMatch(/undefined|\[object|NaN/);
    expect(await providers()).toEqual(['bystander']);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
    const { json } = await service.request({ path: '/traits?name=startswith:CUSTOM_DEMO_' });
    expect(json.traits).toEqual([]);
  }, 60_000);

  it('can keep the cluster, and be run again on what it kept', async () => {
    const kept = await demo('--url', `${url}/`, '--keep');
    expect(kept.code).toBe(0);
    expect(kept.out).toContain('the cluster stays (--keep)');
    expect(await providers()).toContain('davy-jones-locker');
    const again = await demo('--url', url);
    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(again.out.replace(/http\S+|Done in.*/g, '')).toContain('nothing is left behind.');
    expect(await providers()).toEqual(['bystander']);
  }, 60_000);
});

describe('the demo fails clearly', () => {
  it('when nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
    const { port } = server.address() as AddressInfo;
    await new Promise((resume) => server.close(resume));
    const { code, out, errors } = await demo('--url', `http://127.0.0.1:${port}`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors).toContain(`Berth is not reachable at http://127.0.0.1:${port} (ECONNREFUSED).`);
    expect(errors).toContain('npm start');
  });

  it.each([
    [['--url', 'localhost'], 'localhost is no http URL'],
    [['--speed', '9'], '--speed'],
  ])('for options %j', async (options, message) => {
    const { code, errors } = await demo(...options);
    expect(code).toBe(1);
    expect(errors).toContain(message);
    expect(errors).not.toContain('    at ');
  });
});
