// Lists of all traits and all resource classes on both databases, read in parts.
import { STANDARD_RESOURCE_CLASSES } from '../../src/placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../src/placement/domain/standard-traits';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import { TraitsService } from '../../src/placement/traits/traits.service';
import { DATABASE_LIMITS } from '../../src/platform/config/limits/database';
import { rowMarks } from '../../src/platform/database/sql';
import { tasks } from '../../src/platform/event-loop/task-scheduler';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const CREATED = 2_500;
const CUSTOM = Array.from({ length: CREATED }, (_, at) => `CUSTOM_${String(at).padStart(6, '0')}`);

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
        await tx.run(
          `INSERT INTO ${table} (name, created_at) VALUES ${rowMarks(CREATED, 2)}`,
          CUSTOM.flatMap((name) => [name, 1]),
        );
      }
    });
  });
  afterAll(() => open.close());
  afterEach(() => jest.restoreAllMocks());

  /** The number of parts between which other work could run. */
  async function piecesOf<T>(work: () => Promise<T>): Promise<{ readonly pieces: number; readonly value: T }> {
    const paced = jest.spyOn(tasks, 'paced');
    const value = await work();
    return { pieces: paced.mock.calls.length, value };
  }

  it('return traits in parts, in the order of creation', async () => {
    const { pieces, value } = await piecesOf(() => traits.list({}));
    const names = value.map(({ name }) => name);
    expect(new Set(names.slice(0, STANDARD_TRAITS.length))).toEqual(new Set(STANDARD_TRAITS));
    expect(names.slice(STANDARD_TRAITS.length)).toEqual(CUSTOM);
    expect(pieces).toBeGreaterThanOrEqual(names.length / DATABASE_LIMITS.rowsPerPart);
  });

  it('return resource classes in parts', async () => {
    const { pieces, value } = await piecesOf(() => classes.list());
    expect(value.map(({ name }) => name)).toEqual([...STANDARD_RESOURCE_CLASSES, ...CUSTOM]);
    expect(pieces).toBeGreaterThanOrEqual(value.length / DATABASE_LIMITS.rowsPerPart);
  });

  it('skip rows that do not match, with yields in between', async () => {
    expect(await traits.list({ prefix: 'NOTHING_' })).toEqual([]);
    expect(await traits.list({ isAssociated: true })).toEqual([]);
    expect((await traits.list({ prefix: 'CUSTOM_00001' })).map(({ name }) => name)).toEqual(CUSTOM.slice(10, 20));
    expect(await traits.list({ isAssociated: false, prefix: 'CUSTOM_' })).toHaveLength(CREATED);
  });
});
