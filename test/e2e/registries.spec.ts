// What all registries have in common over HTTP: ids, generations, pages, refusals, and access.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse } from '../support/service';
import type { Method } from './registries-service';
import { OTHER, refusal, startRegistries } from './registries-service';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, name, uuid } = startRegistries(kind);

  describe.each<[string, (at: number) => object, (document: object) => string]>([
    ['host_aggregates', () => ({ name: name('agg') }), (document) => (document as { uuid: string }).uuid],
    [
      'server_groups',
      () => ({ name: name('group'), policy: 'affinity' }),
      (document) => (document as { uuid: string }).uuid,
    ],
    [
      'flavors',
      () => ({ name: name('flavor'), vcpus: 1, memory_mb: 1 }),
      (document) => (document as { id: string }).id,
    ],
    ['images', () => ({ name: name('image') }), (document) => (document as { uuid: string }).uuid],
  ])('%s', (plural, bodyOf, keyOf) => {
    const idOf = plural === 'flavors' ? 'id' : 'uuid';

    it('can be given their id, once', async () => {
      const id = uuid();
      const { json, headers } = await ok('POST', plural, { ...bodyOf(0), [idOf]: id });
      expect([json[idOf], String(headers['location'])]).toEqual([
        id,
        expect.stringContaining(`/scheduler/${plural}/${id}`),
      ]);
      expect(await ask('POST', plural, { ...bodyOf(0), [idOf]: id })).toMatchObject(
        refusal(409, 'scheduler.duplicate_name'),
      );
    });

    it('are created by PUT, and replaced only with the current generation', async () => {
      const id = uuid();
      const path = `${plural}/${id}`;
      const conflict = refusal(409, 'scheduler.generation_conflict');
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 0 })).toMatchObject(conflict);
      expect(await ask('PUT', path, bodyOf(0))).toMatchObject({ status: 201, json: { generation: 0 } });
      expect(await ask('PUT', path, bodyOf(0))).toMatchObject(conflict);
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 1 })).toMatchObject(conflict);
      expect(await ask('PUT', path, { ...bodyOf(0), generation: 0 })).toMatchObject({
        status: 200,
        json: { generation: 1 },
      });
      const patch = { name: name('patched'), generation: 0 };
      expect(await ask('PATCH', path, patch)).toMatchObject(conflict);
      expect((await ok('PATCH', path, { ...patch, generation: 1 })).json).toMatchObject({
        name: patch.name,
        generation: 2,
      });
    });

    it('are replaced by only one of many writers with the same generation', async () => {
      const { json } = await ok('POST', plural, bodyOf(0));
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          ask('PUT', `${plural}/${keyOf(json as object)}`, { ...bodyOf(0), generation: 0 }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    });

    it('are listed in the order of creation, page by page', async () => {
      const keys: string[] = [];
      for (let at = 0; at < 5; at += 1) keys.push(keyOf((await ok('POST', plural, bodyOf(at))).json as object));
      const seen: string[] = [];
      let marker: string | null = '';
      while (marker !== null) {
        const query: string = marker === '' ? '' : `&marker=${marker}`;
        const { json }: TestResponse = await ok('GET', `${plural}?limit=2${query}`);
        expect(json[plural].length).toBeLessThanOrEqual(2);
        seen.push(...json[plural].map(keyOf));
        marker = json.next_marker as string | null;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((key) => keys.includes(key))).toEqual(keys);
    });

    it.each(['limit=0', 'limit=5001', 'limit=x', 'marker=nothing', 'colour=blue'])(
      'refuse a list by %s',
      async (query) => {
        const answer = await ask('GET', `${plural}?${query}`);
        expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
        expect(answer.json.errors[0].detail).toContain(`Invalid query string parameters: '${query.split('=')[0]}' `);
      },
    );

    it('have unique names', async () => {
      if (plural !== 'host_aggregates' && plural !== 'flavors') return;
      const [one, two] = [(await ok('POST', plural, bodyOf(0))).json, (await ok('POST', plural, bodyOf(1))).json];
      const taken = refusal(409, 'scheduler.duplicate_name');
      expect(await ask('POST', plural, { ...bodyOf(0), name: one.name })).toMatchObject(taken);
      expect(await ask('PATCH', `${plural}/${keyOf(two as object)}`, { name: one.name })).toMatchObject(taken);
      const put = { ...bodyOf(0), name: one.name, generation: 0 };
      expect(await ask('PUT', `${plural}/${keyOf(two as object)}`, put)).toMatchObject(taken);
    });

    it('that do not exist are not found', async () => {
      for (const method of ['GET', 'DELETE'] as const) {
        expect(await ask(method, `${plural}/${OTHER}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
      }
      expect(await ask('PATCH', `${plural}/${OTHER}`, { name: 'x' })).toMatchObject(
        refusal(404, 'scheduler.not_found'),
      );
    });

    it('accept JSON only, and no query parameter if there is none', async () => {
      expect((await ask('POST', plural, '[]')).status).toBe(400);
      const text = await service().request({
        method: 'POST',
        path: `/scheduler/${plural}`,
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      });
      expect(text.status).toBe(415);
      expect(await ask('GET', `${plural}/${OTHER}?x=1`)).toMatchObject(refusal(400, 'scheduler.invalid_request'));
    });
  });

  it('every route of the registries refuses members, and admits admins and services', async () => {
    const registries =
      /^\/scheduler\/(hosts|services|host_aggregates|availability_zones|server_groups|flavors|images|instances)/;
    const later = /build_failed|move|unpin_zone/;
    const operations = [...service().routes].flatMap(([path, methods]) =>
      registries.test(path) && !later.test(path)
        ? methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
        : [],
    );
    expect(operations).toHaveLength(40);
    for (const operation of operations) {
      const [method = 'GET', path = ''] = operation.split(' ');
      const request = {
        method: method as Method,
        path: path.replaceAll(/\{\w+\}/g, OTHER),
        ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
      };
      const member = await service().request({
        ...request,
        headers: { 'x-auth-token': 'somebody:project', 'x-roles': 'member,reader' },
      });
      expect([operation, member.status]).toEqual([operation, 403]);
      const robot = await service().request({
        ...request,
        headers: { 'x-auth-token': 'nova:service', 'x-roles': 'service' },
      });
      expect([operation, [401, 403].includes(robot.status)]).toEqual([operation, false]);
    }
  });
});
