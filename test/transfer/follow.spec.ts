// Imports that follow a reference while it is written. They find deleted, moved and recreated rows, and verify the
// database at the end like any import.
import { ReferenceReader } from '../../src/transfer/reference/reader';
import { testDatabaseKinds } from '../support/databases';
import { C, makeReference, P, put, putSmallCloud } from './reference-fixture';
import type { Place } from './transfer-support';
import { cloudOf, makePlace, writableReference } from './transfer-support';

describe.each(testDatabaseKinds())('from and into %s', (kind) => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace(kind);
    if (kind === 'sqlite') await place.reference.query('PRAGMA journal_mode = WAL');
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
  });
  afterEach(() => place.clear());

  it('finds deletions, moves and recreated rows, reports when it is level, and verifies at the end', async () => {
    const stopping = new AbortController();
    const levels: (() => void)[] = [];
    const print = (text: string): void => {
      place.printed.push(text);
      if (text.startsWith('LEVEL')) levels.splice(0).forEach((resolve) => resolve());
    };
    const level = (): Promise<void> => new Promise((resolve) => void levels.push(resolve));
    const firstLevel = level();
    const following = place.bring({ follow: true }, { stop: stopping.signal, print });
    await Promise.race([firstLevel, following]);

    const writer = await writableReference(place.source.url);
    // A move (rows deleted and inserted on another provider), a rewrite with the same amounts, and a deleted consumer.
    await writer.run('DELETE FROM allocations WHERE consumer_id = ?', [C(1)]);
    await put(writer, 'allocations', [3, C(1), 0, 2], [1, C(1), 1, 512]);
    await writer.run('UPDATE consumers SET generation = 5 WHERE uuid = ?', [C(1)]);
    await writer.run('DELETE FROM allocations WHERE consumer_id = ?', [C(2)]);
    await writer.run('DELETE FROM consumers WHERE uuid = ?', [C(2)]);
    // A new consumer on a new provider, which has the name of a provider that was just deleted.
    await writer.run('DELETE FROM inventories WHERE resource_provider_id = 2');
    await writer.run('DELETE FROM resource_providers WHERE id = 2');
    await put(writer, 'resource_providers', [5, P(5), 'card-1', 0, 1, 1, null, null]);
    await put(writer, 'inventories', [5, 10005, 8, 0, 1, 8, 1, 1]);
    await put(writer, 'consumers', [13, C(3), 2, 1, 1, 1, null, null]);
    await put(writer, 'allocations', [5, C(3), 10005, 7]);
    // An inventory and a trait of a provider that stays; two providers swap names.
    await writer.run('UPDATE inventories SET total = 20 WHERE resource_provider_id = 3');
    await writer.run('DELETE FROM resource_provider_traits WHERE resource_provider_id = 3');
    await writer.run('DELETE FROM traits WHERE id = 8');
    await writer.run("UPDATE resource_providers SET name = '~' WHERE id = 1");
    await writer.run("UPDATE resource_providers SET name = 'host-1' WHERE id = 3");
    await writer.run("UPDATE resource_providers SET name = 'host-2' WHERE id = 1");
    await Promise.race([level(), following]);

    // Recreated with the same values: only the id of its row differs.
    await writer.run('DELETE FROM allocations WHERE consumer_id = ?', [C(3)]);
    await put(writer, 'allocations', [5, C(3), 10005, 7]);
    await put(writer, 'consumers', [12, C(2), 2, 1, 1, null, null, null]);
    await put(writer, 'allocations', [3, C(2), 0, 9]);
    await writer.close();
    stopping.abort();

    expect(await following).toBe(0);
    expect(place.printed.filter((line) => line.startsWith('LEVEL')).length).toBeGreaterThanOrEqual(2);
    const cloud = await place.within(cloudOf);
    expect(cloud.filter((line) => !line.startsWith('provider') && !line.startsWith('aggregate'))).toEqual([
      `inventory ${P(1)} MEMORY_MB 4096 0 1.5 6144 512`,
      `inventory ${P(1)} VCPU 10 1 0.7 6 0`,
      `inventory ${P(3)} VCPU 20 0 4 80 11`,
      `inventory ${P(5)} CUSTOM_CARD 8 0 1 8 7`,
      `trait ${P(1)} HW_CPU_X86_AVX2`,
      `allocation ${C(1)} 5 project-a user-a INSTANCE ${P(1)} MEMORY_MB 512`,
      `allocation ${C(1)} 5 project-a user-a INSTANCE ${P(3)} VCPU 2`,
      `allocation ${C(2)} 1 project-b user-a null ${P(3)} VCPU 9`,
      `allocation ${C(3)} 1 project-b user-a INSTANCE ${P(5)} CUSTOM_CARD 7`,
    ]);
    expect(cloud.filter((line) => line.startsWith('provider')).map((line) => line.split(' ').slice(1, 3))).toEqual([
      [P(1), 'host-2'],
      [P(3), 'host-1'],
      [P(5), 'card-1'],
    ]);
    const traits = await place.within((database) =>
      database.read((sql) => sql.query("SELECT name FROM traits WHERE name LIKE 'CUSTOM%'")),
    );
    expect(traits).toEqual([]);
  });

  it('fails, and reports no verification, while the source is still written', async () => {
    const writer = await writableReference(place.source.url);
    const stopping = new AbortController();
    const run = { isOver: false };
    const writing = (async () => {
      while (!run.isOver) await writer.run('UPDATE resource_providers SET generation = generation + 1 WHERE id = 3');
    })();
    stopping.abort();
    const code = await place.bring({ follow: true }, { stop: stopping.signal });
    run.isOver = true;
    await writing;
    await writer.close();
    expect(code).toBe(1);
    expect(place.printed.filter((line) => line.startsWith('verified'))).toEqual([]);
    expect(place.printed.at(-1)).toMatch(/^NOT verified: the source changed after the last pass began\./);
    expect(await place.bring({ follow: true }, { stop: stopping.signal })).toBe(0);
    expect(place.printed).toContainEqual(expect.stringMatching(/^going on with the import/));
    expect(place.printed.at(-2)).toMatch(/^verified: /);
  });

  it('detects writes by the fingerprint of the source', async () => {
    const reader = new ReferenceReader(place.reference);
    const fingerprint = async (): Promise<string> => JSON.stringify([...(await reader.fingerprints())]);
    const seen = [await fingerprint()];
    expect(await fingerprint()).toBe(seen[0]);
    const { reference } = place;
    // Writes like the reference's API: it inserts allocations anew and raises a generation for most other rows.
    await reference.run('DELETE FROM allocations WHERE consumer_id = ?', [C(2)]);
    seen.push(await fingerprint());
    await put(reference, 'allocations', [3, C(2), 0, 4]);
    seen.push(await fingerprint());
    await reference.run('UPDATE consumers SET generation = generation + 1 WHERE id = 11');
    seen.push(await fingerprint());
    await reference.run("UPDATE resource_providers SET name = 'host-two' WHERE id = 3");
    seen.push(await fingerprint());
    await reference.run('DELETE FROM resource_provider_aggregates WHERE resource_provider_id = 3');
    seen.push(await fingerprint());
    await put(reference, 'traits', [9, 'CUSTOM_SILVER']);
    seen.push(await fingerprint());
    await reference.run("UPDATE resource_classes SET name = 'CUSTOM_BOARD' WHERE name = 'CUSTOM_CARD'");
    seen.push(await fingerprint());
    expect(new Set(seen).size).toBe(8);
  });

  it('cannot merge', async () => {
    expect(await place.bring({ follow: true, merge: true })).toBe(2);
    expect(await place.bring({ follow: true, from: 'cloud.jsonl' })).toBe(2);
  });
});
