// Pages of registries on both databases: limited by number and by the length of the documents.
import type { Page } from '../../src/compute/registry-page';
import { pageOf, selectPage } from '../../src/compute/registry-page.sql';
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const DOCUMENTS = 150;
/** About forty of these documents fit on a page. */
const CHARACTERS = Math.floor(SCHEDULER_LIMITS.pageCharacters / 40);
const SOURCE = { select: 'SELECT d.name, d.note FROM documents d', id: 'd.id', table: 'documents', key: 'name' };

interface Row {
  readonly name: string;
  readonly note: string;
}

describe.each(testDatabaseKinds())('pages of a registry on %s', (kind) => {
  let open: OpenDatabase;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    await open.database.write(async (tx) => {
      await tx.run('CREATE TABLE documents (id INTEGER PRIMARY KEY, name VARCHAR(20), kind INT, note LONGTEXT)');
      for (let id = 1; id <= DOCUMENTS; id += 1) {
        await tx.run('INSERT INTO documents (id, name, kind, note) VALUES (?, ?, ?, ?)', [id, `d${id}`, id % 2, '']);
      }
    });
  });
  afterAll(() => open.close());

  const lengthen = (condition: string): Promise<number> =>
    open.database.write(async (tx) => {
      await tx.run("UPDATE documents SET note = ''");
      return tx.run(`UPDATE documents SET note = ? WHERE ${condition}`, ['x'.repeat(CHARACTERS)]);
    });
  const page = (limit: number, marker: string | undefined, kindOf?: number): Promise<Page<Row>> =>
    open.database.read(async (sql) => {
      const conditions = kindOf === undefined ? [] : [['d.kind = ?', [kindOf]] as const];
      const part = await selectPage(sql, SOURCE, conditions, { limit, marker }, ({ name, note }: Row) => ({
        name,
        note,
      }));
      return pageOf(part, ({ name }) => name);
    });
  async function pages(limit: number, kindOf?: number): Promise<readonly Page<Row>[]> {
    const found: Page<Row>[] = [];
    for (let marker: string | undefined; ;) {
      const next = await page(limit, marker, kindOf);
      found.push(next);
      if (next.next === null) return found;
      marker = next.next;
    }
  }
  const namesOf = (found: readonly Page<Row>[]): readonly string[] =>
    found.flatMap(({ items }) => items.map(({ name }) => name));
  const all = Array.from({ length: DOCUMENTS }, (_, at) => `d${at + 1}`);

  it.each([1, 31, 32, 33, 100, 149, 150, 151, 1_000])('contain short documents up to the limit: %d', async (limit) => {
    await lengthen('id < 0');
    const found = await pages(limit);
    expect(namesOf(found)).toEqual(all);
    expect(found.map(({ items }) => items.length)).toEqual(
      Array.from({ length: Math.ceil(DOCUMENTS / limit) }, (_, at) => Math.min(limit, DOCUMENTS - at * limit)),
    );
  });

  it.each([
    ['all of them', 'id > 0'],
    ['those behind the first', 'id > 40'],
    ['the last', 'id > 100'],
    ['every other', 'id % 2 = 0'],
  ])('end early with long documents: %s', async (_, condition) => {
    await lengthen(condition);
    const found = await pages(1_000);
    expect(namesOf(found)).toEqual(all);
    expect(found.length).toBeGreaterThan(1);
    for (const { items } of found) {
      const characters = items.reduce((sum, { name, note }) => sum + name.length + note.length, 0);
      expect(characters).toBeLessThan(SCHEDULER_LIMITS.pageCharacters + CHARACTERS + 10);
    }
  });

  it('respect their conditions and their limit', async () => {
    await lengthen('id > 0');
    const found = await pages(30, 1);
    expect(namesOf(found)).toEqual(all.filter((_, at) => at % 2 === 0));
    for (const { items } of found) expect(items.length).toBeLessThanOrEqual(30);
  });
});
