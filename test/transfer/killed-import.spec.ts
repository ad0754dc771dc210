// An import whose process is killed continues where it was: no row is written twice, and all invariants hold meanwhile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBrokenLaws } from '../../src/transfer/verify/broken-laws';
import { testDatabaseKinds } from '../support/databases';
import { C, makeReference, putSmallCloud } from './reference-fixture';
import type { Place } from './transfer-support';
import { cloudOf, makePlace } from './transfer-support';

const ROOT = resolve(__dirname, '../..');
const CONSUMERS = 6_000;

describe.each(testDatabaseKinds())('from and into %s', (kind) => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace(kind);
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    await place.reference.transaction(async () => {
      for (let first = 10; first < CONSUMERS; first += 500) {
        const numbers = Array.from({ length: Math.min(500, CONSUMERS - first) }, (_, at) => first + at);
        const consumers = numbers.map((number) => `('${C(number)}', 1, 1, 1)`);
        await place.reference.run(
          `INSERT INTO consumers (uuid, project_id, user_id, generation) VALUES ${consumers.join(', ')}`,
        );
        const rows = numbers.map((number) => `(3, '${C(number)}', 0, 1)`);
        await place.reference.run(
          `INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used) VALUES ${rows.join(', ')}`,
        );
      }
    });
  });
  afterEach(() => place.clear());

  const countIn = (): Promise<number> =>
    place.within(async (database) => {
      const [row] = await database.read((sql) => sql.query<{ n: number }>('SELECT COUNT(*) AS n FROM consumers'));
      return Number(row?.n ?? 0);
    });

  /** Sessions of the killed process that the server still has. */
  const sessions = async (): Promise<number> => {
    if (kind === 'sqlite') return 0;
    const rows = await place.reference.query<{ n: number }>(
      'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = ?',
      [new URL(place.target.url).pathname.slice(1)],
    );
    return Number(rows[0]?.n ?? 0);
  };

  it('resumes after kill -9', async () => {
    // The import pauses in the middle, and the test kills it there.
    const child = spawn(process.execPath, [join(ROOT, 'test/transfer/slow-import.mjs')], {
      env: { ...process.env, DATABASE_URL: place.target.url, IMPORT_FROM: place.source.url },
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    const ended = once(child, 'exit');
    await new Promise<void>((seen, failed) => {
      child.stdout.on('data', (chunk) => void (String(chunk).includes('page 4') && seen()));
      void ended.then(() => failed(new Error(`the import ended before it was killed: ${text}`)));
    });
    child.kill('SIGKILL');
    await ended;
    while ((await sessions()) > 0) await pause(5);

    const before = await countIn();
    expect(before).toBeGreaterThan(500);
    expect(before).toBeLessThan(CONSUMERS - 500);
    expect(await place.within((database) => database.readSnapshot(findBrokenLaws))).toEqual([]);

    expect(await place.bring()).toBe(0);
    expect(place.printed[0]).toContain('going on with the import from ');
    // A consumer and its allocation are two rows: only the missing rows are written.
    const written = Number(/(\d+) rows written/.exec(place.printed.at(-1) ?? '')?.[1]);
    expect(written).toBe(2 * (CONSUMERS - 10 + 2 - before) + (before > 0 ? 0 : 2));
    expect((await place.within(cloudOf)).filter((line) => line.startsWith('allocation'))).toHaveLength(
      CONSUMERS - 10 + 4,
    );

    // The import has ended, so the next one refuses the non-empty database.
    expect(await place.bring()).toBe(2);
  });
});
