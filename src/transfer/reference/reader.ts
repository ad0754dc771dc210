// Reads the schema of OpenStack Placement in bounded pages. Consistent pages need one snapshot around all reads.
import type { RecordBody } from '../../placement/inventories/inventories.schema';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { SqlParams } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import type { LinkKind, NameTable } from '../name-tables';
import { LINK_COLUMNS, NAME_TABLES } from '../name-tables';
import { pagesById } from '../rows';
import type { ReferenceConnection } from './connection.loader';
import { REFERENCE_TABLES } from './schema';

/** Consumers whose uuids the reference keeps in another spelling than the canonical one; they are held. */
const NON_CANONICAL_CONSUMERS = 100_000;

interface StampedRow {
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

export interface NameRow extends StampedRow {
  readonly id: number;
  readonly name: string;
}

export interface ReferenceProviderRow extends StampedRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string | null;
  readonly generation: number | null;
  readonly root_provider_id: number | null;
  readonly parent_provider_id: number | null;
}

interface ReferenceInventoryRow extends StampedRow, Required<RecordBody> {
  readonly resource_provider_id: number;
  readonly resource_class_id: number;
}

/** Links a provider to a trait or an aggregate. */
export interface LinkRow {
  readonly resource_provider_id: number;
  readonly ref_id: number;
}

/** An allocation with its consumer, if that has a record. */
export interface AllocationRow {
  readonly consumer_uuid: string;
  readonly resource_provider_id: number;
  readonly resource_class_id: number;
  readonly used: number;
  readonly created_at: string | null;
  readonly inventory_id: number | null;
  readonly consumer_id: number | null;
  readonly generation: number | null;
  readonly project_id: number | null;
  readonly user_id: number | null;
  readonly consumer_type_id: number | null;
  readonly consumer_created_at: string | null;
  readonly consumer_updated_at: string | null;
}

const COUNTED = [
  'resource_providers',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'consumers',
  'allocations',
] as const;
type CountedTable = (typeof COUNTED)[number];

const ALLOCATIONS =
  'allocations a LEFT JOIN consumers c ON c.uuid = a.consumer_id LEFT JOIN inventories i ' +
  'ON i.resource_provider_id = a.resource_provider_id AND i.resource_class_id = a.resource_class_id';
const ALLOCATION_COLUMNS =
  'a.consumer_id AS consumer_uuid, a.resource_provider_id, a.resource_class_id, a.used, a.created_at, ' +
  'i.id AS inventory_id, c.id AS consumer_id, c.generation, c.project_id, c.user_id, c.consumer_type_id, ' +
  'c.created_at AS consumer_created_at, c.updated_at AS consumer_updated_at';
export type Fingerprints = ReadonlyMap<string, string>;

/** True if the source was not written between the two fingerprints. */
export const isSameSource = (one: Fingerprints, other: Fingerprints): boolean =>
  [...one].every(([table, text]) => other.get(table) === text);

/** Tables whose rows the API of the reference can rename. */
const RENAMED: ReadonlySet<string> = new Set(['resource_providers', 'resource_classes']);

export class ReferenceReader {
  constructor(readonly connection: ReferenceConnection) {}

  async counts(): Promise<Readonly<Record<CountedTable, number>>> {
    const counts: [CountedTable, number][] = [];
    for (const table of COUNTED) {
      const [row] = await this.connection.query<{ rows_in: number }>(`SELECT COUNT(*) AS rows_in FROM ${table}`);
      counts.push([table, Number(row?.rows_in ?? 0)]);
    }
    return Object.fromEntries(counts) as Record<CountedTable, number>;
  }

