// Aggregates of providers on both databases: creation on first use, generations old and new, and races.
import { AggregatesService } from '../../src/placement/aggregates/aggregates.service';
import { ProviderTraitsService } from '../../src/placement/provider-traits/provider-traits.service';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import { ResourceProvidersService } from '../../src/placement/resource-providers/resource-providers.service';
import { TraitsService } from '../../src/placement/traits/traits.service';
import type { WriteTx } from '../../src/platform/database/sql';
import { NotFound, ProviderGenerationConflict } from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const UNKNOWN_UUID = '00000000-0000-4000-8000-ffffffffffff';

describe.each(testDatabaseKinds())('aggregates on %s', (kind) => {
  let open: OpenDatabase;
  let aggregates: AggregatesService;
  let providers: ResourceProvidersService;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    aggregates = new AggregatesService(open.database);
    providers = new ResourceProvidersService(
      open.database,
      new ResourceClassesService(open.database),
      new TraitsService(open.database),
    );
  });
  afterAll(() => open.close());

  let made = 0;
  const fresh = (): string => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
  const newProvider = async (): Promise<string> => {
    const uuid = fresh();
    await providers.create({ uuid, name: uuid, parentUuid: null });
    return uuid;
  };
  const count = async (table: 'change_log' | 'placement_aggregates'): Promise<number> =>
    Number((await open.database.read((sql) => sql.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)))[0]?.n);
  const put = (provider: string, value: number, ...uuids: readonly string[]) =>
    aggregates.replace({ provider, aggregates: uuids, generation: { kind: 'expected', value } });
  const putUnchecked = (provider: string, ...uuids: readonly string[]) =>
    aggregates.replace({ provider, aggregates: uuids, generation: { kind: 'unchecked' } });

  // SQLite has one writer, so no concurrent delete is possible.
  if (kind === 'mysql') {
    /** A transaction in which another one deletes the provider right after it was read. */
    const without = (tx: WriteTx, provider: string): WriteTx => {
      let isThere = true;
      return new Proxy(tx, {
        get: (target, name) => {
          const own = Reflect.get(target, name) as unknown;
          if (typeof own !== 'function') return own;
          return async (...args: unknown[]) => {
            const answer: unknown = await Reflect.apply(own, target, args);
            if (isThere && name === 'query' && String(args[0]).includes('resource_providers')) {
              isThere = false;
              await providers.delete(provider);
            }
            return answer;
          };
        },
      });
    };

    it.each(['an aggregate', 'a trait'])('omit a provider that is deleted before the call to %s', async (what) => {
      const traits = new TraitsService(open.database);
      const providerTraits = new ProviderTraitsService(open.database, traits);
      const [stays, goes, aggregate] = [await newProvider(), await newProvider(), fresh()];
      let attempts = 0;
      await open.database.write(async (tx) => {
        attempts += 1;
        const seen = attempts === 1 ? without(tx, goes) : tx;
        const both = [stays, goes];
        if (what === 'an aggregate') await aggregates.changeMembersIn(seen, [{ aggregate, add: both, remove: [] }], 1);
        else await providerTraits.setTraitIn(seen, { providers: both, trait: 'COMPUTE_NODE', isWanted: true }, 1);
      });
      expect(attempts).toBe(2);
      if (what === 'an aggregate') expect((await aggregates.get(stays)).aggregates).toEqual([aggregate]);
      else expect((await providerTraits.get(stays)).traits.map(({ name }) => name)).toEqual(['COMPUTE_NODE']);
    });
  }

  it('are created on first use, returned in the given order and read in the order of creation', async () => {
    const provider = await newProvider();
    const [first, second, third] = [fresh(), fresh(), fresh()];
    await put(provider, 0, second);
    expect(await put(provider, 1, third, first, second)).toEqual({
      aggregates: [third, first, second],
      before: [second],
      generation: 2,
    });
    expect(await aggregates.get(provider)).toEqual({ aggregates: [second, first, third], generation: 2 });
  });

  it('are shared, kept without members, and found again', async () => {
    const [one, other, aggregate] = [await newProvider(), await newProvider(), fresh()];
    await put(one, 0, aggregate);
    const before = await count('placement_aggregates');
    await put(other, 0, aggregate);
    await put(one, 1);
    await put(other, 1);
    await put(one, 2, aggregate);
    expect(await count('placement_aggregates')).toBe(before);
    expect((await aggregates.get(one)).aggregates).toEqual([aggregate]);
    expect((await aggregates.get(other)).aggregates).toEqual([]);
  });

  it('increment an expected generation even without a change, but then write no log entry', async () => {
    const [provider, aggregate] = [await newProvider(), fresh()];
    await put(provider, 0, aggregate);
    const before = await count('change_log');
    expect((await put(provider, 1, aggregate)).generation).toBe(2);
    expect((await aggregates.get(provider)).generation).toBe(2);
    expect(await count('change_log')).toBe(before);
  });

  it('neither check nor increment the generation for old clients, but update the graph', async () => {
    const [provider, aggregate] = [await newProvider(), fresh()];
    const before = await count('change_log');
    expect(await putUnchecked(provider, aggregate)).toEqual({
      aggregates: [aggregate],
      before: [],
      generation: undefined,
    });
    expect(await aggregates.get(provider)).toEqual({ aggregates: [aggregate], generation: 0 });
    expect(await count('change_log')).toBe(before + 1);
    await putUnchecked(provider, aggregate);
    expect(await count('change_log')).toBe(before + 1);
  });

  it('change nothing when the write is refused', async () => {
    const [provider, aggregate] = [await newProvider(), fresh()];
    await put(provider, 0, aggregate);
    const before = [await count('change_log'), await count('placement_aggregates')];
    await expect(put(provider, 0, fresh())).rejects.toBeInstanceOf(ProviderGenerationConflict);
    await expect(put(UNKNOWN_UUID, 0, fresh())).rejects.toBeInstanceOf(NotFound);
    await expect(putUnchecked(UNKNOWN_UUID, fresh())).rejects.toBeInstanceOf(NotFound);
    await expect(aggregates.get(UNKNOWN_UUID)).rejects.toBeInstanceOf(NotFound);
    expect([await count('change_log'), await count('placement_aggregates')]).toEqual(before);
    expect(await aggregates.get(provider)).toEqual({ aggregates: [aggregate], generation: 1 });
  });

  it('can be many per provider', async () => {
    const provider = await newProvider();
    const many = Array.from({ length: 2_500 }, fresh);
    await put(provider, 0, ...many);
    expect((await aggregates.get(provider)).aggregates).toHaveLength(2_500);
    await put(provider, 1, ...many.slice(0, 2));
    expect((await aggregates.get(provider)).aggregates).toEqual(many.slice(0, 2));
  });

  it('are written by only one of many writers with the same generation', async () => {
    const provider = await newProvider();
    const writes = await Promise.allSettled(Array.from({ length: 8 }, () => put(provider, 0, fresh())));
    expect(writes.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    for (const each of writes) {
      if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ProviderGenerationConflict);
    }
    const { generation, aggregates: left } = await aggregates.get(provider);
    expect([generation, left.length]).toEqual([1, 1]);
  });

  it('end as one of the sets when old clients write concurrently', async () => {
    const provider = await newProvider();
    const sets = Array.from({ length: 8 }, () => [fresh(), fresh()]);
    await Promise.all(sets.map((set) => putUnchecked(provider, ...set)));
    expect(sets.map((set) => [...set].sort())).toContainEqual([...(await aggregates.get(provider)).aggregates].sort());
  });

  it('are created once by many providers that name the same new ones in different orders', async () => {
    const names = Array.from({ length: 20 }, fresh);
    const members = await Promise.all(Array.from({ length: 8 }, newProvider));
    const before = await count('placement_aggregates');
    await Promise.all(members.map((provider, i) => put(provider, 0, ...(i % 2 === 0 ? names : [...names].reverse()))));
    expect(await count('placement_aggregates')).toBe(before + names.length);
    for (const provider of members) {
      expect(new Set((await aggregates.get(provider)).aggregates)).toEqual(new Set(names));
    }
  });
});
