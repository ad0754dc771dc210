// The list of placed instances over HTTP on both databases: names from requests and from the Compute API, filters, pages.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, select } from './scheduler-cloud';

const WORLD = `
cn1  VCPU:64 MEMORY_MB:65536
cn2  VCPU:64 MEMORY_MB:65536
`;

describe.each(testDatabaseKinds())('the list of instances on %s', (kind) => {
  let service: TestService;
  const call = async (method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string, body?: object): Promise<Json> => {
    const answer = await service.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const listed = (query = ''): Promise<Json> => call('GET', `/reports/instances?${query}`);
  const names = async (query = ''): Promise<(string | null)[]> =>
    (await listed(query)).instances.map(({ name }: Json) => name as string | null);
  const place = async (at: number, name: string | null, more: object = {}): Promise<void> => {
    const named = name === null ? {} : { instance_names: { [instance(at)]: name } };
    const { status } = await select(service, { flavor: 'small', instances: [instance(at)], ...named, ...more });
    expect(status).toBe(200);
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
    await call('POST', '/scheduler/flavors', { id: 'small', name: 'm1.small', vcpus: 1, memory_mb: 512 });
    await call('POST', '/scheduler/flavors', { id: 'large', name: 'm1.large', vcpus: 4, memory_mb: 512 });
    const group = { uuid: instance(90), name: 'apart', policy: 'anti-affinity', project_id: 'p' };
    await call('POST', '/scheduler/server_groups', group);
    await place(1, 'web-10');
    await place(2, 'web-2', { flavor: 'large', force_hosts: ['cn2'] });
    await place(3, 'DB-1', { instance_group: instance(90), force_hosts: ['cn1'] });
    await place(4, null, { project_id: 'other' });
  });
  afterAll(() => service.stop());

  it('lists the newest first, with everything that a list shows', async () => {
    const { instances, next_marker: next } = await listed();
    expect(next).toBeNull();
    expect(await listed('with=count&limit=1')).toMatchObject({ count: 4 });
    expect(instances.map(({ name }: Json) => name as unknown)).toEqual([null, 'DB-1', 'web-2', 'web-10']);
    expect(instances[1]).toEqual({
      uuid: instance(3),
      name: 'DB-1',
      project_id: expect.any(String) as string,
      user_id: expect.any(String) as string,
      flavor: 'm1.small',
      image: null,
      host: 'cn1',
      host_uuid: expect.any(String) as string,
      availability_zone: null,
      server_group: { uuid: instance(90), name: 'apart' },
      state: 'placed',
      decision: expect.stringMatching(/^req-/) as string,
      created_at: expect.any(String) as string,
    });
  });

  it.each([
    ['search=web', ['web-10', 'web-2']],
    ['search=db', ['DB-1']],
    ['search=B-', ['DB-1', 'web-10', 'web-2']],
    ['search=nothing', []],
    ['host=cn2', ['web-2']],
    ['flavor=m1.large', ['web-2']],
    ['flavor=large', ['web-2']],
    ['project_id=other', [null]],
    [`server_group=${instance(90)}`, ['DB-1']],
    ['search=web&host=cn2', ['web-2']],
    ['search=web&project_id=other', []],
  ])('filters by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect(await listed(`${query}&with=count&limit=1`)).toMatchObject({
      count: query.startsWith('search=') ? null : expected.length,
    });
  });

  it('finds an instance by its uuid or the beginning of it', async () => {
    expect(await names(`search=${instance(3)}`)).toEqual(['DB-1']);
    const all = await names(`search=${instance(3).slice(0, 8)}`);
    expect(all).toContain('DB-1');
  });

  it.each(['', 'search=b-', 'search=web&flavor=m1.small', `search=${instance(3).slice(0, 8)}`])(
    'pages through %j',
    async (query) => {
      const whole = (await listed(query)).instances.map(({ uuid }: Json) => uuid as string);
      const read: string[] = [];
      let marker = '';
      do {
        const page = await listed(`${query}&limit=1${marker === '' ? '' : `&marker=${marker}`}`);
        read.push(...page.instances.map(({ uuid }: Json) => uuid as string));
        marker = page.next_marker ?? '';
      } while (marker !== '');
      expect(read).toEqual(whole);
    },
  );

  it('keeps the name when the instance moves', async () => {
    await call('POST', `/scheduler/instances/${instance(1)}/move`, { type: 'live_migrate' });
    await call('POST', `/scheduler/instances/${instance(1)}/confirm_move`);
    expect(await names('search=web-10')).toEqual(['web-10']);
  });

  it('forgets released instances', async () => {
    await call('DELETE', `/scheduler/instances/${instance(4)}`);
    expect(await names('project_id=other')).toEqual([]);
  });

  it.each([
    ['flavor=none', "'flavor' names no flavor"],
    [`marker=${instance(80)}`, 'marker'],
    ['limit=1001', 'limit'],
    ['name=x', 'name'],
  ])('refuses %s', async (query, text) => {
    const answer = await service.request({ path: `/reports/instances?${query}` });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
  });
});
