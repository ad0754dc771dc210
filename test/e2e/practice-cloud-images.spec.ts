// The Image API of the practice cloud: the images of the registry with the fields of that API; their owners; and
// data that is counted but not stored.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const IMAGE = 'cccccccc-0000-4000-8000-000000000001';
const PATCH_TYPE = 'application/openstack-images-v2.1-json-patch';
const ADMIN = { 'x-auth-token': 'admin', 'x-roles': null };
const ANNA = { 'x-auth-token': 'anna:demo', 'x-roles': null };
const OTTO = { 'x-auth-token': 'otto:other', 'x-roles': null };

type Headers = NonNullable<TestRequest['headers']>;

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
    await service.app.listen(0, '127.0.0.1');
  });
  afterEach(() => service.database.write((tx) => tx.run('DELETE FROM images', [])));
  afterAll(() => service.stop());

  const ask = (
    method: NonNullable<TestRequest['method']>,
    path: string,
    headers: Headers = ADMIN,
    body?: unknown,
  ): Promise<TestResponse> =>
    service.request({ method, path: `/image/v2${path}`, headers, ...(body !== undefined && { body }) });
  const create = async (body: object, headers: Headers = ADMIN): Promise<any> => {
    const { status, json, text } = await ask('POST', '/images', headers, body);
    if (status !== 201) throw new Error(`${status} ${text}`);
    return json;
  };
  const patch = (id: string, operations: unknown, headers: Headers = ADMIN): Promise<TestResponse> =>
    ask('PATCH', `/images/${id}`, { ...headers, 'content-type': PATCH_TYPE }, JSON.stringify(operations));
  const upload = (id: string, data: Buffer, headers: Headers = ADMIN): Promise<TestResponse> =>
    ask('PUT', `/images/${id}/file`, { ...headers, 'content-type': 'application/octet-stream' }, data);
  const namesSeenBy = async (headers: Headers, query = ''): Promise<readonly string[]> =>
    ((await ask('GET', `/images${query}`, headers)).json.images as { name: string }[]).map(({ name }) => name);
  const registered = async (id: string): Promise<any> =>
    (await service.request({ path: `/scheduler/images/${id}` })).json;

  it('creates an image; the registry has the fields that scheduling reads', async () => {
    const made = await ask('POST', '/images', ADMIN, {
      id: IMAGE,
      name: 'trait-image',
      disk_format: 'qcow2',
      container_format: 'bare',
      min_ram: 512,
      tags: ['a', 'a'],
      'trait:HW_CPU_X86_AVX512BW': 'required',
    });
    expect([made.status, made.headers['location']]).toEqual([
      201,
      expect.stringMatching(`/image/v2/images/${IMAGE}$`) as string,
    ]);
    const shown = (await ask('GET', `/images/${IMAGE}`)).json;
    expect(made.json).toEqual(shown);
    expect(shown).toEqual({
      id: IMAGE,
      name: 'trait-image',
      disk_format: 'qcow2',
      container_format: 'bare',
      min_disk: 0,
      min_ram: 512,
      status: 'queued',
      visibility: 'shared',
      owner: 'admin',
      protected: false,
      os_hidden: false,
      tags: ['a'],
      size: null,
      virtual_size: null,
      checksum: null,
      os_hash_algo: null,
      os_hash_value: null,
      self: `/v2/images/${IMAGE}`,
      file: `/v2/images/${IMAGE}/file`,
      schema: '/v2/schemas/image',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      updated_at: shown.created_at as string,
      'trait:HW_CPU_X86_AVX512BW': 'required',
    });
    expect(await registered(IMAGE)).toMatchObject({
      name: 'trait-image',
      disk_format: 'qcow2',
      properties: { 'trait:HW_CPU_X86_AVX512BW': 'required' },
    });
  });

  it('changes fields, properties and tags', async () => {
    const { id } = await create({ name: 'one', os_type: 'linux' });
    const changed = await patch(id, [
      { op: 'replace', path: '/name', value: 'two' },
      { op: 'remove', path: '/os_type' },
      { op: 'add', path: '/hw_disk_bus', value: 'virtio' },
      { op: 'add', path: '/tags/-', value: 'blue' },
      { op: 'replace', path: '/protected', value: true },
    ]);
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { name: 'two', hw_disk_bus: 'virtio', tags: ['blue'], protected: true },
    ]);
    expect(changed.json).not.toHaveProperty('os_type');
    expect((await ask('PUT', `/images/${id}/tags/red`)).status).toBe(204);
    expect((await ask('DELETE', `/images/${id}/tags/blue`)).status).toBe(204);
    expect((await ask('DELETE', `/images/${id}/tags/blue`)).status).toBe(404);
    expect((await ask('GET', `/images/${id}`)).json.tags).toEqual(['red']);
    expect((await registered(id)).properties).toEqual({ hw_disk_bus: 'virtio' });
  });

  it('shows the fields of the registry, and keeps properties with the name of a field', async () => {
    await service.request({
      method: 'POST',
      path: '/scheduler/images',
      body: { uuid: IMAGE, name: 'cirros', properties: { os_type: 'linux', status: 'odd' } },
    });
    expect((await ask('GET', `/images/${IMAGE}`, ANNA)).json).toMatchObject({
      name: 'cirros',
      status: 'active',
      visibility: 'public',
      owner: null,
      size: null,
      os_type: 'linux',
    });
    expect((await patch(IMAGE, [{ op: 'add', path: '/os_type', value: 'windows' }])).status).toBe(200);
    expect((await registered(IMAGE)).properties).toEqual({ os_type: 'windows', status: 'odd' });
  });

  it('keeps its own fields when the registry changes an image, and deletes them with the image', async () => {
    const { id } = await create({ name: 'one', min_disk: 7 });
    await service.request({ method: 'PATCH', path: `/scheduler/images/${id}`, body: { name: 'two' } });
    expect((await ask('GET', `/images/${id}`)).json).toMatchObject({ name: 'two', min_disk: 7 });
    await service.request({ method: 'DELETE', path: `/scheduler/images/${id}` });
    const kept = await service.database.read((sql) => sql.query('SELECT * FROM facade_images', []));
    expect(kept).toEqual([]);
  });

  it('counts data and discards it', async () => {
    const { id } = await create({ name: 'one' });
    const data = Buffer.alloc(3_000_000, 'data');
    expect((await upload(id, data)).status).toBe(204);
    const shown = (await ask('GET', `/images/${id}`)).json;
    expect(shown).toMatchObject({
      status: 'active',
      size: data.length,
      os_hash_algo: 'sha512',
      checksum: createHash('md5').update(data).digest('hex'),
      os_hash_value: createHash('sha512').update(data).digest('hex'),
    });
    expect((await upload(id, data)).status).toBe(409);
    expect((await ask('GET', `/images/${id}/file`)).status).toBe(405);
    await patch(id, [{ op: 'add', path: '/name', value: 'two' }]);
    expect((await ask('GET', `/images/${id}`)).json).toMatchObject({ name: 'two', size: data.length });
  });

  it('accepts data above the limit of other bodies, as a stream', async () => {
    const { id } = await create({ name: 'large' });
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const sending = httpRequest({
      port,
      method: 'PUT',
      path: `/image/v2/images/${id}/file`,
      headers: { 'x-auth-token': 'admin', 'content-type': 'application/octet-stream' },
    });
    const part = Buffer.alloc(1_048_576);
    for (let i = 0; i < 12; i += 1) if (!sending.write(part)) await once(sending, 'drain');
    sending.end();
    const [answer] = (await once(sending, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    answer.resume();
    expect([answer.statusCode, (await ask('GET', `/images/${id}`)).json.size]).toEqual([204, 12 * part.length]);
  });

  it('deletes the image, unless it is protected', async () => {
    const { id } = await create({ name: 'one', protected: true });
    expect((await ask('DELETE', `/images/${id}`)).json).toMatchObject({ code: '403 Forbidden' });
    await patch(id, [{ op: 'replace', path: '/protected', value: false }]);
    expect((await ask('DELETE', `/images/${id}`)).status).toBe(204);
    expect((await ask('GET', `/images/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `/images/${id}`)).status).toBe(404);
  });

  it('shows a project its own images and public ones', async () => {
    const own = await create({ name: 'own', visibility: 'private' }, ANNA);
    const open = await create({ name: 'open', visibility: 'public' });
    await create({ name: 'community', visibility: 'community' }, OTTO);
    expect(await namesSeenBy(ANNA)).toEqual(['own', 'open']);
    expect(await namesSeenBy(OTTO)).toEqual(['open', 'community']);
    expect(await namesSeenBy(ANNA, '?visibility=community')).toEqual(['community']);
    expect(await namesSeenBy(ADMIN, '?visibility=all')).toEqual(['own', 'open', 'community']);
    const name = [{ op: 'replace', path: '/name', value: 'mine' }];
    expect((await ask('GET', `/images/${own.id}`, OTTO)).status).toBe(404);
    expect((await patch(own.id, name, OTTO)).status).toBe(404);
    expect((await upload(own.id, Buffer.from('x'), OTTO)).status).toBe(404);
    expect((await ask('DELETE', `/images/${own.id}`, OTTO)).status).toBe(404);
    expect((await patch(open.id, name, OTTO)).status).toBe(403);
    expect((await ask('DELETE', `/images/${open.id}`, OTTO)).status).toBe(403);
    expect((await patch(own.id, [{ op: 'replace', path: '/visibility', value: 'public' }], ANNA)).status).toBe(403);
    expect((await patch(own.id, [{ op: 'replace', path: '/owner', value: 'other' }], ANNA)).status).toBe(403);
    expect((await ask('POST', '/images', ANNA, { visibility: 'public' })).status).toBe(403);
    expect(await namesSeenBy(ADMIN)).toEqual(['own', 'open']);
  });

  it('lists by page, fields, tags and properties', async () => {
    await create({ name: 'a', os_type: 'linux', tags: ['x', 'y'], disk_format: 'raw' });
    await create({ name: 'b', os_type: 'windows', tags: ['x'], disk_format: 'iso', protected: true });
    await create({ name: 'c', os_type: 'linux', tags: [], disk_format: 'raw', min_ram: 64 });
    const names = async (query: string): Promise<string> => (await namesSeenBy(ADMIN, query)).join('');
    expect(await names('')).toBe('abc');
    expect(await names('?name=b')).toBe('b');
    expect(await names('?disk_format=raw')).toBe('ac');
    expect(await names('?os_type=linux')).toBe('ac');
    expect(await names('?tag=x&tag=y')).toBe('a');
    expect(await names('?protected=True')).toBe('b');
    expect(await names('?min_ram=64')).toBe('c');
    expect(await names('?owner=admin&status=queued')).toBe('abc');
    expect(await names('?os_hidden=True')).toBe('');
    expect(await names('?limit=0')).toBe('');
    const first = (await ask('GET', '/images?os_type=linux&limit=1')).json;
    expect([first.images.length, first.first]).toEqual([1, '/v2/images?os_type=linux&limit=1']);
    const second = (await ask('GET', String(first.next).slice('/v2'.length))).json;
    expect(second.images[0].name).toBe('c');
    const third = (await ask('GET', String(second.next).slice('/v2'.length))).json;
    expect([third.images, third.next]).toEqual([[], undefined]);
  });

  it('lists in the requested order, and refuses keys and values that it does not have', async () => {
    await create({ name: 'b', disk_format: 'raw' });
    await create({ name: 'a', disk_format: 'iso' });
    await create({ name: 'c', disk_format: 'raw' });
    const names = async (query: string): Promise<string> => (await namesSeenBy(ADMIN, query)).join('');
    expect(await names('')).toBe('bac');
    expect(await names('?sort_key=name&sort_dir=asc')).toBe('abc');
    expect(await names('?sort_key=name')).toBe('cba');
    expect(await names('?sort=disk_format:asc,name:desc')).toBe('acb');
    expect(await names('?sort_key=disk_format&sort_key=name&sort_dir=desc&sort_dir=asc')).toBe('bca');
    const first = (await ask('GET', '/images?sort=name:asc&limit=2')).json;
    const next = (await ask('GET', String(first.next).slice('/v2'.length))).json;
    expect(next.images.map(({ name }: { name: string }) => name)).toEqual(['c']);
    expect(await names('?name=in:a,c')).toBe('ac');
    expect(await names('?os_type=in:a,c')).toBe('');
    for (const [query, parameter] of [
      ['sort_key=colour', 'sort_key'],
      ['sort=name:up', 'sort_dir'],
      ['visibility=secret', 'visibility'],
    ]) {
      const answer = await ask('GET', `/images?${query}`);
      expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(`'${parameter}'`)]);
    }
  });

  it('serves the schema that clients request', async () => {
    expect((await ask('GET', '/schemas/image')).json.properties).toHaveProperty('visibility');
    expect((await ask('GET', '/schemas/task')).status).toBe(404);
  });

  it.each([
    ['a list', [], 'the document'],
    ['a name that is none', { name: 7 }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['an id that is none', { id: 'one' }, 'id'],
    ['a status', { status: 'active' }, 'status'],
    ['an unknown visibility', { visibility: 'secret' }, 'visibility'],
    ['an unknown format', { disk_format: 'floppy' }, 'disk_format'],
    ['an unknown container', { container_format: 'box' }, 'container_format'],
    ['less than no disk', { min_disk: -1 }, 'min_disk'],
    ['half a megabyte', { min_ram: 0.5 }, 'min_ram'],
    ['a word for true', { protected: 'true' }, 'protected'],
    ['a hidden image', { os_hidden: true }, 'os_hidden'],
    ['a tag alone', { tags: 'x' }, 'tags'],
    ['an empty tag', { tags: [''] }, 'tags'],
    ['many tags', { tags: Array.from({ length: 129 }, (_, i) => `${i}`) }, 'tags'],
    ['a property that is no text', { os_type: 1 }, 'os_type'],
    ['a property that cannot be stored', { os_type: 'a\0' }, 'os_type'],
    ['a property that every object has', { constructor: 'x' }, 'constructor'],
    ['a trait that is no demand', { 'trait:CUSTOM_X': 'perhaps' }, 'trait:CUSTOM_X'],
  ])('refuses %s by name, and creates nothing', async (_what, body, field) => {
    const answer = await ask('POST', '/images', ADMIN, body);
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining(field) as string]);
    expect(await namesSeenBy(ADMIN)).toEqual([]);
  });

  it('refuses other media types, read-only fields, and duplicate ids', async () => {
    const { id } = await create({ name: 'one' });
    expect((await ask('POST', '/images', ADMIN, { id })).status).toBe(409);
    expect((await ask('PATCH', `/images/${id}`, ADMIN, [])).status).toBe(415);
    expect((await ask('PUT', `/images/${id}/file`, ADMIN, {})).status).toBe(415);
    expect((await patch(id, [{ op: 'add', path: '/size', value: 1 }])).json.message).toContain('size');
    expect((await ask('GET', '/images/one')).status).toBe(404);
    expect((await ask('GET', '/images?limit=x')).status).toBe(400);
    expect((await ask('GET', `/images?marker=${IMAGE}`)).status).toBe(400);
    expect((await ask('GET', '/images?size_min=1')).status).toBe(400);
    expect((await ask('GET', `/images/${id}`)).json).toMatchObject({ name: 'one', size: null });
  });

  it('answers in HTML if the client does not accept JSON', async () => {
    const answer = await ask('GET', '/images/one', { ...ADMIN, accept: 'text/html' });
    expect([answer.status, answer.text]).toEqual([
      404,
      expect.stringContaining('<title>404 Not Found</title>') as string,
    ]);
  });
});
