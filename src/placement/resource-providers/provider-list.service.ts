// Lists of providers: generations are read from the database in slices, names and parents from memory. A list of one
// provider or one tree runs one statement and does not use memory.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits';
import { Database } from '../../platform/database/database';
import type { SqlReader } from '../../platform/database/sql';
import { stopIfGone } from '../../platform/event-loop/caller';
import type { Caller } from '../../platform/event-loop/caller';
import { KnownProviders } from './known-providers';
import type { ProviderNames } from './known-providers';
import type { ResourceProvider, ProviderFilter } from './resource-providers.commands';
import { listProviderRows } from './resource-providers.repository';
import type { ListedProvider } from './resource-providers.repository';
import { ResourceProvidersService } from './resource-providers.service';

@Injectable()
export class ProviderListService {
  constructor(
    private readonly db: Database,
    private readonly providers: ResourceProvidersService,
    private readonly known: KnownProviders,
  ) {}

  /** In the order of creation. Throws UnknownReference if a class or trait does not exist, and CallerGone. */
  async list(filter: ProviderFilter, caller: Caller): Promise<readonly ResourceProvider[]> {
    const isNarrow = filter.name !== undefined || filter.uuid !== undefined || filter.inTree !== undefined;
    if (isNarrow) return this.providers.list(filter);
    const rows = await this.db.read(async (sql) => {
      await this.providers.checkNames(sql, filter);
      return rowsOf(sql, filter, caller);
    });
    // Names are read after generations: the data is then never older than the generation that stands for it.
    const names = await this.known.current();
    return names === undefined ? this.providers.list(filter) : joined(rows, names);
  }
}

async function rowsOf(sql: SqlReader, filter: ProviderFilter, caller: Caller): Promise<readonly ListedProvider[]> {
  const rows: ListedProvider[] = [];
  for (;;) {
    const slice = await listProviderRows(sql, filter, rows.at(-1)?.id ?? 0, DATABASE_LIMITS.rowsPerRead);
    for (const row of slice) rows.push(row);
    if (slice.length < DATABASE_LIMITS.rowsPerRead) return rows;
    stopIfGone(caller);
  }
}

/** A provider that memory does not have was removed since its row was read. */
function joined(rows: readonly ListedProvider[], names: ProviderNames): readonly ResourceProvider[] {
  const found: ResourceProvider[] = [];
  for (const { id, generation, changedAt } of rows) {
    const known = names.findProvider(id);
    if (known === undefined) continue;
    const { uuid, name, parentUuid, rootUuid } = known;
    found.push({ uuid, name, generation, parentUuid, rootUuid, changedAt });
  }
  return found;
}
