// How a call becomes a request (address, version, credentials) and an answer becomes an error.
import type { SessionSettings } from './index.ts';
import {
  Client,
  Conflict,
  ERROR_CODES,
  noauth,
  NotFound,
  NoValidHost,
  pages,
  Refusal,
  Session,
  token,
  unlessMissing,
  UnreadableAnswer,
  VersionRefused,
} from './index.ts';
import type { ScriptedAnswer } from './scripted-server.fixture.ts';
import { answers, ScriptedServer } from './scripted-server.fixture.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.stop());

const sessionOf = (settings: Partial<SessionSettings> = {}): Session =>
  new Session({
    endpoint: server.url,
    credentials: noauth('admin'),
    retry: { pauseMs: 1, retriesWithinMs: 1_000_000 },
    ...settings,
  });

const rootOf = (min: string, max: string): ScriptedAnswer =>
  answers(200, { versions: [{ id: 'v1.0', status: 'CURRENT', min_version: min, max_version: max }] });
const fine = answers(200, { traits: [] });
const receivedVersions = (): unknown[] => server.received.map(({ headers }) => headers['openstack-api-version']);

describe('the microversion', () => {
  it.each([
    ['the newest of both, of an older service', '1.29', '1.29'],
    ['the newest of both, of a newer service', '1.40', '1.39'],
  ])('is %s', async (_, newest, common) => {
    const client = new Client(sessionOf());
    server.plays(rootOf('1.0', newest), fine);
    await client.traits.list();
    await client.resourceClasses.list();
    expect(receivedVersions()).toEqual([undefined, `placement ${common}`, `placement ${common}`]);
  });

  it('is asked for once, by calls at the same time as well, without credentials', async () => {
    const client = new Client(sessionOf());
    server.plays(rootOf('1.0', '1.39'), fine);
    await Promise.all([client.traits.list(), client.traits.list()]);
    expect(server.received.map(({ url }) => url)).toEqual(['/', '/traits', '/traits']);
    expect(server.received[0]?.headers).not.toHaveProperty('x-auth-token');
  });

  it('is asked for again after a failure', async () => {
    const client = new Client(sessionOf());
    server.plays(answers(404, {}), rootOf('1.0', '1.39'), fine);
    await expect(client.traits.list()).rejects.toThrow(NotFound);
    await client.traits.list();
    expect(receivedVersions().at(-1)).toBe('placement 1.39');
  });

  it('is the client’s, and that of a call before it', async () => {
    const client = new Client(sessionOf(), '1.20');
    server.plays(fine);
    await client.traits.list();
    await client.at('1.10').traits.list();
    await client.at('latest').traits.list({}, { version: '1.6' });
    expect(receivedVersions()).toEqual(['placement 1.20', 'placement 1.10', 'placement 1.6']);
  });

  it('of the Compute API is the newest of that API, or that of the call', async () => {
    const client = new Client(sessionOf(), '1.20');
    server.plays(answers(200, { servers: [] }));
    await client.servers.list();
    await client.hypervisors.list({}, { version: '2.53' });
    expect(receivedVersions()).toEqual(['compute 2.96', 'compute 2.53']);
    await expect(client.servers.list({}, { version: '1.20' })).rejects.toThrow('like "2.96"');
  });

  it.each(['1', '2.0', '1.x', '', '1.39\r\nx-roles: admin'])('is refused if it is %j', async (version) => {
    expect(() => new Client(sessionOf(), version)).toThrow('version: must be');
    await expect(new Client(sessionOf()).traits.list({}, { version })).rejects.toThrow('version: must be');
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['names none', answers(200, { name: 'another' }), 'no placement service'],
    ['is an empty list', answers(200, []), 'no placement service'],
    ['speaks newer ones only', rootOf('1.50', '1.60'), 'from 1.50 on, this client up to 1.39'],
  ])('cannot be agreed on with a service that %s', async (_, root, message) => {
    server.plays(root);
    const call = new Client(sessionOf()).traits.list();
    await expect(call).rejects.toThrow(UnreadableAnswer);
    await expect(call).rejects.toThrow(message);
  });

  it('that the service does not speak is its refusal', async () => {
    server.plays(answers(406, { errors: [{ status: 406, min_version: '1.0', max_version: '1.39' }] }));
    await expect(new Client(sessionOf(), '1.99').traits.list()).rejects.toMatchObject({
      constructor: VersionRefused,
      error: { max_version: '1.39' },
    });
  });
});

describe('the address', () => {
  it.each(['', '/', '/placement', '/placement/'])('keeps the prefix %j', async (prefix) => {
    server.plays(fine);
    await new Client(sessionOf({ endpoint: `${server.url}${prefix}` }), '1.39').traits.list();
    expect(server.received[0]?.url).toBe(`${prefix.replace(/\/$/, '')}/traits`);
  });

  it('has names as they are, whatever they hold', async () => {
    server.plays(answers(204));
    await new Client(sessionOf(), '1.39').hostAggregates.removeHost('a/b', 'host ?#%ü');
    expect(server.received[0]?.url).toBe('/scheduler/host_aggregates/a%2Fb/hosts/host%20%3F%23%25%C3%BC');
  });

  it.each(['', '.', '..'])('refuses the name %j, which would make another path of it', async (name) => {
    await expect(new Client(sessionOf(), '1.39').traits.delete(name)).rejects.toThrow(
      `name: '${name}' cannot stand in a path`,
    );
    expect(server.received).toHaveLength(0);
  });

  it('repeats a parameter for each of its values, and leaves out what is undefined', async () => {
    server.plays(fine);
    const query = { member_of: ['a', 'b&c'], limit: 3, name: undefined, marker: '' };
    await new Client(sessionOf(), '1.39').flavors.list(query);
    expect(server.received[0]?.url).toBe('/scheduler/flavors?member_of=a&member_of=b%26c&limit=3&marker=');
  });

  it.each(['localhost:8778', 'ftp://berth', '', 'http://admin:S3CRET@berth', 'http://berth/?a=b', 'http://berth/#a'])(
    'is refused where it is %j, and not repeated',
    (endpoint) => {
      const message = /^endpoint: must be an http or https URL without credentials, query and fragment$/;
      expect(() => sessionOf({ endpoint })).toThrow(message);
    },
  );
});

