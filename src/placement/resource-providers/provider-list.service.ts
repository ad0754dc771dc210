// Lists of providers: generations are read from the database in slices, names and parents from memory. A list of one
// provider or one tree runs one statement and does not use memory.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { Database } from '../../platform/database/database';
import type { SqlReader } from '../../platform/database/sql';
import type { Caller } from '../../platform/event-loop/caller';
import { stopIfGone } from '../../platform/event-loop/caller';
import { newestOf } from '../../platform/values/newest';
import type { ProviderNames } from './known-providers';
import { KnownProviders } from './known-providers';
import type { ListedProvider, ProviderFilter, ProviderList, ResourceProvider } from './resource-providers.commands';
import { listGenerations } from './resource-providers.repository';
import { ResourceProvidersService } from './resource-providers.service';

@Injectable()
export class ProviderListService {
  constructor(
    private readonly db: Database,
    private readonly providers: ResourceProvidersService,
    private readonly known: KnownProviders,
  ) {}

  /** In the order of creation. Throws UnknownReference if a class or trait does not exist, and CallerGone. */
  async list(filter: ProviderFilter, caller: Caller): Promise<ProviderList> {
    const isNarrow = filter.name !== undefined || filter.uuid !== undefined || filter.inTree !== undefined;
    if (isNarrow) return listOf(await this.providers.list(filter));
    const rows = await this.db.read(async (sql) => {
      await this.providers.checkNames(sql, filter);
      return rowsOf(sql, filter, caller);
    });
    // Names are read after generations: the data is then never older than the generation that stands for it.
    const names = await this.known.current();
    if (names === undefined) return listOf(await this.providers.list(filter));
    return { newest: rows.newest ?? 'now', providers: joined(rows, names) };
  }
}

const listOf = (providers: readonly ResourceProvider[]): ProviderList => ({
  newest: newestOf(providers, 'now'),
  providers,
});

/** Numbers instead of objects: 100 000 objects of rows would be copied by the garbage collector. */
interface Rows {
  readonly ids: readonly number[];
  readonly generations: readonly number[];
  readonly newest: number | undefined;
}

async function rowsOf(sql: SqlReader, filter: ProviderFilter, caller: Caller): Promise<Rows> {
  const ids: number[] = [];
  const generations: number[] = [];
  let newest: number | undefined;
  for (;;) {
    const slice = await listGenerations(sql, filter, ids.at(-1) ?? 0, DATABASE_LIMITS.rowsPerRead);
    for (const { id, generation, changedAt } of slice) {
      ids.push(id);
      generations.push(generation);
      newest = Math.max(newest ?? changedAt, changedAt);
    }
    if (slice.length < DATABASE_LIMITS.rowsPerRead) return { ids, generations, newest };
    stopIfGone(caller);
  }
}

/** Iterates once. Leaves out providers that were removed since their row was read. */
function* joined({ ids, generations }: Rows, names: ProviderNames): Generator<ListedProvider> {
  for (const [at, id] of ids.entries()) {
    const known = names.findProvider(id);
    if (known === undefined) continue;
    const { uuid, name, parentUuid, rootUuid } = known;
    yield { uuid, name, generation: generations[at] ?? 0, parentUuid, rootUuid };
  }
}
