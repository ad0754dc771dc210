// Resource classes on both databases: names, ids, renames that change the graph, and who wins a race.
import { STANDARD_RESOURCE_CLASSES } from '../../src/placement/domain/standard-resource-classes';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import type { SqlReader } from '../../src/platform/database/sql';
import { Conflict, InvalidInput, NotFound, UnknownReference } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

describe.each(testDatabaseKinds())('resource classes on %s', (kind) => {
  let open: OpenDatabase;
  let classes: ResourceClassesService;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    classes = new ResourceClassesService(open.database);
  });
  afterAll(() => open.close());

  const loggedProviders = async (): Promise<readonly number[]> =>
    (
      await open.database.read((sql) =>
        sql.query<{ resource_provider_id: number }>('SELECT resource_provider_id FROM change_log ORDER BY lane, seq'),
      )
    ).map((row) => row.resource_provider_id);

  const idOf = async (name: string): Promise<number> => (await classes.get(name)).id;

  let providers = 0;
  const providerWith = async (...names: readonly string[]): Promise<number> => {
    const ids = await Promise.all(names.map(idOf));
    providers += 1;
    const uuid = `00000000-0000-4000-8000-${String(providers).padStart(12, '0')}`;
    return open.database.write(async (tx) => {
      const provider = await tx.insert('INSERT INTO resource_providers (uuid, name, created_at) VALUES (?, ?, 1)', [
        uuid,
        uuid,
      ]);
      for (const id of ids) {
        await tx.run(
          'INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, ' +
            'step_size, allocation_ratio, capacity, created_at) VALUES (?, ?, 1, 0, 1, 1, 1, 1, 1, 1)',
          [provider, id],
        );
      }
      return provider;
    });
  };

  it('lists the standard classes in library order, then the custom ones', async () => {
    await classes.create('CUSTOM_LISTED');
    const names = (await classes.list()).map((each) => each.name);
    expect(names.slice(0, STANDARD_RESOURCE_CLASSES.length)).toEqual(STANDARD_RESOURCE_CLASSES);
    expect(names.at(-1)).toBe('CUSTOM_LISTED');
  });

  it('gives the first custom class an id of at least 10000', async () => {
    await classes.ensure('CUSTOM_FIRST');
    expect(await idOf('CUSTOM_FIRST')).toBeGreaterThanOrEqual(10_000);
  });

  it('resolves standard names without a statement and all others with one', async () => {
    await classes.ensure('CUSTOM_RESOLVED');
    await open.database.read(async (sql) => {
      let statements = 0;
      const query: SqlReader['query'] = (text, params) => {
        statements += 1;
        return sql.query(text, params);
      };
      const counting = Object.assign(Object.create(sql) as SqlReader, { query });
      expect(await classes.resolve(counting, ['VCPU', 'DISK_GB', 'VCPU'])).toEqual(
        new Map([
          ['VCPU', 0],
          ['DISK_GB', 2],
        ]),
      );
      expect(statements).toBe(0);
      const found = await classes.resolve(counting, ['CUSTOM_RESOLVED', 'MEMORY_MB']);
      expect(found.get('MEMORY_MB')).toBe(1);
      expect(found.size).toBe(2);
      expect(statements).toBe(1);
    });
  });

  it('names every unknown class', async () => {
    await open.database.read(async (sql) => {
      const resolving = classes.resolve(sql, ['CUSTOM_NO', 'VCPU', 'vcpu', 'CUSTOM_NO']);
      await expect(resolving).rejects.toBeInstanceOf(UnknownReference);
      await expect(classes.resolve(sql, ['CUSTOM_NO', 'vcpu'])).rejects.toThrow(
        'No such resource class CUSTOM_NO, vcpu.',
      );
    });
  });

  it('refuses a duplicate name on creation, and accepts it in an idempotent PUT', async () => {
    await classes.create('CUSTOM_TAKEN');
    await expect(classes.create('CUSTOM_TAKEN')).rejects.toBeInstanceOf(Conflict);
    expect(await classes.ensure('CUSTOM_TAKEN')).toBe('existed');
    expect(await classes.ensure('VCPU')).toBe('existed');
  });

  it('gives each of many concurrently created classes a unique id', async () => {
    const names = Array.from({ length: 24 }, (_, i) => `CUSTOM_STORM_${i}`);
    await Promise.all(names.map((name) => classes.create(name)));
    expect(new Set(await Promise.all(names.map(idOf))).size).toBe(names.length);
  });

  it('accepts one of many concurrent creations of the same class', async () => {
    const creations = await Promise.allSettled(Array.from({ length: 8 }, () => classes.create('CUSTOM_RACED')));
    expect(creations.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    for (const each of creations) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(Conflict);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => classes.ensure('CUSTOM_RACED_TOO')));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  });

  it('renames, and updates the graph for every provider with inventory of the class', async () => {
    await classes.create('CUSTOM_OLD');
    const [first, second] = [await providerWith('CUSTOM_OLD', 'VCPU'), await providerWith('CUSTOM_OLD')];
    await providerWith('VCPU');
    const id = await idOf('CUSTOM_OLD');
    const before = await loggedProviders();
    expect(await classes.rename('CUSTOM_OLD', 'CUSTOM_NEW')).toMatchObject({ id, name: 'CUSTOM_NEW' });
    expect((await loggedProviders()).length - before.length).toBe(2);
    expect(await loggedProviders()).toEqual(expect.arrayContaining([first, second]));
    await expect(classes.get('CUSTOM_OLD')).rejects.toBeInstanceOf(NotFound);
    expect(await classes.get('CUSTOM_NEW')).toMatchObject({ id });
  });

  it('changes nothing when a rename is refused or keeps the name', async () => {
    await classes.create('CUSTOM_KEPT');
    await classes.create('CUSTOM_OTHER');
    await providerWith('CUSTOM_KEPT');
    const before = await loggedProviders();
    await expect(classes.rename('CUSTOM_KEPT', 'CUSTOM_OTHER')).rejects.toBeInstanceOf(Conflict);
    await expect(classes.rename('VCPU', 'CUSTOM_VCPU')).rejects.toBeInstanceOf(InvalidInput);
    await expect(classes.rename('CUSTOM_NOBODY', 'CUSTOM_SOMEBODY')).rejects.toBeInstanceOf(NotFound);
    const { changedAt } = await classes.get('CUSTOM_KEPT');
    expect(await classes.rename('CUSTOM_KEPT', 'CUSTOM_KEPT')).toMatchObject({ name: 'CUSTOM_KEPT', changedAt });
    expect(await loggedProviders()).toEqual(before);
  });

  it('accepts one of two renames to the same name', async () => {
    await classes.create('CUSTOM_LEFT');
    await classes.create('CUSTOM_RIGHT');
    const renames = await Promise.allSettled([
      classes.rename('CUSTOM_LEFT', 'CUSTOM_MIDDLE'),
      classes.rename('CUSTOM_RIGHT', 'CUSTOM_MIDDLE'),
    ]);
    expect(renames.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const each of renames) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(Conflict);
  });

  it('deletes a custom class without inventories', async () => {
    await classes.create('CUSTOM_GONE');
    await classes.delete('CUSTOM_GONE');
    await expect(classes.get('CUSTOM_GONE')).rejects.toBeInstanceOf(NotFound);
    await expect(classes.delete('CUSTOM_GONE')).rejects.toBeInstanceOf(NotFound);
  });

  it('keeps standard classes and classes in use', async () => {
    await classes.create('CUSTOM_USED');
    await providerWith('CUSTOM_USED');
    await expect(classes.delete('PGPU')).rejects.toBeInstanceOf(InvalidInput);
    await expect(classes.delete('CUSTOM_USED')).rejects.toBeInstanceOf(Conflict);
    expect(await classes.get('CUSTOM_USED')).toBeDefined();
  });

  it('never leaves inventory of a class that was deleted in the meantime', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `CUSTOM_CONTESTED_${round}`;
      await classes.create(name);
      const [added, deleted] = await Promise.allSettled([providerWith(name), classes.delete(name)]);
      expect([added?.status, deleted?.status]).toContain('rejected');
      if (deleted?.status === 'rejected') expect(deleted.reason).toBeInstanceOf(Conflict);
    }
  });
});
