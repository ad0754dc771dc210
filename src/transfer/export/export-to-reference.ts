// Writes the Placement data of Berth into the schema of OpenStack Placement, which allows operators to migrate back.
// Ids are kept. The revision is written last, which marks the export as complete.
import { recordBodyOf } from '../../placement/inventories/inventories.schema';
import type { ProviderLink } from '../../placement/resource-providers/provider-links.writes';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { Dated } from '../../platform/database/dated.entity';
import type { SqlReader } from '../../platform/database/sql';
import { chunks } from '../../platform/database/sql';
import type { NameTable } from '../name-tables';
import { LINK_COLUMNS, NAME_TABLES } from '../name-tables';
import type { Progress } from '../progress';
import type { ReferenceConnection } from '../reference/connection.loader';
import { ReferenceWriter } from '../reference/reference-writer';
import type { Revision } from '../reference/revisions';
import { hasTable, isRevision, revisionOf } from '../reference/revisions';
import { createReferenceSchema, REFERENCE_TABLES, removeStamp, stampRevision } from '../reference/schema';
import { datetimeOf } from '../reference/times';
import type { Row } from '../rows';
import type { OwnName, OwnProvider } from './berth-rows';
import { BerthRows } from './berth-rows';

interface ExportTarget {
  readonly reference: ReferenceConnection;
  /** Undefined: the revision of the existing schema, or else the newest. */
  readonly revision: Revision | undefined;
  /** Deletes the existing data of the schema. */
  readonly isReplacing: boolean;
  readonly shown: string;
}

const NEWEST: Revision = 'a082b8bb98d0';
/** Largest key in the reference's schema. */
const MAX_KEY = 2_147_483_647;

/** The caller provides a snapshot. Returns the number of rows written. */
export async function exportToReference(sql: SqlReader, target: ExportTarget, progress: Progress): Promise<number> {
  const revision = await prepareSchema(target);
  const exporter = new ReferenceExport(new BerthRows(sql), target.reference, progress);
  const written = await exporter.run();
  await stampRevision(target.reference, revision);
  return written;
}

/** Creates the tables, or empties existing ones if they have no data or `isReplacing` is set. Returns the revision. */
async function prepareSchema({ reference, revision, isReplacing, shown }: ExportTarget): Promise<Revision> {
  if (!(await hasTable(reference, 'resource_providers'))) {
    await createReferenceSchema(reference, revision ?? NEWEST);
    return revision ?? NEWEST;
  }
  if (await hasTable(reference, 'berth_migrations')) throw new Error(`${shown} is a database of Berth`);
  const present = await revisionOf(reference);
  if (present !== undefined && !isRevision(present)) {
    throw new Error(`${shown} has revision ${present}, which Berth does not write`);
  }
  if (present !== undefined && revision !== undefined && present !== revision) {
    throw new Error(
      `${shown} has revision ${present}, not ${revision}: leave --revision out, or give an empty database`,
    );
  }
  for (const table of ['resource_providers', 'consumers', 'allocations']) {
    if (isReplacing) break;
    const found = await reference.query(`SELECT 1 AS one FROM ${table} LIMIT 1`);
    if (found.length > 0) throw new Error(`${shown} is not empty: --replace takes away what it holds`);
  }
  await removeStamp(reference);
  await reference.run('UPDATE resource_providers SET root_provider_id = NULL, parent_provider_id = NULL');
  for (const { name } of [...REFERENCE_TABLES].reverse()) await reference.run(`DELETE FROM ${name}`);
  // An interrupted export leaves tables without a revision.
  return present ?? revision ?? NEWEST;
}

class ReferenceExport {
  private readonly writer: ReferenceWriter;
  private written = 0;

  constructor(
    private readonly rows: BerthRows,
    private readonly reference: ReferenceConnection,
    private readonly progress: Progress,
  ) {
    this.writer = new ReferenceWriter(reference);
  }

  async run(): Promise<number> {
    await this.exportNames();
    const providers = await this.exportProviders();
    await this.exportDetails(providers);
    await this.exportConsumers();
    await this.writer.flush();
    this.progress.end();
    return this.written;
  }

