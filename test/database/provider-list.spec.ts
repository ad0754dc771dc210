// The list of providers: every filter, changes at once, and more rows than one part of a read.
import { randomUUID } from 'node:crypto';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const TREES = 6;
const FILTERS = ['?resources=VCPU:2', '?required=CUSTOM_FAST', '?required=!CUSTOM_FAST', '?member_of=', '?member_of=!'];

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  const aggregate = randomUUID();
  const uuids = Array.from({ length: 2 * TREES }, () => randomUUID());

  beforeAll(async () => {
    service = await startTestService(kind);
    const ask = (method: 'POST' | 'PUT', path: string, body?: object): Promise<unknown> =>
      service.request({ method, path, ...(body !== undefined && { body }) });
    await ask('PUT', '/traits/CUSTOM_FAST');
    for (const [at, uuid] of uuids.entries()) {
      const parent = at < TREES ? {} : { parent_provider_uuid: uuids[at - TREES] };
      await ask('POST', '/resource_providers', { name: `"haus" ${at} 家`, uuid, ...parent });
      const path = `/resource_providers/${uuid}`;
      const inventories = { VCPU: { total: at + 1 } };
      await ask('PUT', `${path}/inventories`, { resource_provider_generation: 0, inventories });
      if (at % 2 === 0)
        await ask('PUT', `${path}/traits`, { resource_provider_generation: 1, traits: ['CUSTOM_FAST'] });
      if (at % 3 !== 0) continue;
      const generation = at % 2 === 0 ? 2 : 1;
      await ask('PUT', `${path}/aggregates`, { resource_provider_generation: generation, aggregates: [aggregate] });
    }
  });
  afterAll(async () => {
    await service.stop();
  });

  const pathOf = (filter: string): string =>
    `/resource_providers${filter}${filter.startsWith('?member_of') ? aggregate : ''}`;
  const count = async (path: string): Promise<number> => {
    const { json } = await service.request({ path });
    return json.resource_providers?.length ?? 0;
  };

  it('includes some and excludes some by every filter', async () => {
    for (const filter of FILTERS) {
      const found = await count(pathOf(filter));
      expect([filter, found > 0, found < uuids.length]).toEqual([filter, true, true]);
    }
  });

  it('shows changes of name, tree and generation at once, and no deleted providers', async () => {
    const [first = '', second = ''] = uuids;
    const child = uuids.at(-1) ?? '';
    const path = `/resource_providers/${child}`;
    await service.request({ method: 'PUT', path, body: { name: 'moved', parent_provider_uuid: second } });
    await service.request({ method: 'DELETE', path: `/resource_providers/${uuids[TREES] ?? ''}` });
    await service.request({ method: 'DELETE', path: `/resource_providers/${first}` });
    expect(await count('/resource_providers')).toBe(uuids.length - 2);
    const { json } = await service.request({ path: '/resource_providers' });
    expect(json.resource_providers).toContainEqual(
      expect.objectContaining({ name: 'moved', root_provider_uuid: second }),
    );
  });

  it('lists ten thousand providers, each once and in order', async () => {
    const many = Array.from({ length: 10_100 }, (_, at) => at + 1_000);
    await service.database.write(async (tx) => {
      for (let at = 0; at < many.length; at += 500) {
        const part = many.slice(at, at + 500);
        await tx.run(
          'INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id, created_at) VALUES ' +
            part.map((id) => `(${id}, '${randomUUID()}', 'bare ${id}', ${id % 7}, ${id}, 1)`).join(', '),
        );
      }
      for (const id of many) tx.changes.tree(id);
    });
    const { json } = await service.request({ path: '/resource_providers' });
    const bare = json.resource_providers.filter(({ name }: { name: string }) => name.startsWith('bare '));
    expect(bare.map(({ name }: { name: string }) => name)).toEqual(many.map((id) => `bare ${id}`));
    expect(bare.every(({ generation }: { generation: number }, at: number) => generation === (at + 1_000) % 7)).toBe(
      true,
    );
  });
});
