// The practice cloud for suites of `berth plan run`: hosts, servers on given hosts, and the command with credentials.
import { tmpdir } from 'node:os';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import type { TestDatabaseKind } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Compute } from './practice-cloud';
import { computeOf, reportHost, succeeding } from './practice-cloud';

const IMAGE = 'aaaaaaaa-0000-4000-8000-00000000000a';

export interface PlanCloud {
  readonly service: TestService;
  readonly url: string;
  readonly ok: Compute;
  readonly env: Readonly<Record<string, string>>;
  readonly command: (args: readonly string[], heard?: (text: string) => void) => Promise<CommandResult>;
  readonly json: (...args: readonly string[]) => Promise<any>;
  readonly create: (name: string, host: string, more?: object, hints?: object) => Promise<string>;
  readonly hostOf: (id: string) => Promise<string | null>;
  readonly act: (id: string, action: object) => Promise<void>;
  readonly live: (id: string, host: string) => Promise<void>;
  readonly setService: (host: string, change: object) => Promise<void>;
  readonly clear: () => Promise<void>;
}

const HOSTS = ['cn1', 'cn2', 'cn3', 'cn4'];

export async function startPlanCloud(kind: TestDatabaseKind): Promise<PlanCloud> {
  const service = await startTestService(kind, {
    env: {
      BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter',
    },
  });
  await service.app.listen(0, '127.0.0.1');
  const url = await service.app.getUrl();
  const ok = succeeding(computeOf(service));
  for (const host of HOSTS)
    await reportHost(service, host, host === 'cn1' ? { vcpus_total: 20, memory_mb: 32_768 } : { vcpus_total: 8 });
  for (const flavor of [
    { id: '1', name: 'm1.small', ram: 512, vcpus: 1, disk: 1 },
    { id: '8', name: 'm1.wide', ram: 512, vcpus: 8, disk: 1 },
    { id: '9', name: 'm1.huge', ram: 512, vcpus: 9, disk: 1 },
  ]) {
    await ok('flavors', { method: 'POST', body: { flavor } });
  }
  const body = { uuid: IMAGE, name: 'cirros', disk_format: 'qcow2' };
  await service.request({ method: 'POST', path: '/scheduler/images', body });
  const env = {
    BERTH_URL: url,
    HOME: tmpdir(),
    OS_AUTH_URL: `${url}/identity/v3`,
    OS_USERNAME: 'admin',
    OS_PASSWORD: 'any',
    OS_PROJECT_NAME: 'admin',
  };
  const command: PlanCloud['command'] = (args, heard) => berth(env, ['plan', ...args], tmpdir(), heard);
  const setService = async (host: string, change: object): Promise<void> => {
    const { json } = await ok(`os-services?host=${host}`, { version: '2.53' });
    await ok(`os-services/${json.services[0].id}`, { method: 'PUT', version: '2.53', body: change });
  };
  const act = async (id: string, action: object): Promise<void> => {
    await ok(`servers/${id}/action`, { method: 'POST', body: action, version: '2.56' });
  };
  return {
    service,
    url,
    ok,
    env,
    command,
    setService,
    act,
    json: async (...args) => JSON.parse((await command([...args, '--json'])).out) as unknown,
    create: async (name, host, more = {}, hints) => {
      const server = { name, flavorRef: '1', imageRef: IMAGE, availability_zone: `nova:${host}`, ...more };
      const asked = { server, ...(hints !== undefined && { 'os:scheduler_hints': hints }) };
      const { json } = await ok('servers', { method: 'POST', body: asked });
      return json.server.id as string;
    },
    hostOf: async (id) => (await ok(`servers/${id}`)).json.server['OS-EXT-SRV-ATTR:host'] as string | null,
    live: (id, host) => act(id, { 'os-migrateLive': { host, block_migration: 'auto' } }),
    clear: async () => {
      for (const { id } of (await ok('servers?all_tenants=1')).json.servers as { id: string }[]) {
        await ok(`servers/${id}`, { method: 'DELETE' });
      }
      for (const host of HOSTS) await setService(host, { status: 'enabled', forced_down: false });
      await service.database.write((tx) => tx.run('DELETE FROM scheduler_plans'));
    },
  };
}
