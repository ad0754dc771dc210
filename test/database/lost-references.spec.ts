// Objects deleted between their lookup and the write that refers to them, on both databases: the client gets an error,
// or the request succeeds without the object. There is never a server error.
import { FlavorsService } from '../../src/compute/flavors/flavors.service';
import type { PlacedInstance } from '../../src/compute/instances/instance.entity';
import { InstancesService } from '../../src/compute/instances/instances.service';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import type { WriteTx } from '../../src/platform/database/sql';
import { ServersService } from '../../src/practice-cloud/compute/servers/servers.service';
import type { Claims } from '../../src/scheduler/ports';
import { CLAIMS } from '../../src/scheduler/ports';
import type { Compute } from '../e2e/practice-cloud';
import { computeOf, reportHost, succeeding } from '../e2e/practice-cloud';
import { books, instance } from '../e2e/scheduler-cloud';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';
import { placedInstance } from './placed-instance';

type Method = NonNullable<TestRequest['method']>;

const BEGINS = /^(BEGIN|START TRANSACTION)/;

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let counter: StatementCounter;
  let compute: Compute;
  let computed: Compute;
  let made = 0;
  beforeAll(async () => {
    service = await startTestService(kind);
    counter = installStatementCounter();
    compute = computeOf(service);
    computed = succeeding(compute);
    for (const host of ['cn1', 'cn2', 'cn3']) await reportHost(service, host, { vcpus_total: 64 });
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const ask = (method: Method, path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path, ...(body !== undefined && { body }) });
  const ok = async (method: Method, path: string, body?: object): Promise<TestResponse> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const claims = (): Claims => service.app.get<Claims>(CLAIMS);
  const fresh = (): string => instance((made += 1));
  const flavor = async (): Promise<string> => {
    const id = `f${(made += 1)}`;
    await ok('POST', '/scheduler/flavors', { id, name: id, vcpus: 1, memory_mb: 16 });
    return id;
  };
  const image = async (): Promise<string> =>
    (await ok('POST', '/scheduler/images', { name: `i${(made += 1)}` })).json.uuid as string;
  const select = (uuid: string, more: object): Promise<TestResponse> =>
    ask('POST', '/scheduler/select_destinations', { instances: [uuid], project_id: 'p', user_id: 'u', ...more });
  const recorded = async (uuid: string): Promise<Record<string, unknown>> =>
    (await ok('GET', `/scheduler/instances/${uuid}`)).json as Record<string, unknown>;
  /** Deletes a flavor or an image; instances that use it then have no reference. */
  const lose = (path: string) => (): Promise<TestResponse> => ok('DELETE', `/scheduler/${path}`);
  /** Runs other work before the next call of a method. */
  const before = (owner: object, method: string, work: () => Promise<unknown>): void => {
    const methods = owner as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
    const original = methods[method]?.bind(owner);
    if (original === undefined) throw new Error(`no method ${method}`);
    jest.spyOn(methods, method).mockImplementationOnce(async (...args) => {
      await work();
      return original(...args);
    });
  };

  describe('a claim whose flavor is deleted after it was read', () => {
    it('is granted: the record has the document, and no reference to the flavor', async () => {
      const [uuid, id] = [fresh(), await flavor()];
      before(claims(), 'claim', lose(`flavors/${id}`));
      const answer = await select(uuid, { flavor: id });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(uuid)]);
      expect(await recorded(uuid)).toMatchObject({ flavor: { name: id, vcpus: 1 }, flavor_id: null });
      expect(await books(service)).toMatchObject({ faults: [] });
    });

    it('is granted with the image that still exists', async () => {
      const [uuid, id, left] = [fresh(), await flavor(), await image()];
      before(claims(), 'claim', lose(`flavors/${id}`));
      expect((await select(uuid, { flavor: id, image: left })).status).toBe(200);
      expect(await recorded(uuid)).toMatchObject({ flavor_id: null, image_uuid: left });
    });

    it('is granted without either if both are deleted, and for all of several instances', async () => {
      const [uuids, id, other] = [[fresh(), fresh(), fresh()], await flavor(), await image()];
      before(claims(), 'claim', async () => {
        await lose(`flavors/${id}`)();
        await lose(`images/${other}`)();
      });
      expect((await select('', { instances: uuids, flavor: id, image: other })).status).toBe(200);
      for (const uuid of uuids) {
        expect(await recorded(uuid)).toMatchObject({ flavor: { name: id }, flavor_id: null, image_uuid: null });
      }
    });

    it('is granted to an instance that moves, and to one that keeps its existing allocations', async () => {
      const [uuid, old, id] = [fresh(), await flavor(), await flavor()];
      expect((await select(uuid, { flavor: old })).status).toBe(200);
      before(claims(), 'claim', lose(`flavors/${id}`));
      await ok('POST', `/scheduler/instances/${uuid}/move`, { type: 'resize', flavor: id });
      expect(await recorded(uuid)).toMatchObject({ flavor: { name: id }, flavor_id: null, state: 'moving' });
      await ok('POST', `/scheduler/instances/${uuid}/confirm_move`);
      const { host } = await recorded(uuid);
      before(claims(), 'claim', lose(`flavors/${old}`));
      expect((await select(uuid, { flavor: old, ignore_hosts: [host] })).status).toBe(200);
      expect(await recorded(uuid)).toMatchObject({ flavor: { name: old }, flavor_id: null });
    });

    it('takes one transaction, with one more read and one more write', async () => {
      const [uuid, other, id] = [fresh(), fresh(), await flavor()];
      const claim = async (asked: string): Promise<readonly string[]> => {
        let statements: readonly string[] = [];
        const original = claims().claim.bind(claims());
        jest.spyOn(claims(), 'claim').mockImplementationOnce(async (...args) => {
          if (asked === uuid) await lose(`flavors/${id}`)();
          let outcome: Awaited<ReturnType<typeof original>> | undefined;
          statements = await counter.during(async () => void (outcome = await original(...args)));
          return outcome as NonNullable<typeof outcome>;
        });
        expect((await select(asked, { flavor: id })).status).toBe(200);
        return statements;
      };
      const usual = await claim(other);
      await ok('DELETE', `/scheduler/instances/${other}`);
      const without = await claim(uuid);
      expect(without.filter((text) => BEGINS.test(text))).toHaveLength(1);
      expect(usual.filter((text) => / FROM (flavors|images) /.test(text))).toEqual([]);
      expect(without.length - usual.length).toBe(2);
    });
  });

  describe('a record of an instance', () => {
    const row = (uuid: string, flavorId: string | null, imageUuid: string | null): PlacedInstance =>
      placedInstance({ uuid, host: 'cn1', hostUuid: fresh(), flavorId, imageUuid });
    const stored = async (uuid: string): Promise<unknown> =>
      (
        await service.database.read((sql) =>
          sql.query('SELECT flavor_id, image_uuid FROM scheduler_instances WHERE uuid = ?', [uuid]),
        )
      )[0];
    const insert = (tx: WriteTx, rows: readonly PlacedInstance[]): Promise<void> =>
      service.app.get(InstancesService).insertPlacedIn(tx, rows, Date.now());

    it('is written again for each deleted object, and no more often', async () => {
      const [uuid, goes] = [fresh(), await image()];
      let inserts = 0;
      await service.database.write((tx) => {
        const run: WriteTx['run'] = async (sql, params) => {
          if (sql.startsWith('INSERT INTO scheduler_instances')) inserts += 1;
          if (inserts === 2) await tx.run('DELETE FROM images WHERE uuid = ?', [goes]);
          return tx.run(sql, params);
        };
        return insert(Object.assign(Object.create(tx) as WriteTx, { run }), [row(uuid, 'gone', goes)]);
      });
      expect([inserts, await stored(uuid)]).toEqual([3, { flavor_id: null, image_uuid: null }]);
    });

    it('keeps the references of other records', async () => {
      const [one, two, id, left] = [fresh(), fresh(), await flavor(), await image()];
      await service.database.write((tx) => insert(tx, [row(one, id, null), row(two, 'gone', left)]));
      expect([await stored(one), await stored(two)]).toEqual([
        { flavor_id: id, image_uuid: null },
        { flavor_id: null, image_uuid: left },
      ]);
    });

    it('is restarted, a bounded number of times, while a flavor is repeatedly deleted and created', async () => {
      const [uuid, id] = [fresh(), await flavor()];
      let inserts = 0;
      const outcome = service.database.write((tx) => {
        const rename = (from: string, to: string): Promise<number> =>
          tx.run('UPDATE flavors SET flavor_id = ? WHERE flavor_id = ?', [to, from]);
        const run: WriteTx['run'] = async (sql, params) => {
          inserts += 1;
          await rename(id, 'away');
          try {
            return await tx.run(sql, params);
          } finally {
            await rename('away', id);
          }
        };
        return insert(Object.assign(Object.create(tx) as WriteTx, { run }), [row(uuid, id, null)]);
      });
      await expect(outcome).rejects.toMatchObject({ code: 'placement.concurrent_update' });
      expect(inserts).toBe(service.config.placement.allocation_conflict_retry_count);
      expect(await stored(uuid)).toBeUndefined();
    });

    it('is restored by a reverted move, without the flavor that was deleted in the meantime', async () => {
      const [uuid, old, id] = [fresh(), await flavor(), await flavor()];
      expect((await select(uuid, { flavor: old })).status).toBe(200);
      await ok('POST', `/scheduler/instances/${uuid}/move`, { type: 'resize', flavor: id });
      await lose(`flavors/${old}`)();
      await ok('POST', `/scheduler/instances/${uuid}/revert_move`);
      expect(await recorded(uuid)).toMatchObject({ flavor: { name: old }, flavor_id: null, state: 'placed' });
    });
  });

  it('an instance whose allocations were deleted during a move, and that was placed again, can be moved after the move', async () => {
    const [uuid, id] = [fresh(), await flavor()];
    const move = (): Promise<TestResponse> =>
      ask('POST', `/scheduler/instances/${uuid}/move`, { type: 'cold_migrate' });
    expect((await select(uuid, { flavor: id })).status).toBe(200);
    expect((await move()).status).toBe(200);
    await ok('DELETE', `/allocations/${uuid}`);
    expect((await select(uuid, { flavor: id })).status).toBe(200);
    const refused = await move();
    expect([refused.status, refused.json.errors[0]]).toMatchObject([409, { code: 'scheduler.in_use' }]);
    expect(refused.text).toContain(`Instance ${uuid} is being moved: confirm or revert that first.`);
    await ok('POST', `/scheduler/instances/${uuid}/confirm_move`);
    expect((await move()).status).toBe(200);
    expect(await books(service)).toMatchObject({ faults: [] });
  });

  it('a move that was overtaken by another one is refused, whatever the generations are', async () => {
    const [uuid, id] = [fresh(), await flavor()];
    const move = (): Promise<TestResponse> =>
      ask('POST', `/scheduler/instances/${uuid}/move`, { type: 'cold_migrate' });
    expect((await select(uuid, { flavor: id })).status).toBe(200);
    before(claims(), 'claim', async () => {
      expect((await move()).status).toBe(200);
      await ok('DELETE', `/allocations/${uuid}`);
      expect((await select(uuid, { flavor: id })).status).toBe(200);
    });
    expect((await move()).status).toBe(409);
    expect(await books(service)).toMatchObject({ faults: [] });
  });

  // On SQLite the lookup of a class and the write are one transaction, so no delete can come between.
  if (kind === 'mysql') {
    const VCPU = { total: 8 };
    const inventories = (uuid: string): string => `/resource_providers/${uuid}/inventories`;
    const replacing = (name: string): object => ({
      resource_provider_generation: 0,
      inventories: { [name]: VCPU },
    });
    type Write = (uuid: string, name: string) => Promise<TestResponse>;
    const writes: readonly (readonly [string, Write])[] = [
      ['replaced', (uuid, name) => ask('PUT', inventories(uuid), replacing(name))],
      ['added', (uuid, name) => ask('POST', inventories(uuid), { resource_class: name, ...VCPU })],
      [
        'reshaped',
        (uuid, name) => ask('POST', '/reshaper', { inventories: { [uuid]: replacing(name) }, allocations: {} }),
      ],
    ];
    it.each(writes)('inventory of a class that is deleted meanwhile is refused if it is %s', async (_how, write) => {
      const [uuid, name] = [fresh(), `CUSTOM_GOES_${(made += 1)}`];
      await ok('PUT', `/resource_classes/${name}`);
      await ok('POST', '/resource_providers', { uuid, name });
      const classes = service.app.get(ResourceClassesService);
      const resolve = classes.resolve.bind(classes);
      jest.spyOn(classes, 'resolve').mockImplementationOnce(async (sql, names) => {
        const found = await resolve(sql, names);
        await ok('DELETE', `/resource_classes/${name}`);
        return found;
      });
      const answer = await write(uuid, name);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`No such resource class ${name}.`)]);
    });
  }

  describe('the Compute API', () => {
    const privateFlavor = async (): Promise<string> => {
      const id = `c${(made += 1)}`;
      const body = { flavor: { id, name: id, ram: 16, vcpus: 1, disk: 0, 'os-flavor-access:is_public': false } };
      await computed('flavors', { method: 'POST', body });
      return id;
    };
    const server = async (): Promise<string> => {
      const body = { server: { name: 'srv', flavorRef: await flavor(), imageRef: await image() } };
      return (await computed('servers', { method: 'POST', body })).json.server.id as string;
    };
    /** Deletes the flavor after its lookup and before the write. */
    const flavorGoes = (id: string): void => {
      const flavors = service.app.get(FlavorsService);
      const original = flavors.lookUp.bind(flavors);
      jest.spyOn(flavors, 'lookUp').mockImplementationOnce(async (key) => {
        const found = await original(key);
        // The access list is read next, so the flavor is deleted before the following write.
        before(service.database, 'write', () => remove(id));
        return found;
      });
    };
    const remove = async (id: string): Promise<void> => {
      await computed(`flavors/${id}`, { method: 'DELETE' });
    };

    it('describes no flavor that is deleted in the meantime', async () => {
      const id = await privateFlavor();
      flavorGoes(id);
      const body = { flavor: { description: 'late' } };
      const answer = await compute(`flavors/${id}`, { method: 'PUT', body, version: '2.55' });
      expect([answer.status, answer.json]).toMatchObject([
        404,
        { itemNotFound: { message: `Flavor ${id} could not be found.` } },
      ]);
    });

    it('gives no access to a flavor that is deleted in the meantime', async () => {
      const id = await privateFlavor();
      flavorGoes(id);
      const answer = await compute(`flavors/${id}/action`, {
        method: 'POST',
        body: { addTenantAccess: { tenant: 'p' } },
      });
      expect([answer.status, answer.json]).toMatchObject([
        404,
        { itemNotFound: { message: `Flavor ${id} could not be found.` } },
      ]);
    });

    it('gives a project access to a flavor once, despite concurrent requests', async () => {
      const id = await privateFlavor();
      const body = { addTenantAccess: { tenant: 'p' } };
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => compute(`flavors/${id}/action`, { method: 'POST', body })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    });

    it('creates a flavor once, despite concurrent requests', async () => {
      const id = `c${(made += 1)}`;
      const body = { flavor: { id, name: id, ram: 16, vcpus: 1, disk: 0 } };
      const answers = await Promise.all(Array.from({ length: 6 }, () => compute('flavors', { method: 'POST', body })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    });

    it('locks no server that is deleted in the meantime', async () => {
      const id = await server();
      before(service.app.get(ServersService), 'record', () => computed(`servers/${id}`, { method: 'DELETE' }));
      const answer = await compute(`servers/${id}/action`, { method: 'POST', body: { lock: null } });
      expect([answer.status, answer.json]).toMatchObject([
        404,
        { itemNotFound: { message: `Instance ${id} could not be found.` } },
      ]);
    });

    it('does not fail when the image of a rebuild is deleted in the meantime', async () => {
      const [id, goes] = [await server(), await image()];
      before(service.app.get(InstancesService), 'changeImage', lose(`images/${goes}`));
      await computed(`servers/${id}/action`, { method: 'POST', body: { rebuild: { imageRef: goes } } });
      expect(await recorded(id)).toMatchObject({ image: { id: goes }, image_uuid: null });
    });
  });
});
