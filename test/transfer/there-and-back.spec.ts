// Exports into both revisions of the reference's schema and into JSON Lines: an import of the export gives the same
// cloud.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportCommand } from '../../src/transfer/export-command';
import type { TestDatabaseKind } from '../support/databases';
import { createTestDatabase, testDatabaseKinds } from '../support/databases';
import { C, makeReference, P, putSmallCloud } from './reference-fixture';
import type { Place } from './transfer-support';
import { cloudOf, configOf, makePlace, writableReference } from './transfer-support';

const FORMER_INDEX: Readonly<Record<TestDatabaseKind, string>> = {
  sqlite: "SELECT 1 FROM sqlite_master WHERE name = 'resource_providers_name_idx'",
  mysql:
    "SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'resource_providers_name_idx'",
};

describe.each(testDatabaseKinds())('from and into %s', (kind) => {
  let place: Place;
  let cloud: readonly string[];
  beforeEach(async () => {
    place = await makePlace(kind);
    await makeReference(place.reference, '422ece571366');
    await putSmallCloud(place.reference);
    await place.bring();
    cloud = await place.within(cloudOf);
  });
  afterEach(() => place.clear());

  const send = (to: string, more = {}): Promise<number> =>
    exportCommand(
      { to, ...more },
      { config: place.config, cwd: place.folder, print: (text) => place.printed.push(text) },
    );

  it('writes both revisions of the schema, which can be imported again', async () => {
    for (const [revision, former] of [
      ['422ece571366', 1],
      ['a082b8bb98d0', 0],
    ] as const) {
      const back = await createTestDatabase(kind);
      const again = await createTestDatabase(kind);
      try {
        expect(await send(back.url, { revision })).toBe(0);
        const reference = await writableReference(back.url);
        expect(await reference.query('SELECT version_num FROM alembic_version')).toEqual([{ version_num: revision }]);
        expect(await reference.query(FORMER_INDEX[kind])).toHaveLength(former);
        const [row] = await reference.query<object>(
          `SELECT created_at, updated_at FROM resource_providers WHERE uuid = '${P(1)}'`,
        );
        expect(Object.values(row ?? {}).map((text) => String(text).slice(0, 19))).toEqual([
          '2024-03-01 10:00:00',
          '2024-03-02 11:30:15',
        ]);
        await reference.close();
        expect(await place.bring({ from: back.url, replace: true })).toBe(0);
        expect(await place.within(cloudOf)).toEqual(cloud);
      } finally {
        await back.drop();
        await again.drop();
      }
    }
  });

  it('refuses a non-empty schema, fills an empty one, and replaces on request', async () => {
    await expect(send(place.source.url)).rejects.toThrow('is not empty: --replace takes away what it holds');
    await expect(send(place.source.url, { revision: 'a082b8bb98d0' })).rejects.toThrow('has revision 422ece571366');
    await expect(send(place.target.url)).rejects.toThrow('is a database of Berth');
    expect(await send(place.source.url, { revision: 'b4ed3a175331' })).toBe(2);
    await place.reference.run('DELETE FROM allocations WHERE consumer_id = ?', [C(2)]);
    expect(await send(place.source.url, { replace: true })).toBe(0);
    expect(await place.bring({ replace: true })).toBe(0);
    expect(await place.within(cloudOf)).toEqual(cloud);
  });

  /** Replaces Berth's cloud by one with only these names. */
  const bringNames = async (providers: readonly string[], projects: readonly string[]): Promise<void> => {
    const records = [
      ...providers.map((name, at) => ({ record: 'provider', uuid: P(at), name, inventories: { VCPU: { total: 8 } } })),
      ...projects.map((project, at) => ({
        record: 'consumer',
        uuid: C(at),
        project,
        user: 'u',
        allocations: { [P(0)]: { VCPU: 1 } },
      })),
    ];
    writeFileSync(join(place.folder, 'names.jsonl'), records.map((record) => JSON.stringify(record)).join('\n'));
    expect(await place.bring({ from: 'names.jsonl', replace: true })).toBe(0);
    cloud = await place.within(cloudOf);
  };

  it('distinguishes names by case, accents and trailing blanks, in its own tables', async () => {
    await bringNames(
      ['trail', 'trail ', 'Trail', 'tràil', 'trail \t', '\u{1f363}', '\u{1f37a}'],
      ['proj', 'PROJ', 'proj '],
    );
    const back = await createTestDatabase(kind);
    try {
      expect(await send(back.url)).toBe(0);
      expect(await place.bring({ from: back.url, replace: true })).toBe(0);
      expect(await place.within(cloudOf)).toEqual(cloud);
    } finally {
      await back.drop();
    }
  });

  if (kind === 'mysql') {
    it.each([
      ['distinguish', ['trail', 'trail ', 'other', 'more'], /Duplicate entry/],
      ['store', ['raw \u{1f363}', 'a', 'b', 'c'], /Incorrect string value/],
    ])('ends without a revision if existing tables cannot %s names', async (_, names, problem) => {
      await bringNames(names, ['proj', 'other', 'alone']);
      await expect(send(place.source.url, { replace: true })).rejects.toThrow(problem);
      expect(await place.reference.query('SELECT version_num FROM alembic_version')).toHaveLength(0);
    });

    it('fills tables of another collation with names that it distinguishes', async () => {
      await bringNames(['trail', 'trail2', 'other'], ['proj', 'proj2']);
      expect(await send(place.source.url, { replace: true })).toBe(0);
      expect(await place.bring({ replace: true })).toBe(0);
      expect(await place.within(cloudOf)).toEqual(cloud);
    });
  }

  it('writes JSON Lines that are identical after an import', async () => {
    const file = join(place.folder, 'cloud.jsonl');
    expect(await send('cloud.jsonl')).toBe(0);
    await expect(send('cloud.jsonl')).rejects.toThrow('cloud.jsonl is there already');
    const other = await createTestDatabase(kind);
    try {
      const config = configOf(other.url);
      expect(await place.bring({ from: file }, { config })).toBe(0);
      const to = join(place.folder, 'again.jsonl');
      expect(await exportCommand({ to }, { config, cwd: '/', print: () => undefined })).toBe(0);
      expect(readFileSync(to, 'utf8')).toBe(readFileSync(file, 'utf8'));
      expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1 + 2 + 3 + 2);
    } finally {
      await other.drop();
    }
  });
});