describe('who asks', () => {
  it.each([
    [noauth('admin'), { 'x-auth-token': 'admin', 'x-roles': undefined }],
    [
      noauth('ann', { project: 'p1', roles: ['reader', 'member'] }),
      { 'x-auth-token': 'ann:p1', 'x-roles': 'reader,member' },
    ],
    [token('S3CRET'), { 'x-auth-token': 'S3CRET', 'x-roles': undefined }],
  ])('%#', async (credentials, headers) => {
    server.plays(fine);
    await new Client(sessionOf({ credentials }), '1.39').traits.list();
    expect(server.received[0]?.headers).toMatchObject(
      Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    );
    expect(server.received[0]?.headers['x-roles']).toBe(headers['x-roles']);
  });

  it('is no role that would be two headers', () => {
    expect(() => noauth('admin', { roles: ['a\r\nx: y'] })).toThrow('roles: must be');
  });

  it.each(['', 'a b', 'tökén', 'a\r\nx-roles: admin'])('is no token %j, which is not repeated', (text) => {
    expect(() => token(text)).toThrow(/^token: must be printable ASCII without blanks$/);
  });
});

describe('a refusal', () => {
  const refusedBy = async (answer: ScriptedAnswer): Promise<unknown> => {
    server.plays(answer);
    return new Client(sessionOf(), '1.39').traits.delete('CUSTOM_A').catch((error: unknown) => error);
  };

  it('has what the service said', async () => {
    const detail = 'There was a conflict when trying to complete your request.\n\n The trait CUSTOM_A is in use.  ';
    const error = { status: 409, title: 'Conflict', detail, code: 'placement.undefined_code', request_id: 'req-1' };
    expect(await refusedBy(answers(409, { errors: [error] }))).toMatchObject({
      constructor: Conflict,
      name: 'Conflict',
      status: 409,
      code: 'placement.undefined_code',
      detail: 'The trait CUSTOM_A is in use.',
      requestId: 'req-1',
      message: `DELETE ${server.url}/traits/CUSTOM_A was answered with 409: The trait CUSTOM_A is in use.`,
      tries: 1,
      error,
    });
  });

  it.each(Object.entries(ERROR_CODES))('of the code %s has its class', async (code, itsClass) => {
    const refusal = await refusedBy(answers(409, { errors: [{ status: 409, detail: 'No.', code }] }));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ constructor: itsClass ?? Conflict, code });
  });

  it.each([
    [400, 'InvalidRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [406, 'VersionRefused'],
    [409, 'Conflict'],
    [418, 'Refusal'],
    [429, 'TooManyRequests'],
    [500, 'Refusal'],
    [503, 'Unavailable'],
  ])('maps an unknown error code by its status: %d', async (status, name) => {
    const document = { errors: [{ status, detail: 'No.', code: 'toString' }] };
    expect(await refusedBy(answers(status, document))).toMatchObject({ name, status });
    expect(await refusedBy(answers(status, 'No, <b>no</b>!\n'))).toMatchObject({ name, detail: 'No, <b>no</b>!' });
  });

  it('of the scheduler has the decision', async () => {
    const decision = { outcome: 'no_valid_host' };
    const refusal = await refusedBy(
      answers(409, { errors: [{ status: 409, code: 'scheduler.no_valid_host', decision }] }),
    );
    expect(refusal).toBeInstanceOf(NoValidHost);
    expect((refusal as NoValidHost).decision).toEqual(decision);
  });

  it('of what is not there can be an undefined', async () => {
    server.plays(answers(404, {}), answers(403, {}), answers(204));
    const client = new Client(sessionOf(), '1.39');
    expect(await unlessMissing(client.traits.get('CUSTOM_A'))).toBeUndefined();
    await expect(unlessMissing(client.traits.get('CUSTOM_A'))).rejects.toThrow('403');
  });
});

describe('a list in pages', () => {
  it('is asked for page by page, with the same filters', async () => {
    const page = (ids: readonly string[], next: string | null): ScriptedAnswer =>
      answers(200, { flavors: ids.map((id) => ({ id })), next_marker: next });
    server.plays(page(['a', 'b'], 'b'), page(['c'], null));
    const client = new Client(sessionOf(), '1.39');
    const ids: unknown[] = [];
    for await (const { flavors } of pages(client.flavors.list, { limit: 2 })) ids.push(...flavors.map(({ id }) => id));
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(server.received.map(({ url }) => url)).toEqual([
      '/scheduler/flavors?limit=2',
      '/scheduler/flavors?limit=2&marker=b',
    ]);
  });
});
