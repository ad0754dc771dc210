// Use by project over HTTP on both databases: shares of the cloud, orders, pages, and the largest consumers of a project.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, select } from './scheduler-cloud';

const WORLD = `
cn1   VCPU:16 MEMORY_MB:32768
cn2   VCPU:16 MEMORY_MB:32768
pool  DISK_GB:1000
`;

describe.each(testDatabaseKinds())('use by project on %s', (kind) => {
  let service: TestService;
  const read = async (path: string): Promise<Json> => {
    const answer = await service.request({ path: `/reports/projects${path}` });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const ids = async (query = ''): Promise<string[]> =>
    (await read(`?${query}`)).projects.map(({ project_id: id }: Json) => id as string);
  const claim = async (consumer: number, project: string, amounts: object, type = 'INSTANCE'): Promise<void> => {
    const allocations = Object.entries(amounts).map(([host, resources]) => [providerUuid(host), { resources }]);
    const body = {
      allocations: Object.fromEntries(allocations) as object,
      project_id: project,
      user_id: 'user',
      consumer_generation: null,
      consumer_type: type,
    };
    const { status, text } = await service.request({ method: 'PUT', path: `/allocations/${instance(consumer)}`, body });
    if (status !== 204) throw new Error(text);
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
    await claim(1, 'web', { cn1: { VCPU: 2, MEMORY_MB: 1024 } });
    await claim(2, 'web', { cn2: { VCPU: 6, MEMORY_MB: 512 }, pool: { DISK_GB: 100 } });
    await claim(3, 'a/b ü', { cn1: { VCPU: 1, MEMORY_MB: 16384 } });
    await claim(4, 'volumes', { pool: { DISK_GB: 500 } }, 'VOLUME');
    const flavor = { id: 'small', name: 'm1.small', vcpus: 4, memory_mb: 512 };
    await service.request({ method: 'POST', path: '/scheduler/flavors', body: flavor });
    const placed = { flavor: 'small', project_id: 'web', instances: [instance(5)], force_hosts: ['cn2'] };
    expect((await select(service, { ...placed, instance_names: { [instance(5)]: 'web-1' } })).status).toBe(200);
  });
  afterAll(() => service.stop());

  it('has the use of each class, its share of the cloud, and the instances', async () => {
    const { projects, count, next_marker: next } = await read('');
    expect([count, next]).toEqual([3, null]);
    expect(projects).toEqual([
      {
        project_id: 'volumes',
        instances: 0,
        resource_classes: { DISK_GB: { used: 500, capacity: 1000, share: 0.5 } },
      },
      {
        project_id: 'web',
        instances: 3,
        resource_classes: {
          VCPU: { used: 12, capacity: 32, share: 0.375 },
          DISK_GB: { used: 100, capacity: 1000, share: 0.1 },
          MEMORY_MB: { used: 2048, capacity: 65536, share: 0.03125 },
        },
      },
      {
        project_id: 'a/b ü',
        instances: 1,
        resource_classes: {
          MEMORY_MB: { used: 16384, capacity: 65536, share: 0.25 },
          VCPU: { used: 1, capacity: 32, share: 0.03125 },
        },
      },
    ]);
  });

  it.each([
    ['sort=VCPU', ['web', 'a/b ü', 'volumes']],
    ['sort=MEMORY_MB', ['a/b ü', 'web', 'volumes']],
    ['search=B', ['web', 'a/b ü']],
    ['search=none', []],
    ['limit=2', ['volumes', 'web']],
    ['limit=2&marker=web', ['a/b ü']],
  ])('lists %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('has the largest consumers of a project first, with their names and hosts', async () => {
    const { consumers, sorted_by: by, consumers_truncated: isCut, ...project } = await read('/web');
    expect([by, isCut, project.instances]).toEqual(['VCPU', false, 3]);
    expect(project.resource_classes.VCPU).toEqual({ used: 12, capacity: 32, share: 0.375 });
    const hostsOf = ({ hosts }: Json): string[] => hosts.map(({ name }: Json) => name as string).sort();
    expect(
      consumers.map((each: Json) => [each.uuid, each.instance?.name, each.instance?.flavor, hostsOf(each)]),
    ).toEqual([
      [instance(2), undefined, undefined, ['cn2', 'pool']],
      [instance(5), 'web-1', 'm1.small', ['cn2']],
      [instance(1), undefined, undefined, ['cn1']],
    ]);
    expect(consumers[0].allocations[providerUuid('pool')]).toEqual({ DISK_GB: 100 });
    expect(consumers[2].hosts).toEqual([{ uuid: providerUuid('cn1'), name: 'cn1' }]);
  });

  it('sorts the consumers by another class', async () => {
    const { consumers, sorted_by: by } = await read('/web?sort=MEMORY_MB');
    expect([by, consumers.map(({ uuid }: Json) => uuid as string)]).toEqual([
      'MEMORY_MB',
      [instance(1), instance(2), instance(5)],
    ]);
    expect((await read('/web?sort=DISK_GB')).consumers.map(({ uuid }: Json) => uuid as string)).toEqual([instance(2)]);
  });

  it('finds a project by any id that a client can use', async () => {
    expect((await read(`/${encodeURIComponent('a/b ü')}`)).project_id).toBe('a/b ü');
  });

  it.each([
    ['?sort=CUSTOM_NONE', 400, "'sort' names no resource class"],
    ['?marker=none', 400, 'marker'],
    ['?name=x', 400, 'name'],
    ['/web?sort=CUSTOM_NONE', 400, "'sort' names no resource class"],
    ['/web?limit=1', 400, 'limit'],
    ['/nobody', 404, "There is no project 'nobody' with allocations"],
  ])('refuses %s', async (path, status, text) => {
    const answer = await service.request({ path: `/reports/projects${path}` });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  });
});
