// Records of placed instances: pending until a report lists them, released with their claim, moved, and counted in groups.
import { loadPlacementsOn } from '../../src/compute/host-facts.loader';
import { InstancesService } from '../../src/compute/instances/instances.service';
import { ReleasedInstances } from '../../src/compute/instances/released-instances';
import { ServerGroupsService } from '../../src/compute/server-groups/server-groups.service';
import { testDatabaseKinds } from '../support/databases';
import { startRegistries } from './registries-service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, fresh, name, report, factsOf, placed, place, newsOf } = startRegistries(kind);
  const instances = (): InstancesService => service().app.get(InstancesService);
  const groups = (): ServerGroupsService => service().app.get(ServerGroupsService);

  describe('placed instances', () => {
    it('are pending until a report lists them, and never again', async () => {
      const host = name('h');
      await report(host);
      const [one, two] = [placed(host), placed(host, { flavor: { vcpus: 7 }, isBfv: true })];
      const news = await newsOf(() => place(one, two));
      const { id } = await factsOf(host);
      expect([...news.services]).toEqual([[id, null]]);
      const pending = async (): Promise<readonly string[]> => (await factsOf(host)).pending.map(({ uuid }) => uuid);
      expect((await factsOf(host)).pending).toMatchObject([
        { uuid: one.uuid, node: host, isBfv: false, flavor: { vcpus: 1 } },
        { uuid: two.uuid, isBfv: true, flavor: { vcpus: 7 } },
      ]);
      await report(host, { instances: [{ uuid: one.uuid.toUpperCase() }] });
      expect(await pending()).toEqual([two.uuid]);
      await report(host, { instances: [] });
      expect(await pending()).toEqual([two.uuid]);
    });

    it('keep the time of their placement when they are cleaned up, and get a new one when they are placed again', async () => {
      const host = name('h');
      await report(host);
      const { database } = service();
      const row = placed(host, { groupUuid: fresh() });
      const recent = async (): Promise<unknown> =>
        database.read((sql) => instances().recentOfGroup(sql, row.groupUuid ?? '', 0));
      const pendingSince = async (): Promise<unknown> =>
        (await database.readSnapshot((sql) => loadPlacementsOn(sql, [host], 0, { areElsewhere: true })))
          .get(host)
          ?.map(({ placedAtMs }) => placedAtMs);
      const at = Date.now();
      const placeAt = (nowMs: number): Promise<void> =>
        database.write((tx) => instances().insertPlacedIn(tx, [row], nowMs));
      await placeAt(at);
      const first = await recent();
      expect(first).toEqual([{ uuid: row.uuid, host, placedAtMs: at }]);
      await new ReleasedInstances(database, { warn: () => undefined }).round(at + 5_000);
      expect(await recent()).toEqual(first);
      await placeAt(at + 9_000);
      expect(await recent()).toEqual([{ uuid: row.uuid, host, placedAtMs: at + 9_000 }]);
      expect(await pendingSince()).toEqual([at + 9_000]);
    });

    it('are recorded as released while the last report lists them', async () => {
      const host = name('h');
      await report(host);
      const [one, two] = [placed(host), placed(host)];
      await place(one, two);
      await report(host, { instances: [{ uuid: one.uuid }] });
      await ok('DELETE', `/scheduler/instances/${one.uuid}`);
      await ok('DELETE', `/scheduler/instances/${two.uuid}`);
      const released = async (): Promise<readonly string[]> => (await factsOf(host)).released.map(({ uuid }) => uuid);
      expect(await released()).toEqual([one.uuid]);
      await report(host, { instances: [{ uuid: one.uuid }], vcpus_used: 1 });
      expect(await released()).toEqual([one.uuid]);
      await report(host, { instances: [] });
      expect(await released()).toEqual([]);
    });

    it('release allocations, membership and record at once', async () => {
      const host = name('h');
      const uuid = (await report(host, { vcpus_total: 4, report_providers: true })).json.uuid as string;
      const group = (await ok('POST', '/scheduler/server_groups', { name: name('g'), policy: 'affinity' })).json.uuid;
      const row = placed(host, { hostUuid: uuid, groupUuid: group as string });
      await ok('PUT', `/allocations/${row.uuid}`, {
        allocations: { [uuid]: { resources: { VCPU: 3 } } },
        project_id: 'p',
        user_id: 'u',
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      });
      await service().database.write(async (tx) => {
        const held = await groups().lockGroupIn(tx, group as string);
        if (held === undefined) throw new Error('no group');
        await groups().addMembersIn(tx, held, [{ uuid: row.uuid, host }], Date.now());
        await instances().insertPlacedIn(tx, [row], Date.now());
      });
      expect((await ok('GET', `/scheduler/server_groups/${group}`)).json).toMatchObject({
        members: [row.uuid],
        hosts: [host],
      });
      expect((await ok('GET', `/scheduler/instances/${row.uuid}`)).json).toMatchObject({
        host,
        host_uuid: uuid,
        server_group: group,
        pending: true,
        allocations: { [uuid]: { resources: { VCPU: 3 } } },
      });
      await ok('DELETE', `/scheduler/instances/${row.uuid}`);
      expect((await ok('GET', `/allocations/${row.uuid}`)).json.allocations).toEqual({});
      expect((await ok('GET', `/resource_providers/${uuid}/usages`)).json.usages).toEqual({ VCPU: 0 });
      expect((await ok('GET', `/scheduler/server_groups/${group}`)).json).toMatchObject({ members: [], hosts: [] });
      expect((await ask('DELETE', `/scheduler/instances/${row.uuid}`)).status).toBe(404);
      await ok('DELETE', `/scheduler/server_groups/${group}`);
    });

    it('are released once by many concurrent requests', async () => {
      const row = placed(name('h'));
      await place(row);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => ask('DELETE', `/scheduler/instances/${row.uuid}`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
    });

    it('prevent the deletion of the objects that they name', async () => {
      const host = name('h');
      await report(host);
      const flavor = (await ok('POST', '/scheduler/flavors', { name: name('f'), vcpus: 1, memory_mb: 1 })).json.id;
      const image = (await ok('POST', '/scheduler/images', { name: 'i' })).json.uuid;
      const row = placed(host, { flavorId: flavor as string, imageUuid: image as string });
      await place(row);
      const paths = [`flavors/${flavor}`, `images/${image}`, `hosts/${host}/${host}`, `services/${host}`];
      for (const path of paths) {
        const { status, json } = await ask('DELETE', `/scheduler/${path}`);
        expect([path, status, json?.errors[0].code]).toEqual([path, 409, 'scheduler.in_use']);
      }
      await ok('DELETE', `/scheduler/instances/${row.uuid}`);
      for (const path of paths) expect([path, (await ask('DELETE', `/scheduler/${path}`)).status]).toEqual([path, 204]);
    });

    it('move together with their releases on the old host', async () => {
      const [from, to] = [name('h'), name('h')];
      await report(from);
      await report(to);
      const row = placed(from);
      await place(row);
      await report(from, { instances: [{ uuid: row.uuid }] });
      const moved = { ...row, host: to, node: to, attempts: 2 };
      const news = await newsOf(() =>
        service().database.write((tx) => instances().replacePlacedIn(tx, moved, Date.now())),
      );
      expect(news.services.size).toBe(2);
      expect([(await factsOf(from)).released, (await factsOf(to)).pending]).toMatchObject([
        [{ uuid: row.uuid }],
        [{ uuid: row.uuid }],
      ]);
    });
  });

  it('serialises claims for one group: each sees the earlier members', async () => {
    const { json } = await ok('POST', '/scheduler/server_groups', { name: name('g'), policy: 'anti-affinity' });
    const seen = await Promise.all(
      Array.from({ length: 8 }, () =>
        service().database.write(async (tx) => {
          const group = await groups().lockGroupIn(tx, json.uuid as string);
          if (group === undefined) throw new Error('no group');
          await groups().addMembersIn(tx, group, [{ uuid: fresh(), host: 'h' }], Date.now());
          return group.members.length;
        }),
      ),
    );
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
