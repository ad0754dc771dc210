// A cloud of three hosts for suites of the servers of the Compute API. After each test, all servers are deleted and no
// allocation remains.
import type { TestDatabaseKind } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Compute, ComputeRequest } from './practice-cloud';
import { computeOf, reportHost, succeeding } from './practice-cloud';
import { books } from './scheduler-cloud';

export const TENANT = 'kim:demo';
export const IMAGE = 'aaaaaaaa-0000-4000-8000-00000000000a';
export const WINDOWS = 'aaaaaaaa-0000-4000-8000-00000000000b';

export interface ServersCloud {
  readonly service: () => TestService;
  readonly ask: Compute;
  /** Throws if the request is refused. */
  readonly ok: Compute;
  readonly make: (server?: object, request?: ComputeRequest, hints?: object) => Promise<TestResponse>;
  readonly create: (server?: object, request?: ComputeRequest, hints?: object) => Promise<string>;
  readonly show: (id: string, request?: ComputeRequest) => Promise<any>;
  readonly hostOf: (id: string) => Promise<string>;
  readonly act: (id: string, action: object, request?: ComputeRequest) => Promise<TestResponse>;
  readonly remove: (id: string, request?: ComputeRequest) => Promise<TestResponse>;
  readonly actions: (id: string) => Promise<any[]>;
  readonly lastAction: (id: string) => Promise<any>;
}

export function startServersCloud(kind: TestDatabaseKind): ServersCloud {
  let service: TestService;
  let ask: Compute;
  let ok: Compute;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: {
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS:
          'ComputeFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,' +
          'SameHostFilter,DifferentHostFilter',
      },
    });
    ask = computeOf(service);
    ok = succeeding(ask);
    for (const host of ['cn1', 'cn2', 'cn3']) {
      await reportHost(service, host, { supported_instances: [['x86_64', 'qemu', 'hvm']] });
    }
    const flavors = [
      { id: '1', name: 'm1.small', ram: 512, vcpus: 1, disk: 1 },
      { id: '2', name: 'm1.medium', ram: 1_024, vcpus: 2, disk: 2 },
      { id: '9', name: 'm1.huge', ram: 512_000, vcpus: 64, disk: 1 },
    ];
    for (const flavor of flavors) await ok('flavors', { method: 'POST', body: { flavor } });
    const images = [
      { uuid: IMAGE, name: 'cirros', disk_format: 'qcow2' },
      { uuid: WINDOWS, name: 'arm', disk_format: 'qcow2', properties: { hw_architecture: 'aarch64' } },
    ];
    for (const body of images) {
      const { status, text } = await service.request({ method: 'POST', path: '/scheduler/images', body });
      if (status !== 201) throw new Error(text);
    }
  });
  afterAll(() => service.stop());

  const body = (server: object = {}, hints?: object): object => ({
    server: { name: 'srv', flavorRef: '1', imageRef: IMAGE, ...server },
    ...(hints !== undefined && { 'os:scheduler_hints': hints }),
  });
  const make = (server: object = {}, request: ComputeRequest = {}, hints?: object): Promise<TestResponse> =>
    ask('servers', { method: 'POST', body: body(server, hints), ...request });
  const create = async (server: object = {}, request: ComputeRequest = {}, hints?: object): Promise<string> => {
    const answer = await make(server, request, hints);
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.json.server.id as string;
  };
  const show = async (id: string, request: ComputeRequest = {}): Promise<any> =>
    (await ok(`servers/${id}`, request)).json.server;
  const hostOf = async (id: string): Promise<string> => (await show(id))['OS-EXT-SRV-ATTR:host'] as string;
  const act = (id: string, action: object, request: ComputeRequest = {}): Promise<TestResponse> =>
    ask(`servers/${id}/action`, { method: 'POST', body: action, ...request });
  const remove = (id: string, request: ComputeRequest = {}): Promise<TestResponse> =>
    ask(`servers/${id}`, { method: 'DELETE', ...request });
  const actions = async (id: string): Promise<any[]> =>
    (await ok(`servers/${id}/os-instance-actions`)).json.instanceActions as any[];
  const lastAction = async (id: string): Promise<any> => {
    const [{ request_id: request }] = await actions(id);
    return (await ok(`servers/${id}/os-instance-actions/${request}`, { version: '2.84' })).json.instanceAction;
  };

  afterEach(async () => {
    const { json } = await ok('servers?all_tenants=1');
    for (const { id } of json.servers as { id: string }[]) await remove(id);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  return {
    service: () => service,
    ask: (path, request) => ask(path, request),
    ok: (path, request) => ok(path, request),
    make,
    create,
    show,
    hostOf,
    act,
    remove,
    actions,
    lastAction,
  };
}