  /**
   * A text for each table that changes with every write through the reference's API: row counts and sums of the
   * integers. It includes a hash of the rows whose name or parent can change without a new generation. Cheap:
   * allocations are not hashed.
   */
  async fingerprints(): Promise<Fingerprints> {
    const found = new Map<string, string>();
    for (const { name, columns } of REFERENCE_TABLES) {
      const numbers = columns.filter(({ type }) => type.startsWith('INTEGER'));
      const sums = numbers.map((column) => `COALESCE(SUM(${column.name}), 0)`);
      if (RENAMED.has(name)) {
        // 32 bits of each hash keep the sum an integer in SQLite.
        const hash = this.connection.rowHash(columns.map((column) => column.name));
        sums.push(`COALESCE(SUM(${hash} % 4294967296), 0)`);
      }
      const [row] = await this.connection.query<{ fingerprint: string }>(
        `SELECT CONCAT_WS(' ', COUNT(*), ${sums.join(', ')}) AS fingerprint FROM ${name}`,
      );
      found.set(name, row?.fingerprint ?? '');
    }
    return found;
  }

  /** Yields the rows of a table of names in pages, sorted by id. */
  names(table: NameTable): AsyncGenerator<readonly NameRow[]> {
    const columns = `id, ${NAME_TABLES[table].column} AS name, created_at, updated_at`;
    return this.pages<NameRow>(table, columns, TRANSFER_LIMITS.names);
  }

  providers(): AsyncGenerator<readonly ReferenceProviderRow[]> {
    const columns = 'id, uuid, name, generation, root_provider_id, parent_provider_id, created_at, updated_at';
    return this.pages<ReferenceProviderRow>('resource_providers', columns, TRANSFER_LIMITS.providers);
  }

  /** Inventories of the providers with ids from `low` to `high`. */
  inventories(low: number, high: number): Promise<readonly ReferenceInventoryRow[]> {
    return this.connection.query<ReferenceInventoryRow>(
      'SELECT resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, ' +
        'allocation_ratio, created_at, updated_at FROM inventories WHERE resource_provider_id BETWEEN ? AND ?',
      [low, high],
    );
  }

  links(of: LinkKind, low: number, high: number): Promise<readonly LinkRow[]> {
    return this.connection.query<LinkRow>(
      `SELECT resource_provider_id, ${LINK_COLUMNS[of]} AS ref_id FROM resource_provider_${of} ` +
        'WHERE resource_provider_id BETWEEN ? AND ?',
      [low, high],
    );
  }

  /** The next uuids of consumers with allocations, as the reference spells and sorts them. */
  async consumersAfter(after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.connection.query<{ uuid: string }>(
      'SELECT DISTINCT consumer_id AS uuid FROM allocations WHERE consumer_id > ? ORDER BY consumer_id LIMIT ?',
      [after, limit],
    );
    return rows.map(({ uuid }) => uuid);
  }

  /** Allocations of the consumers after `after`, up to and including `upTo`; null means no upper bound. */
  allocations(after: string, upTo: string | null): Promise<readonly AllocationRow[]> {
    const [range, params] = consumerRange(after, upTo);
    return this.connection.query<AllocationRow>(
      `SELECT ${ALLOCATION_COLUMNS} FROM ${ALLOCATIONS} WHERE ${range} ORDER BY a.id`,
      params,
    );
  }

  /** Consumers with allocations whose uuid is not canonical. */
  async nonCanonicalConsumers(): Promise<readonly string[]> {
    const rows = await this.connection.query<{ uuid: string }>(
      'SELECT DISTINCT consumer_id AS uuid FROM allocations WHERE LENGTH(consumer_id) <> 36 ' +
        `OR HEX(consumer_id) <> HEX(LOWER(consumer_id)) OR ${MISPLACED_DASH} LIMIT ?`,
      [NON_CANONICAL_CONSUMERS + 1],
    );
    if (rows.length > NON_CANONICAL_CONSUMERS) {
      throw new Error(`more than ${NON_CANONICAL_CONSUMERS} consumers have uuids that are not spelled canonically`);
    }
    return rows.map(({ uuid }) => uuid);
  }

