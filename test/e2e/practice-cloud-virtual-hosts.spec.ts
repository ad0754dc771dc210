// Virtual hosts: created by a command, reported by the service itself, and released to a real reporter.
import { runCli } from '../../src/cli/program';
import { HostsService } from '../../src/compute/hosts/hosts.service';
import { VirtualHosts } from '../../src/practice-cloud/hosts/virtual-hosts.service';
import { DEFAULT_SIZE, virtualReport } from '../../src/practice-cloud/hosts/virtual-report';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Compute } from './practice-cloud';
import { computeOf, succeeding } from './practice-cloud';

const HOUR_MS = 3_600_000;

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let ok: Compute;
  let rounds: VirtualHosts;
  beforeAll(async () => {
    service = await startTestService(kind);
    for (const name of ['virtual-1', 'virtual-2'])
      await service.request({
        method: 'PUT',
        path: `/scheduler/hosts/${name}/${name}`,
        body: virtualReport(name, DEFAULT_SIZE),
      });
    ok = succeeding(computeOf(service));
    rounds = service.app.get(VirtualHosts, { strict: false });
    await ok('flavors', { method: 'POST', body: { flavor: { id: '1', name: 'tiny', ram: 512, vcpus: 2, disk: 3 } } });
  });
  afterAll(() => service.stop());

  const report = async (host: string): Promise<any> =>
    (await service.request({ path: `/scheduler/hosts/${host}/${host}` })).json;

  it('have room', async () => {
    const { json } = await ok('os-hypervisors/detail');
    const shown = (json.hypervisors as any[]).map((each) => [each.hypervisor_hostname, each.state, each.vcpus]);
    expect(shown).toEqual([
      ['virtual-1', 'up', 16],
      ['virtual-2', 'up', 16],
    ]);
  });

  it('are reported again before they count as down, with their instances', async () => {
    const image = { method: 'POST', path: '/scheduler/images', body: { name: 'cirros' } } as const;
    const { json } = await service.request(image);
    const server = { name: 's', flavorRef: '1', imageRef: json.uuid as string, availability_zone: 'nova:virtual-1' };
    const made = await ok('servers', { method: 'POST', body: { server } });
    const before = await report('virtual-1');
    await rounds.round(Date.parse(before.reported_at as string) + HOUR_MS);
    const after = await report('virtual-1');
    expect(after.instances).toMatchObject([{ uuid: made.json.server.id, flavor: 'tiny', project_id: 'ops' }]);
    const [shown] = (await ok('os-hypervisors/detail')).json.hypervisors as any[];
    const used = { vcpus_used: 2, free_ram_mb: 65_024, local_gb_used: 3, free_disk_gb: 997, running_vms: 1 };
    expect(shown).toMatchObject({ hypervisor_hostname: 'virtual-1', ...used });
    await ok(`servers/${made.json.server.id}`, { method: 'DELETE' });
    await rounds.round(Date.parse(after.reported_at as string) + HOUR_MS);
    expect(await report('virtual-1')).toMatchObject({ instances: [] });
    const [left] = (await ok('os-hypervisors/detail')).json.hypervisors as any[];
    expect(left).toMatchObject({ hypervisor_hostname: 'virtual-1', vcpus_used: 0, running_vms: 0 });
  });

  it('are released once a real host reports them', async () => {
    const body = { vcpus_total: 4, memory_mb: 1_024, report_providers: true };
    await service.request({ method: 'PUT', path: '/scheduler/hosts/virtual-2/virtual-2', body });
    const real = await report('virtual-2');
    await rounds.round(Date.parse(real.reported_at as string) + HOUR_MS);
    expect(await report('virtual-2')).toEqual(real);
    const late = { host: 'virtual-2', node: 'virtual-2', body: { vcpus_total: 1 }, over: 'another report' };
    const hosts = service.app.get(HostsService, { strict: false });
    await expect(hosts.report(late)).rejects.toMatchObject({ code: 'scheduler.generation_conflict' });
    expect(await report('virtual-2')).toEqual(real);
  });

  it('are created by command, distributed over zones', async () => {
    const address = await listening(service);
    const run = async (...args: string[]): Promise<readonly [number, string]> => {
      let out = '';
      const take = (text: string): void => void (out += text);
      const code = await runCli(['demo', 'hosts', ...args, '--url', address], { stdout: take, stderr: take });
      return [code, out];
    };
    expect(await run('3', '--zones', 'az1,az2', '--name', 'lab-', '--vcpus', '4')).toEqual([
      0,
      '3 hosts made: lab-1 to lab-3\n',
    ]);
    const zones = (await ok('os-availability-zone/detail')).json.availabilityZoneInfo as any[];
    const hosts = zones.map(({ zoneName, hosts: all }) => [zoneName, Object.keys(all as object)]);
    expect(hosts).toEqual([
      ['az1', ['lab-1', 'lab-3']],
      ['az2', ['lab-2']],
      ['nova', ['virtual-1', 'virtual-2']],
    ]);
    expect(await report('lab-2')).toMatchObject({ vcpus_total: 4, memory_mb: 65_536 });
    expect(await run('4', '--name', 'lab-', '--zones', 'az1')).toEqual([1, expect.stringContaining('409')]);
    expect((await run('0'))[0]).toBe(2);
    expect((await run('1', '--zones', ','))[0]).toBe(2);
  });
});

/** The service's address: commands use HTTP. */
async function listening({ app }: TestService): Promise<string> {
  await app.listen(0, '127.0.0.1');
  return await app.getUrl();
}