  private async exportNames(): Promise<void> {
    this.progress.stage('names', 0);
    for (const table of Object.keys(NAME_TABLES) as NameTable[]) {
      const { column } = NAME_TABLES[table];
      for await (const page of this.rows.names(table)) {
        await this.insert(
          table,
          page.map((row: OwnName) => ({ ...this.times(row), id: keyOf(row.id), [column]: row.name })),
        );
      }
    }
  }

  /** Writes roots before their children: every foreign key must refer to an existing row. */
  private async exportProviders(): Promise<readonly number[]> {
    this.progress.stage('providers', await this.rows.count('resource_providers'));
    const ids: number[] = [];
    let waiting: OwnProvider[] = [];
    for await (const page of this.rows.providers()) {
      for (const provider of page) {
        ids.push(provider.id);
        waiting.push(provider);
      }
      if (ids.length > TRANSFER_LIMITS.providers) {
        throw new Error(`more than ${TRANSFER_LIMITS.providers} resource providers cannot be exported`);
      }
    }
    const there = new Set<number>();
    while (waiting.length > 0) {
      const level = waiting.filter(({ parentId }) => parentId === null || there.has(parentId));
      if (level.length === 0) throw new Error('parents of resource providers form a loop: run "berth verify --repair"');
      for (const part of chunks(level, TRANSFER_LIMITS.rowsPerInsert)) await this.insertProviders(part);
      for (const { id } of level) there.add(id);
      waiting = waiting.filter(({ id }) => !there.has(id));
    }
    return ids;
  }

  private insertProviders(part: readonly OwnProvider[]): Promise<void> {
    return this.insert(
      'resource_providers',
      part.map((provider) => ({
        ...this.times(provider),
        id: keyOf(provider.id),
        uuid: provider.uuid,
        name: provider.name,
        generation: provider.generation,
        root_provider_id: provider.rootId,
        parent_provider_id: provider.parentId,
      })),
    );
  }

  private async exportDetails(providerIds: readonly number[]): Promise<void> {
    this.progress.stage('inventories', await this.rows.count('inventories'));
    for (const part of chunks(providerIds, TRANSFER_LIMITS.providersPerWrite)) {
      await this.insert(
        'inventories',
        (await this.rows.inventoriesOf(part)).map((record) => ({
          ...this.times(record),
          resource_provider_id: record.providerId,
          resource_class_id: record.classId,
          ...recordBodyOf(record),
        })),
      );
      for (const kind of ['traits', 'aggregates'] as const) {
        const links = await this.rows.linksOf(kind, part);
        const rowOf = ({ providerId, id }: ProviderLink): Row => ({
          resource_provider_id: providerId,
          [LINK_COLUMNS[kind]]: id,
        });
        await this.insert(`resource_provider_${kind}`, links.map(rowOf));
      }
    }
  }

  private async exportConsumers(): Promise<void> {
    this.progress.stage('allocations', (await this.rows.count('consumers')) + (await this.rows.count('allocations')));
    for await (const page of this.rows.consumers()) {
      const uuidOf = new Map(page.map(({ id, uuid }) => [id, uuid]));
      await this.insert(
        'consumers',
        page.map((consumer) => ({
          ...this.times(consumer),
          id: keyOf(consumer.id),
          uuid: consumer.uuid,
          project_id: consumer.projectId,
          user_id: consumer.userId,
          generation: consumer.generation,
          consumer_type_id: consumer.typeId,
        })),
      );
      await this.insert(
        'allocations',
        (await this.rows.allocationsOf([...uuidOf.keys()])).map((allocation) => ({
          ...this.times({ createdAtMs: allocation.createdAtMs, updatedAtMs: null }),
          resource_provider_id: allocation.providerId,
          consumer_id: uuidOf.get(allocation.consumerId) ?? '',
          resource_class_id: allocation.classId,
          used: allocation.used,
        })),
      );
    }
  }

  private async insert(table: string, rows: readonly Row[]): Promise<void> {
    await this.writer.insert(table, rows);
    this.written += rows.length;
    this.progress.advance(rows.length);
  }

  private times({ createdAtMs, updatedAtMs }: Dated): Row {
    const { kind } = this.reference;
    return {
      created_at: datetimeOf(createdAtMs, kind),
      updated_at: updatedAtMs === null ? null : datetimeOf(updatedAtMs, kind),
    };
  }
}

function keyOf(id: number): number {
  if (id > MAX_KEY) throw new Error(`the key ${id} is larger than any that OpenStack Placement can hold`);
  return id;
}
