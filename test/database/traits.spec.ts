// Traits and the traits of providers on both databases: filters, generations, and who wins a race.
import { STANDARD_TRAITS } from '../../src/placement/domain/standard-traits';
import { ProviderTraitsService } from '../../src/placement/provider-traits/provider-traits.service';
import { ResourceClassesService } from '../../src/placement/resource-classes/resource-classes.service';
import { ResourceProvidersService } from '../../src/placement/resource-providers/resource-providers.service';
import { TraitsService } from '../../src/placement/traits/traits.service';
import {
  Conflict,
  InvalidInput,
  NotFound,
  ProviderGenerationConflict,
  UnknownReference,
} from '../../src/platform/values/errors';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

describe.each(testDatabaseKinds())('traits on %s', (kind) => {
  let open: OpenDatabase;
  let traits: TraitsService;
  let providerTraits: ProviderTraitsService;
  let providers: ResourceProvidersService;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    traits = new TraitsService(open.database);
    providerTraits = new ProviderTraitsService(open.database, traits);
    providers = new ResourceProvidersService(open.database, new ResourceClassesService(open.database), traits);
  });
  afterAll(() => open.close());

  let created = 0;
  const newProvider = async (): Promise<string> => {
    created += 1;
    const uuid = `00000000-0000-4000-8000-${String(created).padStart(12, '0')}`;
    await providers.create({ uuid, name: uuid, parentUuid: null });
    return uuid;
  };
  const names = async (filter: Parameters<TraitsService['list']>[0]): Promise<readonly string[]> =>
    (await traits.list(filter)).map((trait) => trait.name);
  const logRows = async (): Promise<number> =>
    Number((await open.database.read((sql) => sql.query<{ n: number }>('SELECT COUNT(*) AS n FROM change_log')))[0]?.n);
  const put = (provider: string, generation: number, ...wanted: readonly string[]) =>
    providerTraits.replace({ provider, generation, traits: new Set(wanted) });
  const shown = async (provider: string): Promise<readonly [number, readonly string[]]> => {
    const found = await providerTraits.get(provider);
    return [found.generation, found.traits.map((trait) => trait.name).sort()];
  };

  describe('as names', () => {
    it('are the standard ones at the start', async () => {
      expect(new Set(await names({}))).toEqual(new Set(STANDARD_TRAITS));
    });

    it('are created once, and keep the time of their creation', async () => {
      const first = await traits.ensure('CUSTOM_ONCE');
      const second = await traits.ensure('CUSTOM_ONCE');
      expect([first.outcome, second.outcome]).toEqual(['created', 'existed']);
      expect(second.trait.changedAt).toBe(first.trait.changedAt);
    });

    it('are created by one of many concurrent requests', async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => traits.ensure('CUSTOM_RACED')));
      expect(all.filter((each) => each.outcome === 'created')).toHaveLength(1);
      expect(new Set(all.map((each) => each.trait.changedAt)).size).toBe(1);
    });

    it('are found by a set of names; unknown ones are omitted', async () => {
      expect(await names({ names: ['HW_CPU_X86_AVX2', 'CUSTOM_NOBODY', '', 'HW_CPU_X86_AVX2'] })).toEqual([
        'HW_CPU_X86_AVX2',
      ]);
      expect(await names({ names: [''] })).toEqual([]);
    });

    it('are found by a literal prefix, without wildcards and with regard to case', async () => {
      await traits.ensure('CUSTOM_A_B');
      await traits.ensure('CUSTOM_AXB');
      expect(await names({ prefix: 'CUSTOM_A_' })).toEqual(['CUSTOM_A_B']);
      expect(await names({ prefix: 'custom_a' })).toEqual([]);
      expect(await names({ prefix: '%' })).toEqual([]);
      expect(await names({ prefix: '🐎' })).toEqual([]);
    });

    it('are found by whether a provider has them, together with other filters', async () => {
      await traits.ensure('CUSTOM_FILTER_ON');
      await traits.ensure('CUSTOM_FILTER_OFF');
      await put(await newProvider(), 0, 'CUSTOM_FILTER_ON');
      await put(await newProvider(), 0, 'CUSTOM_FILTER_ON');
      expect(await names({ prefix: 'CUSTOM_FILTER', isAssociated: true })).toEqual(['CUSTOM_FILTER_ON']);
      expect(await names({ prefix: 'CUSTOM_FILTER', isAssociated: false })).toEqual(['CUSTOM_FILTER_OFF']);
      expect(await names({ names: ['CUSTOM_FILTER_OFF'], isAssociated: true })).toEqual([]);
    });

    it('resolve to ids; all unknown ones are named', async () => {
      await open.database.read(async (sql) => {
        expect((await traits.resolve(sql, ['HW_CPU_X86_AVX2', 'HW_CPU_X86_AVX2'])).size).toBe(1);
        expect((await traits.resolve(sql, [])).size).toBe(0);
        const wrong = ['CUSTOM_X', 'HW_CPU_X86_AVX2', 'hw_cpu_x86_avx2'];
        await expect(traits.resolve(sql, wrong)).rejects.toBeInstanceOf(UnknownReference);
        await expect(traits.resolve(sql, wrong)).rejects.toThrow('No such trait(s): CUSTOM_X, hw_cpu_x86_avx2.');
      });
    });

    it('can be deleted only if they are custom and on no provider', async () => {
      await traits.ensure('CUSTOM_HELD');
      const provider = await newProvider();
      await put(provider, 0, 'CUSTOM_HELD');
      await expect(traits.delete('CUSTOM_HELD')).rejects.toBeInstanceOf(Conflict);
      await expect(traits.delete('HW_CPU_X86_AVX2')).rejects.toBeInstanceOf(InvalidInput);
      await expect(traits.delete('CUSTOM_NOBODY')).rejects.toBeInstanceOf(NotFound);
      await providerTraits.clear(provider);
      await traits.delete('CUSTOM_HELD');
      await expect(traits.get('CUSTOM_HELD')).rejects.toBeInstanceOf(NotFound);
    });
  });

  describe('of a provider', () => {
    it('are replaced as a set, which increments the generation once', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2');
      const before = await logRows();
      const result = await put(provider, 1, 'HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE');
      expect(result.generation).toBe(2);
      expect(await shown(provider)).toEqual([2, ['HW_CPU_X86_AVX2', 'HW_CPU_X86_SSE']]);
      expect(await logRows()).toBe(before + 1);
    });

    it('keep generation and log if the set is unchanged, but still check the generation', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX');
      const before = await logRows();
      expect((await put(provider, 1, 'HW_CPU_X86_AVX')).generation).toBe(1);
      await expect(put(provider, 0, 'HW_CPU_X86_AVX')).rejects.toBeInstanceOf(ProviderGenerationConflict);
      expect(await shown(provider)).toEqual([1, ['HW_CPU_X86_AVX']]);
      expect(await logRows()).toBe(before);
    });

    it('change nothing when the write is refused', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX');
      const before = await logRows();
      await expect(put(provider, 1, 'HW_CPU_X86_SSE', 'CUSTOM_NOBODY')).rejects.toBeInstanceOf(UnknownReference);
      // The generation is checked before the names.
      await expect(put(provider, 7, 'CUSTOM_NOBODY')).rejects.toBeInstanceOf(ProviderGenerationConflict);
      await expect(put('00000000-0000-4000-8000-ffffffffffff', 0)).rejects.toBeInstanceOf(NotFound);
      expect(await shown(provider)).toEqual([1, ['HW_CPU_X86_AVX']]);
      expect(await logRows()).toBe(before);
    });

    it('can be emptied by a replacement', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX');
      expect((await put(provider, 1)).traits).toEqual([]);
      expect(await shown(provider)).toEqual([2, []]);
    });

    it('are cleared; clearing an empty set does not increment the generation', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX', 'HW_CPU_X86_AVX2');
      await providerTraits.clear(provider);
      expect(await shown(provider)).toEqual([2, []]);
      const before = await logRows();
      await providerTraits.clear(provider);
      expect(await shown(provider)).toEqual([2, []]);
      expect(await logRows()).toBe(before);
      await expect(providerTraits.clear('00000000-0000-4000-8000-ffffffffffff')).rejects.toBeInstanceOf(NotFound);
    });

    it('can include all standard ones', async () => {
      const provider = await newProvider();
      await put(provider, 0, ...STANDARD_TRAITS);
      expect((await shown(provider))[1]).toEqual([...STANDARD_TRAITS].sort());
    });

    it('are written by one of many writers with the same generation; the others get a conflict', async () => {
      const provider = await newProvider();
      const before = await logRows();
      const writes = await Promise.allSettled(STANDARD_TRAITS.slice(0, 8).map((name) => put(provider, 0, name)));
      expect(writes.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
      for (const each of writes) {
        if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ProviderGenerationConflict);
      }
      const [generation, left] = await shown(provider);
      expect([generation, left.length]).toEqual([1, 1]);
      expect(await logRows()).toBe(before + 1);
    });

    it('are cleared once by many concurrent requests', async () => {
      const provider = await newProvider();
      await put(provider, 0, 'HW_CPU_X86_AVX');
      await Promise.all(Array.from({ length: 8 }, () => providerTraits.clear(provider)));
      expect(await shown(provider)).toEqual([2, []]);
    });

    it('never keep a trait that was deleted in the meantime', async () => {
      const provider = await newProvider();
      for (let round = 0; round < 8; round += 1) {
        const name = `CUSTOM_CONTESTED_${round}`;
        await traits.ensure(name);
        const { generation } = await providerTraits.get(provider);
        const [written, deleted] = await Promise.allSettled([put(provider, generation, name), traits.delete(name)]);
        expect([written.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected']);
        if (written.status === 'rejected') expect(written.reason).toBeInstanceOf(UnknownReference);
        if (deleted.status === 'rejected') expect(deleted.reason).toBeInstanceOf(Conflict);
      }
    });
  });
});
