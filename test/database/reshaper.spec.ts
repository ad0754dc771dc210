// Reshapes of many providers, the order of validation, and the times of unchanged inventories.
import { randomUUID } from 'node:crypto';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  const provider = async (): Promise<string> => {
    const uuid = randomUUID();
    await service.request({ method: 'POST', path: '/resource_providers', body: { name: uuid, uuid } });
    return uuid;
  };
  const set = (generation: number, total = 4): object => ({
    resource_provider_generation: generation,
    inventories: { VCPU: { total } },
  });
  const reshape = (inventories: Readonly<Record<string, object>>): Promise<TestResponse> =>
    service.request({ method: 'POST', path: '/reshaper', body: { inventories, allocations: {} } });

  it('reshapes more providers than SQLite accepts in a chain of conditions', async () => {
    const count = 1_200;
    const uuids = Array.from({ length: count }, () => randomUUID());
    await service.database.write(async (tx) => {
      for (const uuid of uuids) {
        const id = await tx.insert(
          'INSERT INTO resource_providers (uuid, name, generation, root_provider_id, created_at) VALUES (?, ?, 0, NULL, 1)',
          [uuid, uuid],
        );
        await tx.run('UPDATE resource_providers SET root_provider_id = ? WHERE id = ?', [id, id]);
        tx.changes.tree(id);
      }
    });
    const { status, text } = await reshape(Object.fromEntries(uuids.map((uuid) => [uuid, set(0)])));
    expect([status, text]).toEqual([204, '']);
    const [row] = await service.database.read((sql) =>
      sql.query<{ records: number }>('SELECT COUNT(*) AS records FROM inventories WHERE total = 4'),
    );
    expect(Number(row?.records)).toBe(count);
  });

  it('refuses more providers than the maximum, without any change', async () => {
    const known = await provider();
    const many = Array.from({ length: 5_000 }, () => [randomUUID(), set(0)] as const);
    const { status, json } = await reshape(Object.fromEntries([[known, set(0)], ...many]));
    expect(status).toBe(400);
    expect(json.errors[0].detail).toContain('at most 5000 providers');
    expect((await service.request({ path: `/resource_providers/${known}` })).json.generation).toBe(0);
  });

  it('validates provider by provider and reports the first fault', async () => {
    const [stale, unknown] = [await provider(), randomUUID()];
    const first = await reshape({ [stale]: set(7), [unknown]: set(0) });
    expect([first.status, first.json.errors[0].code]).toEqual([409, 'placement.concurrent_update']);
    const second = await reshape({ [unknown]: set(0), [stale]: set(7) });
    expect([second.status, second.json.errors[0].code]).toEqual([400, 'placement.resource_provider.not_found']);
  });

  it('keeps the time of a record that is replaced by an equal one', async () => {
    const uuid = await provider();
    const path = `/resource_providers/${uuid}/inventories`;
    await service.request({ method: 'PUT', path, body: set(0) });
    await service.database.write((tx) =>
      tx.run('UPDATE inventories SET created_at = 1700000000000, updated_at = NULL WHERE total = 4'),
    );
    const before = await service.request({ path });
    const same = await service.request({ method: 'PUT', path, body: set(1) });
    expect(same.headers['last-modified']).toBe('Tue, 14 Nov 2023 22:13:20 GMT');
    expect(same.headers['last-modified']).toBe(before.headers['last-modified']);
    const other = await service.request({ method: 'PUT', path, body: set(2, 5) });
    expect(other.headers['last-modified']).not.toBe(before.headers['last-modified']);
    expect(other.headers['last-modified']).toBe((await service.request({ path })).headers['last-modified']);
  });
});
