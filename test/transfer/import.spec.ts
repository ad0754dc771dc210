// Imports of the reference's schema: all rows arrive, broken rows are repaired or reported, and other data changes only
// on request.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrokenLaws } from '../../src/transfer/verify/broken-laws';
import { testDatabaseKinds } from '../support/databases';
import { AGGREGATE, C, makeReference, P, put, putBreakage, putSmallCloud } from './reference-fixture';
import type { Place } from './transfer-support';
import { cloudOf, makePlace } from './transfer-support';

const CREATED = Date.parse('2024-03-01T10:00:00Z');
const UPDATED = Date.parse('2024-03-02T11:30:15Z');

const SMALL_CLOUD = [
  `provider ${P(1)} host-1 5 null ${P(1)} ${CREATED} ${UPDATED}`,
  `provider ${P(2)} card-1 3 ${P(1)} ${P(1)} ${CREATED} null`,
  `provider ${P(3)} host-2 2 null ${P(3)} ${CREATED} null`,
  `inventory ${P(1)} MEMORY_MB 4096 0 1.5 6144 512`,
  `inventory ${P(1)} VCPU 10 1 0.7 6 2`,
  `inventory ${P(2)} CUSTOM_CARD 4 0 1 4 1`,
  `inventory ${P(3)} VCPU 16 0 4 64 3`,
  `trait ${P(1)} HW_CPU_X86_AVX2`,
  `trait ${P(3)} CUSTOM_GOLD`,
  `aggregate ${P(1)} ${AGGREGATE}`,
  `aggregate ${P(3)} ${AGGREGATE}`,
  `allocation ${C(1)} 4 project-a user-a INSTANCE ${P(1)} MEMORY_MB 512`,
  `allocation ${C(1)} 4 project-a user-a INSTANCE ${P(1)} VCPU 2`,
  `allocation ${C(1)} 4 project-a user-a INSTANCE ${P(2)} CUSTOM_CARD 1`,
  `allocation ${C(2)} 1 project-b user-a null ${P(3)} VCPU 3`,
];

