// A temporary reference database and a temporary Berth database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BerthConfig } from '../../src/options';
import { OPTION_TABLE } from '../../src/options';
import { parseDatabaseUrl } from '../../src/platform/config/database-url';
import { loadConfig } from '../../src/platform/config/load-config';
import type { Database } from '../../src/platform/database/database';
import { openConfiguredDatabase } from '../../src/platform/database/open-database';
import type { ImportOptions, ImportSurroundings } from '../../src/transfer/import-command';
import { importCommand } from '../../src/transfer/import-command';
import type { ReferenceConnection } from '../../src/transfer/reference/connection.loader';
import { openReference } from '../../src/transfer/reference/connection.loader';
import type { TestDatabase, TestDatabaseKind } from '../support/databases';
import { createTestDatabase } from '../support/databases';

export interface Place {
  readonly folder: string;
  readonly source: TestDatabase;
  readonly target: TestDatabase;
  readonly config: BerthConfig;
  readonly reference: ReferenceConnection;
  readonly printed: string[];
  /** Runs the import on these databases; returns its exit code. */
  bring(options?: Partial<ImportOptions>, more?: Partial<ImportSurroundings>): Promise<number>;
  /** Opens Berth's database for the work. */
  within<T>(work: (database: Database) => Promise<T>): Promise<T>;
  clear(): Promise<void>;
}

export async function makePlace(kind: TestDatabaseKind): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-transfer-test-'));
  const [source, target] = [await createTestDatabase(kind), await createTestDatabase(kind)];
  const reference = await writableReference(source.url);
  const config = configOf(target.url);
  const printed: string[] = [];
  return {
    folder,
    source,
    target,
    config,
    reference,
    printed,
    bring: (options = {}, more = {}) =>
      importCommand(
        { from: source.url, ...options },
        { config, cwd: folder, print: (text) => printed.push(text), ...more },
      ),
    within: async (work) => {
      const opened = await openConfiguredDatabase(config);
      try {
        return await work(opened.database);
      } finally {
        await opened.close();
      }
    },
    clear: async () => {
      await reference.close();
      await source.drop();
      await target.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection through which a test can write broken rows. */
export async function writableReference(url: string): Promise<ReferenceConnection> {
  const parsed = parseDatabaseUrl(url, '/');
  if (!parsed.ok) throw new Error(parsed.problem);
  const reference = await openReference(parsed.address, 'scratch');
  if (reference.kind === 'mysql') await reference.run('SET SESSION foreign_key_checks = 0');
  return reference;
}

export const configOf = (databaseUrl: string): BerthConfig =>
  loadConfig(OPTION_TABLE, { env: { DATABASE_URL: databaseUrl }, cwd: '/nonexistent', readFile: () => undefined });

/** The cloud as text, by names and uuids: one line for each provider and each consumer. */
export async function cloudOf(database: Database): Promise<readonly string[]> {
  return database.readSnapshot(async (sql) => {
    const providers = await sql.query<Record<string, unknown>>(
      'SELECT p.uuid, p.name, p.generation, q.uuid AS parent, r.uuid AS root, p.created_at, p.updated_at FROM resource_providers p ' +
        'LEFT JOIN resource_providers q ON q.id = p.parent_provider_id LEFT JOIN resource_providers r ON r.id = p.root_provider_id',
    );
    const inventories = await sql.query<Record<string, unknown>>(
      'SELECT p.uuid, c.name, i.total, i.reserved, i.allocation_ratio, i.capacity, i.used FROM inventories i ' +
        'JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes c ON c.id = i.resource_class_id',
    );
    const traits = await sql.query<Record<string, unknown>>(
      'SELECT p.uuid, t.name FROM resource_provider_traits l JOIN resource_providers p ON p.id = l.resource_provider_id JOIN traits t ON t.id = l.trait_id',
    );
    const aggregates = await sql.query<Record<string, unknown>>(
      'SELECT p.uuid, g.uuid AS aggregate FROM resource_provider_aggregates l JOIN resource_providers p ON p.id = l.resource_provider_id JOIN placement_aggregates g ON g.id = l.aggregate_id',
    );
    const allocations = await sql.query<Record<string, unknown>>(
      'SELECT c.uuid, c.generation, j.external_id AS project, u.external_id AS owner, t.name AS type, p.uuid AS provider, r.name, a.used ' +
        'FROM allocations a JOIN consumers c ON c.id = a.consumer_id JOIN projects j ON j.id = c.project_id JOIN users u ON u.id = c.user_id ' +
        'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id JOIN resource_providers p ON p.id = a.resource_provider_id JOIN resource_classes r ON r.id = a.resource_class_id',
    );
    const lines = (what: string, rows: readonly Record<string, unknown>[]): readonly string[] =>
      rows
        .map(
          (row) =>
            `${what} ${Object.values(row)
              .map((value) => String(value))
              .join(' ')}`,
        )
        .sort();
    return [
      ...lines('provider', providers),
      ...lines('inventory', inventories),
      ...lines('trait', traits),
      ...lines('aggregate', aggregates),
      ...lines('allocation', allocations),
    ];
  });
}
