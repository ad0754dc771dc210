// Databases of nova 26 for suites: the fixture, loaded under fresh names on the test server.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';

const LOCAL = 'mysql://root@127.0.0.1:3306';
const given = process.env['BERTH_TEST_MYSQL_URL'] ?? LOCAL;
/** Suites skip without a server, but load this file. */
export const novaServer = new URL(given === 'none' ? LOCAL : given);

const FIXTURE = readFileSync(join(__dirname, 'nova-26.sql'), 'utf8');

/** Tables that Berth reads, by database. */
const READ = {
  api: ['cell_mappings', 'host_mappings', 'aggregates', 'aggregate_hosts', 'aggregate_metadata'],
  cell: ['services', 'compute_nodes', 'instances'],
  /** Read for ImagePropertiesWeigher only. */
  properties: ['instance_system_metadata'],
} as const;

/** To the server, not to a database. */
export const connectAsAdmin = (): Promise<Connection> =>
  createConnection({
    host: novaServer.hostname,
    port: Number(novaServer.port || 3306),
    user: decodeURIComponent(novaServer.username),
    password: decodeURIComponent(novaServer.password),
    multipleStatements: true,
  });

export class NovaDatabases {
  private constructor(
    private readonly admin: Connection,
    readonly api: string,
    /** Names of the cells' databases; the fixture's cell is the first. */
    readonly cells: string[],
    readonly user: string,
  ) {}

  /** With a user that can only read the tables that Berth reads. */
  static async load(): Promise<NovaDatabases> {
    const admin = await connectAsAdmin();
    const suffix = `${process.pid}_${randomBytes(4).toString('hex')}`;
    const databases = new NovaDatabases(admin, `nova_api_${suffix}`, [`nova_cell1_${suffix}`], `nova_${suffix}`);
    await databases.restore(FIXTURE);
    await admin.query(`CREATE USER '${databases.user}'@'%' IDENTIFIED BY 's/e@cret'`);
    await databases.grant(databases.api, READ.api);
    for (const cell of databases.cells) await databases.grant(cell, READ.cell);
    return databases;
  }

  /** Lets the user read what ImagePropertiesWeigher needs. */
  grantProperties(): Promise<void> {
    return this.grant(this.cells[0] ?? '', READ.properties);
  }

  /** A further cell with the tables of the first one, empty. `connection` is its column `database_connection`. */
  async addCell(uuid: string, connection: (database: string) => string): Promise<string> {
    const [first = ''] = this.cells;
    const database = `${first}_${this.cells.length + 1}`;
    this.cells.push(database);
    await this.admin.query(`CREATE DATABASE ${database} DEFAULT CHARACTER SET utf8mb3`);
    for (const table of ['alembic_version', ...READ.cell]) {
      await this.admin.query(`CREATE TABLE ${database}.${table} LIKE ${first}.${table}`);
    }
    await this.grant(database, READ.cell);
    await this.admin.query(
      `INSERT INTO ${this.api}.cell_mappings (created_at, uuid, name, transport_url, database_connection, disabled)
       VALUES (UTC_TIMESTAMP(), ?, ?, 'rabbit://', ?, 0)`,
      [uuid, `cell${this.cells.length}`, connection(database)],
    );
    return database;
  }

  /** Runs statements as nova. `api` and `cell1` stand for the databases. */
  async run(sql: string, params: readonly unknown[] = []): Promise<any> {
    const named = sql.replaceAll('api.', `${this.api}.`).replaceAll('cell1.', `${this.cells[0]}.`);
    const [result] = await this.admin.query(named, [...params]);
    return result;
  }

  /** The address of a database for the reading user; `port` is that of a proxy. */
  url(database: string, port: number | string = novaServer.port || 3306): string {
    return `mysql+pymysql://${this.user}:s%2Fe%40cret@${novaServer.hostname}:${port}/${database}?charset=utf8`;
  }

  /** As `[database] connection` in nova.conf: cell0, which does not exist. */
  get templateBase(): string {
    return this.url('nova_cell0');
  }

  /** The fixture's rows again. */
  async reset(): Promise<void> {
    await this.dropDatabases();
    this.cells.splice(1);
    await this.restore(FIXTURE);
  }

  async drop(): Promise<void> {
    await this.dropDatabases();
    await this.admin.query(`DROP USER '${this.user}'@'%'`);
    await this.admin.end();
  }

  private async dropDatabases(): Promise<void> {
    for (const name of [this.api, ...this.cells]) await this.admin.query(`DROP DATABASE IF EXISTS ${name}`);
  }

  private async restore(sql: string): Promise<void> {
    const named = sql.replaceAll('nova_api', this.api).replaceAll('nova_cell1', this.cells[0] ?? '');
    await this.admin.query(named);
  }

  private async grant(database: string, tables: readonly string[]): Promise<void> {
    for (const table of tables) await this.admin.query(`GRANT SELECT ON ${database}.${table} TO '${this.user}'@'%'`);
  }
}