describe.each(testDatabaseKinds())('from and into %s', (kind) => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace(kind);
  });
  afterEach(() => place.clear());

  it.each(['422ece571366', 'a082b8bb98d0'])('brings all of revision %s', async (revision) => {
    await makeReference(place.reference, revision);
    await putSmallCloud(place.reference);
    expect(await place.bring()).toBe(0);
    expect(await place.within(cloudOf)).toEqual(SMALL_CLOUD);
    expect(await place.within((database) => database.readSnapshot(findBrokenLaws))).toEqual([]);
    expect(place.printed.join('\n')).toContain('verified: ');
  });

  it('refuses another schema, and another revision', async () => {
    await expect(place.bring()).rejects.toThrow('has no revision');
    await makeReference(place.reference, 'b4ed3a175331');
    await expect(place.bring()).rejects.toThrow('has revision b4ed3a175331, not 422ece571366 or a082b8bb98d0');
  });

  it('names the database to give instead of one of nova', async () => {
    await makeReference(place.reference, 'd67eeaabee36');
    await place.reference.run('CREATE TABLE cell_mappings (id INTEGER PRIMARY KEY)');
    await expect(place.bring()).rejects.toThrow('is a database of nova: give that of Placement');
    await place.reference.run('DROP TABLE cell_mappings');
  });

  it('repairs broken rows or leaves them out, and reports each', async () => {
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    await putBreakage(place.reference);
    const report = join(place.folder, 'findings.jsonl');
    const code = await place.bring({ report });
    const reported = readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; subject: string });
    expect(reported.map(({ kind: each, subject }) => `${each} ${subject}`).sort()).toEqual(
      [
        `allocation-without-inventory consumer ${C(0x36)}, 64 of class id 1 on provider id 3`,
        `allocation-without-provider consumer ${C(0x35)}, 1 of class id 0 on provider id 777`,
        `bad-amount consumer ${C(0x37)}, 0 of class id 0 on provider id 3`,
        `ghost-consumer ${C(0x31)}`,
        `incomplete-consumer ${C(0x33)}`,
        `incomplete-consumer ${C(0x34)}`,
        `incomplete-owner ${C(0x32)}`,
        'inventory-without-class class id 55',
        'inventory-without-provider provider id 777',
        'link-without-end aggregate id 4 of provider id 777',
        `missing-name ${P(0x26)}`,
        `missing-parent ${P(0x23)}`,
        `missing-root ${P(0x21)}`,
        `odd-uuid consumer ${C(0x34).toUpperCase()}`,
        `odd-uuid resource provider ${P(0x27).toUpperCase()}`,
        `oversold VCPU on resource provider ${P(0x21)}: 5 of 4`,
        `parent-loop ${P(0x24)}`,
        `wrong-root ${P(0x22)}`,
        `wrong-root ${P(0x23)}`,
      ].sort(),
    );
    const cloud = await place.within(cloudOf);
    expect(cloud).toEqual(expect.arrayContaining(SMALL_CLOUD.filter((line) => !line.startsWith(`inventory ${P(3)}`))));
    const placeholder = '00000000-0000-0000-0000-000000000000';
    expect(cloud).toEqual(
      expect.arrayContaining([
        `provider ${P(0x21)} rootless 0 null ${P(0x21)} ${CREATED} null`,
        `provider ${P(0x22)} wrong-root 0 ${P(1)} ${P(1)} ${CREATED} null`,
        `provider ${P(0x23)} orphan 0 null ${P(0x23)} ${CREATED} null`,
        `provider ${P(0x24)} loop-a 0 null ${P(0x24)} ${CREATED} null`,
        `provider ${P(0x25)} loop-b 0 ${P(0x24)} ${P(0x24)} ${CREATED} null`,
        `provider ${P(0x26)} ${P(0x26)} 0 null ${P(0x26)} ${CREATED} null`,
        `provider ${P(0x27)} loud 0 null ${P(0x27)} ${CREATED} null`,
        `inventory ${P(0x21)} VCPU 4 0 1 4 5`,
        `inventory ${P(3)} VCPU 16 0 4 64 5`,
        `allocation ${C(0x32)} 1 ${placeholder} ${placeholder} null ${P(0x21)} VCPU 5`,
        `allocation ${C(0x33)} 0 ${placeholder} ${placeholder} null ${P(3)} VCPU 1`,
        `allocation ${C(0x34)} 0 ${placeholder} ${placeholder} null ${P(3)} VCPU 1`,
      ]),
    );
    expect(cloud.filter((line) => /c0ffee00.*(35|36|37) /.test(line))).toEqual([]);
    expect([code, place.printed.filter((line) => line.startsWith('NOT'))]).toEqual([0, []]);
    expect(await place.within((database) => database.readSnapshot(findBrokenLaws))).toEqual([]);
  });

  it('refuses a non-empty database, unless an option allows it', async () => {
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    expect(await place.bring()).toBe(0);
    await place.reference.run('DELETE FROM allocations WHERE consumer_id = ?', [C(2)]);
    await place.reference.run('DELETE FROM resource_provider_aggregates WHERE resource_provider_id = 3');
    await place.reference.run('DELETE FROM inventories WHERE resource_provider_id = 3');
    await place.reference.run('DELETE FROM resource_provider_traits WHERE resource_provider_id = 3');
    await place.reference.run('DELETE FROM resource_providers WHERE id = 3');
    await put(place.reference, 'resource_providers', [4, P(4), 'host-3', 0, 4, null, null, null]);

    expect(await place.bring()).toBe(2);
    expect(await place.within(cloudOf)).toEqual(SMALL_CLOUD);
    expect(await place.bring({ merge: true, replace: true })).toBe(2);

    expect(await place.bring({ merge: true })).toBe(0);
    const merged = await place.within(cloudOf);
    expect(merged).toEqual(expect.arrayContaining(SMALL_CLOUD));
    expect(merged).toHaveLength(SMALL_CLOUD.length + 1);

    expect(await place.bring({ replace: true })).toBe(0);
    const replaced = await place.within(cloudOf);
    expect(replaced.filter((line) => line.includes(P(3)) || line.includes(C(2)))).toEqual([]);
    expect(replaced).toHaveLength(SMALL_CLOUD.length + 1 - 5);
  });

  it('reports a name of two different providers, and merges nothing', async () => {
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    expect(await place.bring()).toBe(0);
    await place.reference.run('UPDATE resource_providers SET uuid = ? WHERE id = 3', [P(9)]);
    await expect(place.bring({ merge: true })).rejects.toThrow(`"host-2", which is ${P(3)} here and ${P(9)} there`);
    expect(await place.within(cloudOf)).toEqual(SMALL_CLOUD);
    // With `replace` the name moves to the other provider.
    expect(await place.bring({ replace: true })).toBe(0);
    expect(await place.within(cloudOf)).toContain(`provider ${P(9)} host-2 2 null ${P(9)} ${CREATED} null`);
  });

  it('reports differences', async () => {
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    // Changes the imported row, as if it had been lost or damaged.
    const progress = {
      stage: (name: string) => void (name === 'verification' && stages.push(name)),
      advance: () => undefined,
      end: () => undefined,
    };
    const stages: string[] = [];
    expect(await place.bring({}, { progress })).toBe(0);
    expect(stages).toEqual(['verification']);
    await place.within((database) =>
      database.write((tx) => tx.run('UPDATE inventories SET used = used + 1 WHERE used = 3', [])),
    );
    expect(await place.bring({ replace: true })).toBe(1);
    expect(place.printed.join('\n')).toContain(`usage: ${P(3)} VCPU: 3 in the reference, 4 here`);
  });
});