  /** Allocations of consumers with exactly this spelling. */
  async allocationsOf(uuids: readonly string[]): Promise<readonly AllocationRow[]> {
    const requestedUuids = new Set(uuids);
    const found: AllocationRow[] = [];
    for (const part of chunks(uuids, TRANSFER_LIMITS.consumersPerPage)) {
      const rows = await this.connection.query<AllocationRow>(
        `SELECT ${ALLOCATION_COLUMNS} FROM ${ALLOCATIONS} WHERE a.consumer_id IN (${marks(part.length)}) ORDER BY a.id`,
        part,
      );
      found.push(...rows.filter((row) => requestedUuids.has(row.consumer_uuid)));
    }
    return found;
  }

  /** Inconsistencies that the schema allows and that no other read of the import detects. */
  async looseEnds(): Promise<readonly { readonly kind: LooseEnd; readonly subject: string }[]> {
    const found: { kind: LooseEnd; subject: string }[] = [];
    for (const [kind, sql] of LOOSE_ENDS) {
      const rows = await this.connection.query<{ subject: string }>(`${sql} LIMIT ${TRANSFER_LIMITS.findingsKept}`);
      // SQLite formats an integer that was computed from a fraction with a trailing `.0`.
      for (const { subject } of rows) found.push({ kind, subject: subject.replace(/\.0$/, '') });
    }
    return found;
  }

  private async *pages<R extends { readonly id: number }>(
    table: string,
    columns: string,
    most: number,
  ): AsyncGenerator<readonly R[]> {
    const text = `SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${TRANSFER_LIMITS.namesPerPage}`;
    let rowsRead = 0;
    for await (const rows of pagesById((after) => this.connection.query<R>(text, [after]))) {
      rowsRead += rows.length;
      if (rowsRead > most) throw new Error(`the table ${table} has more than ${most} rows`);
      yield rows;
    }
  }
}

const MISPLACED_DASH = [9, 14, 19, 24].map((at) => `SUBSTR(consumer_id, ${at}, 1) <> '-'`).join(' OR ');

function consumerRange(after: string, upTo: string | null): readonly [string, SqlParams] {
  return upTo === null ? ['a.consumer_id > ?', [after]] : ['a.consumer_id > ? AND a.consumer_id <= ?', [after, upTo]];
}

type LooseEnd = 'ghost-consumer' | 'inventory-without-provider' | 'link-without-end' | 'oversold';

const OF_NO_PROVIDER = 'LEFT JOIN resource_providers p ON p.id = x.resource_provider_id WHERE p.id IS NULL';

/** Truncates towards zero, with functions that both MySQL and SQLite have. */
const CAPACITY =
  'SIGN((i.total - i.reserved) * i.allocation_ratio) * FLOOR(ABS((i.total - i.reserved) * i.allocation_ratio))';

const LOOSE_ENDS: readonly (readonly [LooseEnd, string])[] = [
  [
    'ghost-consumer',
    'SELECT c.uuid AS subject FROM consumers c LEFT JOIN allocations a ON a.consumer_id = c.uuid WHERE a.id IS NULL',
  ],
  [
    'inventory-without-provider',
    `SELECT DISTINCT CONCAT('provider id ', x.resource_provider_id) AS subject FROM inventories x ${OF_NO_PROVIDER}`,
  ],
  [
    'link-without-end',
    `SELECT CONCAT('aggregate id ', x.aggregate_id, ' of provider id ', x.resource_provider_id) AS subject ` +
      `FROM resource_provider_aggregates x ${OF_NO_PROVIDER}`,
  ],
  [
    'oversold',
    `SELECT CONCAT(c.name, ' on resource provider ', p.uuid, ': ', SUM(a.used), ' of ', ` +
      `${CAPACITY}) AS subject FROM inventories i ` +
      'JOIN allocations a ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id ' +
      'JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id ' +
      'GROUP BY i.id, c.name, p.uuid, i.total, i.reserved, i.allocation_ratio ' +
      `HAVING SUM(a.used) > ${CAPACITY}`,
  ],
];
