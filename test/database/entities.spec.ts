// Repositories of entities use the transaction, or the reader, to which they are bound.
import type { Repository } from 'typeorm';
import { RegisteredFlavor } from '../../src/compute/flavors/flavor.entity';
import { EntitySource, entitySourceOptions, repositoryIn } from '../../src/platform/database/entity-source';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';
import { installStatementCounter } from '../support/statement-counter';

const flavor = (id: string, extraSpecs: Record<string, string> = {}): Partial<RegisteredFlavor> => ({
  id,
  name: id,
  vcpus: 1,
  memoryMb: 2,
  rootGb: 3,
  ephemeralGb: 4,
  swapMb: 5,
  extraSpecs,
  createdAtMs: 6,
});

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let open: OpenDatabase;
  let flavors: Repository<RegisteredFlavor>;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    const source = new EntitySource({ ...entitySourceOptions(kind), entities: [RegisteredFlavor] });
    flavors = (await source.initialize()).getRepository(RegisteredFlavor);
  });
  afterAll(() => open.close());

  const stored = (id: string): Promise<RegisteredFlavor | null> =>
    open.database.read((sql) => repositoryIn(sql, flavors).findOneBy({ id }));

  it('an entity saved in a failed transaction is rolled back', async () => {
    const failing = open.database.write(async (tx) => {
      await repositoryIn(tx, flavors).save(flavor('a'));
      expect(await repositoryIn(tx, flavors).findOneBy({ id: 'a' })).toMatchObject({ name: 'a' });
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await stored('a')).toBeNull();
  });

  it('a saved entity is committed with the transaction, which begins and ends once', async () => {
    const counter = installStatementCounter();
    const texts = await counter.during(() =>
      open.database.write(async (tx) => {
        await repositoryIn(tx, flavors).save(flavor('b', { 'hw:x': '1' }));
        await tx.run("UPDATE flavors SET vcpus = vcpus + 1 WHERE flavor_id = 'b'");
        await repositoryIn(tx, flavors).update({ id: 'b', vcpus: 2 }, { memoryMb: 7 });
      }),
    );
    counter.uninstall();
    const verbs = texts.map((text) => text.split(' ')[0]).filter((verb) => verb !== 'SET');
    expect(verbs).toEqual([kind === 'mysql' ? 'START' : 'BEGIN', 'INSERT', 'UPDATE', 'UPDATE', 'COMMIT']);
    const row = { id: 'b', vcpus: 2, memoryMb: 7, extraSpecs: { 'hw:x': '1' }, generation: 0, updatedAtMs: null };
    expect(await stored('b')).toMatchObject(row);
  });

  it('an insert returns the id of its row, an update and a delete the number of matched rows', async () => {
    await open.database.write(async (tx) => {
      const rows = repositoryIn(tx, flavors);
      const { identifiers } = await rows.insert(flavor('c'));
      const found = await rows.findOneByOrFail({ id: 'c' });
      expect(identifiers).toEqual([{ rowId: found.rowId }]);
      expect((await rows.update({ id: 'c' }, { name: 'c' })).affected).toBe(1);
      expect((await rows.delete({ id: 'd' })).affected).toBe(0);
    });
  });

  it('a reader cannot write, and a repository without a transaction or reader has no access', async () => {
    const writing = open.database.read((sql) => repositoryIn(sql, flavors).insert(flavor('e')));
    await expect(writing).rejects.toThrow('who only reads cannot write');
    await expect(flavors.findOneBy({ id: 'e' })).rejects.toThrow('repositoryIn');
  });
});
