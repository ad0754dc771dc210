// Faults of each kind, inserted with foreign keys disabled, are found, explained and repaired.
import { openConfiguredDatabase } from '../../src/platform/database/open-database';
import { findBrokenLaws } from '../../src/transfer/verify/broken-laws';
import { repairDatabase } from '../../src/transfer/verify/repair';
import { testDatabaseKinds } from '../support/databases';
import { dumpTables } from '../support/table-dump';
import { C, makeReference, P, putSmallCloud } from '../transfer/reference-fixture';
import type { Place } from '../transfer/transfer-support';
import { makePlace, writableReference } from '../transfer/transfer-support';

const ONE = (uuid: string): string => `(SELECT id FROM (SELECT id FROM resource_providers WHERE uuid = '${uuid}') one)`;
const CONSUMER = (uuid: string): string => `(SELECT id FROM consumers WHERE uuid = '${uuid}')`;

/** Statements that damage the database, and the explanation. After the repair its state is as before. */
const FAULTS: readonly (readonly [what: string, sql: readonly string[], explained: RegExp])[] = [
  ['usage', ['UPDATE inventories SET used = used + 7 WHERE total = 16'], /VCPU on .*: used set from 10 to 3, the sum/],
  ['capacity', ['UPDATE inventories SET capacity = 1 WHERE total = 16'], /VCPU on .*: capacity set from 1 to 64/],
  [
    'a consumer without allocations',
    [
      "INSERT INTO consumers (uuid, generation, project_id, user_id, created_at) SELECT '99990000-0000-4000-8000-000000000000', 1, project_id, user_id, 1 FROM consumers LIMIT 1",
    ],
    /consumer 99990000.*: removed: a consumer exists only while/,
  ],
  [
    'an allocation without a consumer',
    [
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) VALUES (987654, ${ONE(P(3))}, 0, 1, 1)`,
    ],
    /allocation \(consumer_id 987654.*: removed: its consumer does not exist/,
  ],
  [
    'an allocation without inventory',
    [
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) VALUES (${CONSUMER(C(2))}, ${ONE(P(3))}, 2, 1, 1)`,
    ],
    /allocation .*: removed: there is no inventory/,
  ],
  [
    'an allocation without a provider',
    [
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) VALUES (${CONSUMER(C(2))}, 987654, 0, 1, 1)`,
    ],
    /allocation .*resource_provider_id 987654.*: removed: there is no inventory, or no provider/,
  ],
  [
    'an inventory without a provider, with an allocation',
    [
      'INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, capacity, used, created_at) VALUES (987654, 0, 4, 0, 1, 4, 1, 1, 4, 1, 1)',
      `INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) VALUES (${CONSUMER(C(2))}, 987654, 0, 1, 1)`,
    ],
    /inventory .*resource_provider_id 987654.*: removed: the provider or the class does not exist/,
  ],
  [
    'a trait and an aggregate without a provider',
    [
      'INSERT INTO resource_provider_traits (resource_provider_id, trait_id) VALUES (987654, 1)',
      'INSERT INTO resource_provider_aggregates (resource_provider_id, aggregate_id) VALUES (987654, 1)',
    ],
    /trait of a resource provider .*: removed/,
  ],
  [
    'a wrong root',
    [`UPDATE resource_providers SET root_provider_id = id WHERE uuid = '${P(2)}'`],
    /root set from .*, the top of its parents/,
  ],
  [
    'no root',
    [`UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = '${P(3)}'`],
    /root set from none to/,
  ],
  [
    'a parent that is gone',
    [`UPDATE resource_providers SET parent_provider_id = 987654 WHERE uuid = '${P(3)}'`],
    /parent of resource provider .*: made a root: its parent does not exist/,
  ],
  [
    'parents that form a loop',
    [`UPDATE resource_providers SET parent_provider_id = ${ONE(P(2))} WHERE uuid = '${P(1)}'`],
    /: made a root: its parents form a loop/,
  ],
  [
    'a member of a server group that is gone',
    [
      "INSERT INTO server_group_members (group_id, instance_uuid, created_at) VALUES (987654, '99990000-0000-4000-8000-000000000000', 1)",
    ],
    /member of a server group .*: removed: the group does not exist/,
  ],
  [
    'hosts and metadata of a host aggregate that is gone',
    [
      "INSERT INTO host_aggregate_hosts (aggregate_id, host) VALUES (987654, 'host-1')",
      "INSERT INTO host_aggregate_metadata (aggregate_id, name, value) VALUES (987654, 'a', 'b')",
    ],
    /host of a host aggregate .*: removed/,
  ],
];

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace(kind);
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    expect(await place.bring()).toBe(0);
  });
  afterAll(() => place.clear());

  it.each(FAULTS)('repairs %s', async (_what, statements, explained) => {
    const opened = await openConfiguredDatabase(place.config);
    const { database } = opened;
    const broken = (): Promise<readonly unknown[]> => database.readSnapshot(findBrokenLaws);
    /** Without columns that only record a write. */
    const state = async (): Promise<string> =>
      (await dumpTables(database)).replaceAll(/"(version|holds|updated_at|generation)":(\d+|null)/g, '');
    const changes = async (): Promise<number> =>
      Number((await database.read((sql) => sql.query<{ n: number }>('SELECT COUNT(*) AS n FROM change_log')))[0]?.n);
    try {
      const before = await state();
      expect(await broken()).toEqual([]);
      const hand = await writableReference(place.target.url);
      for (const statement of statements) await hand.run(statement);
      await hand.close();
      expect(await broken()).not.toEqual([]);
      const damaged = await state();

      const dry: string[] = [];
      const logged = await changes();
      expect(await repairDatabase(database, true, (text) => dry.push(text))).toMatchObject({ repaired: 0 });
      expect(dry.join('\n')).toMatch(explained);
      expect([await state(), await changes()]).toEqual([damaged, logged]);

      const reported: string[] = [];
      const outcome = await repairDatabase(database, false, (text) => reported.push(text));
      expect(outcome.repaired).toBe(outcome.found);
      expect(reported.join('\n')).toMatch(explained);
      expect(await broken()).toEqual([]);
      expect(await state()).toBe(before);
      if (!/consumer 9999|server group/.test(reported.join())) expect(await changes()).toBeGreaterThan(logged);
    } finally {
      await opened.close();
    }
  });
});
