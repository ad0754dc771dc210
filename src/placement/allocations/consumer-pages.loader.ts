// Pages of all consumers with their allocations, in row order, for audits against another service.
import type { SqlReader } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

/** What a consumer has of one provider. */
export interface ConsumerShareOfTree {
  readonly providerUuid: Uuid;
  readonly rootUuid: Uuid;
  readonly resources: ReadonlyMap<string, number>;
}

/** A consumer with its generation and its complete allocations, read in one statement. */
export interface WholeConsumer {
  readonly id: number;
  readonly uuid: Uuid;
  readonly generation: number;
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: string | null;
  readonly shares: readonly ConsumerShareOfTree[];
}

interface Row extends Omit<WholeConsumer, 'shares'> {
  readonly providerUuid: Uuid;
  readonly rootUuid: Uuid;
  readonly resourceClass: string;
  readonly used: number;
}

/** The next `limit` consumers after the row `after`. */
export async function loadConsumersAfter(
  sql: SqlReader,
  after: number,
  limit: number,
): Promise<readonly WholeConsumer[]> {
  const ids = await sql.query<{ readonly id: number }>(
    `SELECT id FROM consumers WHERE id > ? ORDER BY id LIMIT ${limit}`,
    [after],
  );
  return loadWholeConsumers(
    sql,
    'id',
    ids.map(({ id }) => id),
  );
}

/** The consumers in the order of their rows. A consumer without allocations does not exist. */
export async function loadWholeConsumers(
  sql: SqlReader,
  key: 'id' | 'uuid',
  keys: readonly (number | string)[],
): Promise<readonly WholeConsumer[]> {
  const text = (among: string): string =>
    'SELECT c.id, c.uuid, c.generation, o.external_id AS projectId, u.external_id AS userId, t.name AS consumerType, ' +
    'p.uuid AS providerUuid, root.uuid AS rootUuid, r.name AS resourceClass, a.used FROM consumers c ' +
    'JOIN projects o ON o.id = c.project_id JOIN users u ON u.id = c.user_id ' +
    'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id JOIN allocations a ON a.consumer_id = c.id ' +
    'JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_providers root ON root.id = p.root_provider_id ' +
    `JOIN resource_classes r ON r.id = a.resource_class_id WHERE c.${key} IN (${among})`;
  const found = new Map<number, FoundConsumer>();
  for (const row of await queryAmong<Row>(sql, keys, text)) {
    const consumer = found.get(row.id) ?? foundConsumerOf(row);
    found.set(row.id, consumer);
    const { providerUuid, rootUuid, resourceClass, used } = row;
    const share = consumer.byProvider.get(providerUuid) ?? {
      providerUuid,
      rootUuid,
      resources: new Map<string, number>(),
    };
    consumer.byProvider.set(providerUuid, share);
    share.resources.set(resourceClass, used);
  }
  const consumers = Array.from(found.values(), ({ byProvider, ...consumer }) => ({
    ...consumer,
    shares: [...byProvider.values()],
  }));
  return consumers.sort((one, other) => one.id - other.id);
}

interface FoundShare extends ConsumerShareOfTree {
  readonly resources: Map<string, number>;
}

interface FoundConsumer extends Omit<WholeConsumer, 'shares'> {
  readonly byProvider: Map<Uuid, FoundShare>;
}

const foundConsumerOf = ({ id, uuid, generation, projectId, userId, consumerType }: Row): FoundConsumer => ({
  id,
  uuid,
  generation,
  projectId,
  userId,
  consumerType,
  byProvider: new Map(),
});
