// Writes of the registries: host aggregates and their mirror in Placement within the same commit, documents read before
// the commit, and names by code point.
import { loadHostAggregates } from '../../src/compute/host-facts.loader';
import { HOST_AGGREGATE_CHANGE } from '../../src/platform/database/change-log';
import type { HostAggregateFacts } from '../../src/scheduling-rules/host-state/host-facts';
import { testDatabaseKinds } from '../support/databases';
import { readChangeLog } from '../support/graph-follower';
import type { Method } from './registries-service';
import { startRegistries } from './registries-service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, counter, ask, ok, fresh, name, report, provider, aggregatesOf, newsOf } = startRegistries(kind);

  describe('host aggregates', () => {
    const create = async (body: object): Promise<string> =>
      (await ok('POST', '/scheduler/host_aggregates', { name: name('a'), ...body })).json.uuid as string;

    it('are mirrored to every root provider of a host, reported or not', async () => {
      const [reported, silent] = [name('h'), name('h')];
      const [one, two] = [await provider(name('p')), await provider(name('p'))];
      await report(reported, { uuid: one }, 'n1');
      await report(reported, { uuid: two }, 'n2');
      const third = await provider(silent);
      const uuid = await create({ hosts: [reported, silent] });
      expect(await Promise.all([one, two, third].map(aggregatesOf))).toEqual([[uuid], [uuid], [uuid]]);
      await ok('DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${reported}`);
      expect(await Promise.all([one, two, third].map(aggregatesOf))).toEqual([[], [], [uuid]]);
    });

    it('keep other aggregates of the providers', async () => {
      const host = name('h');
      const uuid = await provider(host);
      const foreign = fresh();
      const { json } = await ok('GET', `/resource_providers/${uuid}`);
      await ok('PUT', `/resource_providers/${uuid}/aggregates`, {
        aggregates: [foreign],
        resource_provider_generation: json.generation,
      });
      const aggregate = await create({ hosts: [host] });
      expect(await aggregatesOf(uuid)).toEqual([foreign, aggregate].sort());
      await ok('DELETE', `/scheduler/host_aggregates/${aggregate}/hosts/${host}`);
      expect(await aggregatesOf(uuid)).toEqual([foreign]);
    });

    it('notify readers of their content and deletion', async () => {
      const host = name('h');
      let uuid = '';
      const load = (ids: readonly number[]): Promise<readonly HostAggregateFacts[]> =>
        service().database.readSnapshot((sql) => loadHostAggregates(sql, ids));
      const born = await newsOf(async () => {
        uuid = await create({ metadata: { a: 'b' }, hosts: [host] });
      });
      const [id] = [...born.hostAggregates];
      expect(await load([id ?? 0])).toMatchObject([{ id, uuid, metadata: { a: 'b' }, hosts: [host] }]);
      for (const [method, path, body] of [
        ['PATCH', `/scheduler/host_aggregates/${uuid}/metadata`, { metadata: { c: 'd' } }],
        ['DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${host}`, undefined],
        ['DELETE', `/scheduler/host_aggregates/${uuid}`, undefined],
      ] as const) {
        const news = await newsOf(() => ok(method, path, body));
        expect([...news.hostAggregates]).toEqual([id]);
      }
      expect(await load([id ?? 0])).toEqual([]);
      const kinds = (await readChangeLog(service().database)).map((row) => row.kind);
      expect(kinds).toContain(HOST_AGGREGATE_CHANGE);
    });

    it('put a host into one of two zones under concurrent requests', async () => {
      for (let round = 0; round < 5; round += 1) {
        const host = name('h');
        const zones = await Promise.all([
          create({ availability_zone: name('z') }),
          create({ availability_zone: name('z') }),
        ]);
        const answers = await Promise.all(
          zones.map((uuid) => ask('POST', `/scheduler/host_aggregates/${uuid}/hosts`, { host })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      }
    });

    it('refuse a zone that conflicts with that of a host, for every kind of write', async () => {
      const host = name('h');
      await create({ availability_zone: name('z'), hosts: [host] });
      const plain = await create({ hosts: [name('h'), host] });
      const zone = { availability_zone: name('z') };
      const attempts = await Promise.all([
        ask('PATCH', `/scheduler/host_aggregates/${plain}`, zone),
        ask('PATCH', `/scheduler/host_aggregates/${plain}/metadata`, { metadata: zone }),
        ask('PUT', `/scheduler/host_aggregates/${plain}`, { name: name('a'), hosts: [host], generation: 0, ...zone }),
        ask('POST', '/scheduler/host_aggregates', { name: name('a'), hosts: [host], ...zone }),
      ]);
      for (const { status, json } of attempts) {
        expect([status, json.errors[0].code]).toEqual([409, 'scheduler.in_use']);
        expect(json.errors[0].detail).toContain(host);
      }
      expect((await ok('GET', `/scheduler/host_aggregates/${plain}`)).json).toMatchObject({
        generation: 0,
        availability_zone: null,
      });
    });

    it('mirror a host whose first report arrives while it joins', async () => {
      for (let round = 0; round < 5; round += 1) {
        const host = name('h');
        const uuid = await provider(name('p'));
        const aggregate = await create({});
        await Promise.all([
          report(host, { uuid }),
          ok('POST', `/scheduler/host_aggregates/${aggregate}/hosts`, { host }),
        ]);
        expect(await aggregatesOf(uuid)).toEqual([aggregate]);
      }
    });
  });

  it('returns the document as read before the commit, so a later deletion cannot turn success into 404', async () => {
    const [aggregate, group, image] = [fresh(), fresh(), fresh()];
    const host = name('read-back');
    await report(host);
    const writes: readonly (readonly [Method, string, object])[] = [
      ['POST', 'host_aggregates', { name: name('a') }],
      ['PUT', `host_aggregates/${aggregate}`, { name: name('a') }],
      ['PATCH', `host_aggregates/${aggregate}`, { metadata: { a: 'b' } }],
      ['POST', `host_aggregates/${aggregate}/hosts`, { host }],
      ['POST', `host_aggregates/${aggregate}/hosts`, { host }],
      ['PATCH', `host_aggregates/${aggregate}/metadata`, { metadata: { a: null } }],
      ['POST', 'server_groups', { name: name('g'), policy: 'affinity' }],
      ['PUT', `server_groups/${group}`, { name: name('g'), policy: 'affinity' }],
      ['PATCH', `server_groups/${group}`, { name: name('g') }],
      ['POST', 'flavors', { name: name('f'), vcpus: 1, memory_mb: 1 }],
      ['PUT', 'flavors/read-back', { name: name('f'), vcpus: 1, memory_mb: 1 }],
      ['PATCH', 'flavors/read-back', { vcpus: 2 }],
      ['PATCH', 'flavors/read-back/extra_specs', { extra_specs: { a: 'b' } }],
      ['POST', 'images', { name: name('i') }],
      ['PUT', `images/${image}`, { name: name('i') }],
      ['PATCH', `images/${image}`, { name: name('i') }],
      ['PATCH', `services/${host}`, { status: 'disabled' }],
    ];
    for (const [method, path, body] of writes) {
      const statements = await counter().during(() => ok(method, `/scheduler/${path}`, body));
      expect([method, path, statements.at(-1)]).toEqual([method, path, 'COMMIT']);
    }
  });

  it('distinguishes names by code point: case, accents and blanks', async () => {
    const base = name('Ä');
    for (const called of [base, base.toLowerCase(), base.replace('Ä', 'A'), `${base} x`]) {
      await ok('POST', '/scheduler/host_aggregates', { name: called });
      await report(called);
    }
    const { json } = await ok('GET', `/scheduler/host_aggregates?name=${encodeURIComponent(base)}`);
    expect(json.host_aggregates).toHaveLength(1);
    expect(
      (await ok('GET', `/scheduler/hosts?host=${encodeURIComponent(base.toLowerCase())}`)).json.hosts,
    ).toHaveLength(1);
  });
});
