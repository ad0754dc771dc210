// Every log line of a request has its request id, its caller, and the caller's own request id.
import { newAccessToken } from '../../src/platform/auth/static/access-token';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const HOST = '4e8e5957-649f-477b-9e5b-f1f75b21c03c';
const GLOBAL_ID = 'req-11111111-2222-4333-8444-555555555555';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
}

let service: TestService;
let lines: Line[] = [];

/** The answer, and the log lines of its request. */
async function asked(
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  method: 'PUT' | 'POST' = 'PUT',
): Promise<{ readonly status: number; readonly lines: readonly Line[] }> {
  lines = [];
  const answer = await service.request({
    path,
    headers: { 'x-openstack-request-id': GLOBAL_ID, ...headers },
    ...(body !== undefined && { method, body }),
  });
  const own = { request_id: answer.headers['x-openstack-request-id'], global_request_id: GLOBAL_ID };
  // Loading the provider graph serves all waiting requests.
  const about = lines.filter(({ message }) => message !== 'provider graph loaded');
  for (const line of about) expect(line).toMatchObject(own);
  return { status: answer.status, lines: about };
}

const messages = ({ lines: written }: { readonly lines: readonly Line[] }): readonly string[] =>
  written.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level}: ${message.split(' ')[0]}`);

beforeAll(async () => {
  service = await startTestService('sqlite', {
    log: (line) => lines.push(JSON.parse(line) as Line),
    overrides: { placement: { max_allocation_candidates: 1 } },
  });
  await service.request({ method: 'POST', path: '/resource_providers', body: { name: 'host', uuid: HOST } });
});
afterAll(() => service.stop());

const inventories = (generation: number, total: number): object => ({
  resource_provider_generation: generation,
  inventories: { VCPU: { total } },
});

it('a read: one line when it starts, one when it ends', async () => {
  const read = await asked('/resource_providers');
  expect(read.status).toBe(200);
  expect(read.lines).toEqual([
    expect.objectContaining({ level: 'debug', message: expect.stringMatching(/^Starting request: /) }),
    expect.objectContaining({ level: 'info', user: 'admin', project: 'admin', status: 200, microversion: '1.39' }),
  ]);
});

it('refusals, at the edge and in the routes', async () => {
  expect(messages(await asked('/nowhere'))).toHaveLength(1);
  expect(messages(await asked('/traits', undefined, { accept: 'text/html' }))).toHaveLength(1);
  const unread = await asked('/traits', undefined, { 'openstack-api-version': 'placement 99.1' });
  expect(unread.status).toBe(406);
  expect(messages(unread)).toHaveLength(1);
});

it('an inventory below its usage', async () => {
  expect((await asked(`/resource_providers/${HOST}/inventories`, inventories(0, 4))).status).toBe(200);
  const claim = {
    allocations: { [HOST]: { resources: { VCPU: 4 } } },
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  };
  expect((await asked('/allocations/00000000-0000-4000-8000-000000000001', claim)).status).toBe(204);
  const shrunk = await asked(`/resource_providers/${HOST}/inventories`, inventories(2, 2));
  expect(shrunk.status).toBe(200);
  expect(messages(shrunk)).toEqual(['warn: inventory', expect.stringMatching(/^info: /)]);
});

it('a truncated search', async () => {
  const other = HOST.replace('4', '5');
  await service.request({ method: 'POST', path: '/resource_providers', body: { name: 'other', uuid: other } });
  await asked(`/resource_providers/${other}/inventories`, inventories(0, 4));
  await asked(`/resource_providers/${HOST}/inventories`, inventories(3, 8));
  for (const path of ['/allocation_candidates', '/allocation_candidates/explain']) {
    const cut = await asked(`${path}?resources=VCPU:1`);
    expect(cut.status).toBe(200);
    expect(messages(cut)).toEqual(['warn: a', expect.stringMatching(/^info: /)]);
  }
});

it('a failure of the database, with its cause', async () => {
  const { database } = service;
  const read = jest.spyOn(database, 'read').mockRejectedValue(new Error('the disk is gone'));
  const failed = await asked('/resource_providers?name=h');
  read.mockRestore();
  expect(failed.status).toBe(500);
  expect(failed.lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      user: 'admin',
      err: expect.objectContaining({ message: 'the disk is gone' }),
    }),
  );
});

it('the decisions of the scheduler, by every route', async () => {
  const vm = '00000000-0000-4000-8000-000000000001';
  for (const name of ['one', 'two']) {
    const report = { vcpus_total: 16, vcpus_used: 0, memory_mb: 4_096, free_ram_mb: 4_096, local_gb: 100 };
    await asked(`/scheduler/hosts/${name}/${name}`, { ...report, report_providers: true });
  }
  const flavor = { name: 'f', vcpus: 1, memory_mb: 64 };
  const body = { project_id: 'p', user_id: 'u', flavor };
  const post = async (path: string, document: object): Promise<readonly string[]> => {
    const answer = await asked(path, document, {}, 'POST');
    expect(answer.lines.filter(({ level }) => level !== 'debug').at(-1)).toMatchObject({
      user: 'admin',
      project: 'admin',
    });
    return messages(answer);
  };
  // The maximum of candidates is that of the API: it would hide hosts.
  const whole = [expect.stringMatching(/^info: /)];
  expect(await post('/scheduler/explain', { ...body, num_instances: 1 })).toEqual(whole);
  expect(await post('/scheduler/capacity', { flavor })).toEqual(whole);
  expect(await post('/scheduler/select_destinations', { ...body, instances: [vm] })).toEqual(whole);
  const { host } = (await service.request({ path: `/scheduler/instances/${vm}` })).json as { host: string };
  const at = `/scheduler/instances/${vm}`;
  expect(await post(`${at}/build_failed`, { host })).toContainEqual(expect.stringMatching(/^info: /));
  expect(await post(`${at}/move`, { type: 'live_migrate' })).toContainEqual(expect.stringMatching(/^info: /));
});

it('never shows a token of the address', async () => {
  const token = newAccessToken();
  for (const path of [`/traits?token=${token}`, `/traits/${token}`, `/resource_providers?name=${token}`]) {
    await asked(path);
    expect(lines.length).toBeGreaterThan(1);
    expect(JSON.stringify(lines)).not.toContain(token.slice('berth_'.length));
  }
});