describe('a file', () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace('sqlite');
  });
  afterEach(() => place.clear());

  const provider = { record: 'provider', uuid: P(1), name: 'host-1', inventories: { VCPU: { total: 8 } } };
  const consumer = { record: 'consumer', uuid: C(1), project: 'p', user: 'u', allocations: { [P(1)]: { VCPU: 2 } } };
  const bring = (...lines: readonly unknown[]): Promise<number> => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(join(place.folder, 'seed.jsonl'), texts.join('\n'));
    return place.bring({ from: 'seed.jsonl' });
  };

  it('can be written by hand, with lines in any order', async () => {
    const child = { record: 'provider', uuid: P(0), name: 'numa-0', parent: P(1), traits: ['CUSTOM_A'] };
    expect(await bring(consumer, child, provider)).toBe(0);
    expect((await place.within(cloudOf)).map((line) => line.replace(/ \d{13} null$/, ''))).toEqual([
      `provider ${P(0)} numa-0 0 ${P(1)} ${P(1)}`,
      `provider ${P(1)} host-1 0 null ${P(1)}`,
      `inventory ${P(1)} VCPU 8 0 1 8 2`,
      `trait ${P(0)} CUSTOM_A`,
      `allocation ${C(1)} 1 p u null ${P(1)} VCPU 2`,
    ]);
  });

  it('can have every ratio that the API accepts', async () => {
    expect(await bring({ ...provider, inventories: { VCPU: { total: 1, allocation_ratio: -0.5 } } })).toBe(0);
    expect(await place.within(cloudOf)).toContain(`inventory ${P(1)} VCPU 1 0 -0.5 0 0`);
  });

  it.each([
    ['no JSON', [provider, '{'], 'seed.jsonl:2: '],
    ['another record', [{ record: 'host' }], `seed.jsonl:1: JSON does not validate: 'record' must be one of header, `],
    [
      'a field too many',
      [{ ...provider, colour: 'red' }],
      `seed.jsonl:1: JSON does not validate: the document has the unknown property 'colour'.`,
    ],
    [
      'a total that is none',
      [{ ...provider, inventories: { VCPU: { total: -1 } } }],
      `seed.jsonl:1: JSON does not validate: 'inventories.VCPU.total' must be >= 0.`,
    ],
    [
      'no uuid',
      [{ ...provider, uuid: 'x' }],
      `seed.jsonl:1: JSON does not validate: 'uuid' does not match the pattern ^[0-9a-f]`,
    ],
    ['a provider twice', [provider, provider], `seed.jsonl:2: a second resource provider ${P(1)}`],
    ['a consumer twice', [provider, consumer, consumer], 'a consumer occurs twice'],
    ['a provider that it has not', [consumer], 'line 1 names a resource provider that the file does not have'],
    ['an unknown class', [{ ...provider, inventories: { VCPUS: { total: 1 } } }], 'VCPUS is no known resource class'],
    [
      'fewer lines than it says',
      [{ record: 'header', format: 'berth-placement', version: 1, counts: { providers: 2, consumers: 0 } }, provider],
      'has 1 providers instead of 2: it was cut off',
    ],
    ['a loop of parents', [{ ...provider, parent: P(1) }], 'parents of resource providers form a loop'],
  ])('with %s is refused by line and field, and nothing changes', async (_what, lines, message) => {
    await expect(bring(...lines)).rejects.toThrow(message);
    await expect(place.within(cloudOf)).rejects.toThrow('run "berth migrate"');
  });
});
