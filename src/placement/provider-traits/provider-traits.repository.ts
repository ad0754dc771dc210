// Links of providers to traits in the database. Writers lock the provider's row first.
import type { SqlReader } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import type { JoinedRow } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { ProviderLinks } from '../resource-providers/provider-links.writes';
import { StoredTrait } from '../traits/trait.entity';
import type { Trait } from '../traits/traits.commands';
import { StoredProviderTrait } from './provider-trait.entity';

/** A provider's generation and traits, read in one statement. Traits are sorted by id. */
export interface ProviderTraits {
  readonly providerId: number;
  readonly generation: number;
  readonly traits: readonly Trait[];
}

type Row = Pick<ProviderTraits, 'providerId' | 'generation'> & JoinedRow<Trait>;

const TRAIT = new Table(StoredTrait).only('id', 'name', 'changedAt');

/** One statement, so the generation belongs to exactly these traits. */
export async function findProviderTraits(sql: SqlReader, provider: Uuid): Promise<ProviderTraits | undefined> {
  const rows = await sql.query<Row>(
    `SELECT p.id AS providerId, p.generation, ${TRAIT.as('t')} ` +
      'FROM resource_providers p LEFT JOIN resource_provider_traits pt ON pt.resource_provider_id = p.id ' +
      'LEFT JOIN traits t ON t.id = pt.trait_id WHERE p.uuid = ? ORDER BY t.id',
    [provider],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const { providerId, generation } = first;
  const traits = rows.flatMap(({ id, name, changedAt }) => (id === null ? [] : [{ id, name, changedAt }]));
  return { providerId, generation, traits };
}

export const providerTraits = new ProviderLinks(StoredProviderTrait);

/** Ids of the existing providers whose trait must be added (`isWanted`) or removed. Takes no lock. */
export async function providersToChange(
  sql: SqlReader,
  providers: readonly Uuid[],
  traitId: number,
  isWanted: boolean,
): Promise<readonly number[]> {
  const rows = await queryAmong<{ id: number }>(
    sql,
    providers,
    (among) =>
      'SELECT p.id FROM resource_providers p LEFT JOIN resource_provider_traits pt ' +
      'ON pt.resource_provider_id = p.id AND pt.trait_id = ? ' +
      `WHERE p.uuid IN (${among}) AND pt.trait_id IS ${isWanted ? '' : 'NOT '}NULL`,
    { before: [traitId] },
  );
  return rows.map(({ id }) => id);
}
