// Filters of the list of servers. A parameter that the list does not obey is refused by name.
import { testDatabaseKinds } from '../support/databases';
import { startServersCloud, TENANT } from './practice-cloud-servers';

/** In these tests, `one` is a server with everything that a filter reads, and `two` is a plain one in error. */
describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { ask, ok, create, show, act } = startServersCloud(kind);
  const NEWEST = '2.96';
  const ids: Record<string, string> = {};

  beforeEach(async () => {
    await ask('os-keypairs', { method: 'POST', body: { keypair: { name: 'mine' } } });
    const marked = { name: 'one-1', key_name: 'mine', tags: ['a', 'b'], config_drive: true, description: 'first' };
    ids['one'] = await create({ ...marked, availability_zone: 'nova:cn1' }, { version: NEWEST });
    ids['two'] = await create({ name: 'two.2', flavorRef: '9' });
    await act(ids['one'], { lock: null });
  });

  const listed = async (query: string, version = NEWEST, as = 'admin:ops'): Promise<string> => {
    const { json } = await ok(`servers?${query}`, { version, as });
    const names = Object.entries(ids);
    return (json.servers as { id: string }[]).map(({ id }) => names.find(([, each]) => each === id)?.[0]).join(' ');
  };

  it('returns the servers that match, and only those', async () => {
    const { 'OS-EXT-SRV-ATTR:reservation_id': reservation, addresses } = await show(ids['one'] ?? '', {
      version: '2.3',
    });
    const address = addresses.practice[0].addr as string;
    const EXPECTED: readonly (readonly [query: string, names: string])[] = [
      ['', 'two one'],
      ['name=one-1', 'one'],
      ['name=%5Eone', 'one'],
      ['name=%5Eon$', ''],
      ['name=[a-z]%2B-[0-9]$', 'one'],
      ['name=one|two', 'two one'],
      ['name=two.2', 'two'],
      ['ip=9.9.9.9', ''],
      [`ip=${address}`, 'one'],
      ['ip6=fe80', ''],
      ['key_name=mine', 'one'],
      ['key_name=other', ''],
      ['vm_state=active', 'one'],
      ['vm_state=nothing', ''],
      ['power_state=1', 'one'],
      ['power_state=9', ''],
      ['task_state=spawning', ''],
      ['status=active&status=error', 'two one'],
      ['status=RESCUE', ''],
      ['locked=true', 'one'],
      ['locked_by=owner', 'one'],
      ['locked_by=admin', ''],
      ['locked=False', 'two'],
      ['tags=a,b', 'one'],
      ['tags=a,c', ''],
      ['tags-any=a,c', 'one'],
      ['not-tags=a,c', 'two one'],
      ['not-tags-any=a,c', 'two'],
      [`reservation_id=${reservation}`, 'one'],
      ['reservation_id=r-x', ''],
      ['user_id=kim', ''],
      ['host=cn1', 'one'],
      ['node=cn', 'one'],
      ['host=cn', ''],
      [`uuid=${ids['two']}`, 'two'],
      ['description=first', 'one'],
      ['hostname=two', 'two'],
      ['config_drive=True', 'one'],
      ['deleted=true', ''],
      ['deleted=false&flavor=9', 'two'],
      ['sort_key=created_at&sort_dir=desc', 'two one'],
    ];
    for (const [query, names] of EXPECTED) expect([query, await listed(query)]).toEqual([query, names]);
  });

  it.each([
    'availability_zone=nova',
    'progress=1',
    'metadata=x',
    'soft_deleted=1',
    'terminated_at=x',
    'surprise=1',
    'constructor=1',
    '_x=1',
    'name=(a)',
    'name=a{2}',
    'locked=maybe',
    'all_tenants=maybe',
    'changes-since=2001-01-01',
    'status=tired',
    'sort_key=display_name',
    'sort_dir=asc',
    'limit=-1',
  ])('refuses %s by name', async (query) => {
    const answer = await ask(`servers/detail?${query}`, { version: NEWEST });
    expect([answer.status, answer.json.badRequest?.message]).toEqual([
      400,
      expect.stringContaining(`'${query.slice(0, query.indexOf('='))}'`),
    ]);
  });

  it('obeys each filter at each version and for each caller, except those of administrators', async () => {
    ids['three'] = await create({ name: 'three' }, { as: TENANT });
    for (const version of ['2.1', NEWEST]) {
      expect(await listed('tags=none', version)).toBe('');
      expect(await listed('key_name=none', version, TENANT)).toBe('');
      expect(await listed('vm_state=active&project_id=demo', version, TENANT)).toBe('three');
      expect((await ask('servers?surprise=1', { version })).status).toBe(400);
      for (const query of ['host=cn1', 'node=cn1', 'all_tenants=1', 'project_id=ops'])
        expect([query, (await ask(`servers?${query}`, { as: TENANT, version })).status]).toEqual([query, 403]);
    }
  });

  it('has pages that match', async () => {
    for (let more = 0; more < 3; more++) await create({ name: `p-${more}` });
    const page = async (query: string): Promise<string[]> =>
      ((await ok(`servers?name=%5Ep-&${query}`)).json.servers as { name: string }[]).map(({ name }) => name);
    expect(await page('limit=2')).toEqual(['p-2', 'p-1']);
    expect(await page('limit=0')).toEqual([]);
    const [{ id }] = (await ok('servers?name=p-1')).json.servers as [{ id: string }];
    expect(await page(`limit=2&marker=${id}`)).toEqual(['p-0']);
  });
});
