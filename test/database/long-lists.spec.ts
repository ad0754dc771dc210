// Lists of all traits and all resource classes on both databases, and the limits of their numbers.
import { STANDARD_RESOURCE_CLASSES } from '../../src/placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../src/placement/domain/standard-traits';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import { TraitsService } from '../../src/placement/traits/traits.service';
import { WRITE_LIMITS } from '../../src/platform/config/limits/placement';
import { chunks, rowMarks } from '../../src/platform/database/sql';
import { Conflict, InvalidInput } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

/** One fewer than the limit of either. */
const CUSTOM = Array.from(
  { length: WRITE_LIMITS.customTraits - 1 },
  (_, at) => `CUSTOM_${String(at).padStart(6, '0')}`,
);

describe.each(testDatabaseKinds())('long lists on %s', (kind) => {
  let open: OpenDatabase;
  let traits: TraitsService;
  let classes: ResourceClassesService;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    traits = new TraitsService(open.database);
    classes = new ResourceClassesService(open.database);
    await open.database.write(async (tx) => {
      for (const table of ['traits', 'resource_classes']) {
        for (const part of chunks(CUSTOM, 2_000)) {
          await tx.run(
            `INSERT INTO ${table} (name, created_at) VALUES ${rowMarks(part.length, 2)}`,
            part.flatMap((name) => [name, 1]),
          );
        }
      }
    });
  });
  afterAll(() => open.close());

  it('return traits in the order of creation', async () => {
    const names = (await traits.list({})).map(({ name }) => name);
    expect(new Set(names.slice(0, STANDARD_TRAITS.length))).toEqual(new Set(STANDARD_TRAITS));
    expect(names.slice(STANDARD_TRAITS.length)).toEqual(CUSTOM);
  });

  it('return resource classes in the order of creation', async () => {
    expect((await classes.list()).map(({ name }) => name)).toEqual([...STANDARD_RESOURCE_CLASSES, ...CUSTOM]);
  });

  it('skip rows that do not match', async () => {
    expect(await traits.list({ prefix: 'NOTHING_' })).toEqual([]);
    expect(await traits.list({ isAssociated: true })).toEqual([]);
    expect((await traits.list({ prefix: 'CUSTOM_00001' })).map(({ name }) => name)).toEqual(CUSTOM.slice(10, 20));
    expect(await traits.list({ isAssociated: false, prefix: 'CUSTOM_' })).toHaveLength(CUSTOM.length);
    expect(await traits.list({ names: CUSTOM })).toHaveLength(CUSTOM.length);
  });

  it('accept custom traits up to the limit', async () => {
    expect(await traits.ensure('CUSTOM_LAST')).toMatchObject({ outcome: 'created' });
    await expect(traits.ensure('CUSTOM_BEYOND')).rejects.toThrow(
      new InvalidInput(`At most ${WRITE_LIMITS.customTraits} custom traits can exist. Delete unused ones.`),
    );
    expect(await traits.ensure('CUSTOM_LAST')).toMatchObject({ outcome: 'existed' });
    await traits.delete('CUSTOM_LAST');
    expect(await traits.ensure('CUSTOM_BEYOND')).toMatchObject({ outcome: 'created' });
  });

  it('accept custom resource classes up to the limit', async () => {
    await classes.create('CUSTOM_LAST');
    await expect(classes.create('CUSTOM_BEYOND')).rejects.toThrow(/At most 10000 custom resource classes can exist/);
    await expect(classes.ensure('CUSTOM_BEYOND')).rejects.toBeInstanceOf(InvalidInput);
    await expect(classes.create('CUSTOM_LAST')).rejects.toBeInstanceOf(Conflict);
    await classes.delete('CUSTOM_LAST');
    expect(await classes.ensure('CUSTOM_BEYOND')).toBe('created');
  });
});
