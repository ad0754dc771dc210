// One generated cloud for two schedulers: rows in nova's databases, providers in the Placement of Berth, Berth on the
// message queue, and nova's own scheduler.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Rabbit } from '../../support/rabbit';
import type { TestService } from '../../support/service';
import { startTestService } from '../../support/service';
import { Conductor } from '../conductor';
import { NovaDatabases } from '../nova-databases';
import { novaConf } from './nova-conf';
import { NovaRows } from './nova-rows';
import { PlacementReport } from './placement-report';
import { Reference } from './reference';
import type { World } from './world';

const SECOND_CELL = 'b04e711c-bef7-47a3-8ffc-a19e4e47af50';
const FIXTURE_ROWS = [
  'api.host_mappings',
  'api.aggregates',
  'api.aggregate_hosts',
  'api.aggregate_metadata',
  'cell1.instance_extra',
  'cell1.instance_system_metadata',
  'cell1.instances',
  'cell1.services',
  'cell1.compute_nodes',
];

export class ComparedCloud {
  /** Undo the start, the last one first. */
  private readonly undo: (() => unknown)[] = [];
  berth!: TestService;
  conductor!: Conductor;
  reference!: Reference;
  /** Uuids of the cells, in the order of `Host.cell`. */
  cells: readonly string[] = [];

  private constructor(private readonly world: World) {}

  static async start(world: World): Promise<ComparedCloud> {
    const cloud = new ComparedCloud(world);
    try {
      await cloud.prepare();
      return cloud;
    } catch (error) {
      await cloud.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const undo of this.undo.splice(0).reverse()) await undo();
  }

  private async prepare(): Promise<void> {
    const databases = await NovaDatabases.load();
    this.undo.push(() => databases.drop());
    const rabbit = await Rabbit.start();
    this.undo.push(() => rabbit.remove());
    const folder = mkdtempSync(join(tmpdir(), 'berth-compare-'));
    this.undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const conf = join(folder, 'nova.conf');
    await this.prepareDatabases(databases);
    const { transportUrl } = rabbit;
    const apiDatabase = databases.url(databases.api);
    const database = databases.url(databases.cells[0] ?? '');
    const isolatedHost = this.world.hosts[2]?.name ?? '';
    writeFileSync(conf, novaConf({ transportUrl, apiDatabase, database, isolatedHost }));
    await this.installHosts(databases, conf);
    this.berth = await startTestService('mysql', {
      cwd: folder,
      overrides: {
        nova: { enabled: true, config_file: ['nova.conf'], release: 26 },
        scheduler: { nova_compat: true },
      },
    });
    this.undo.push(() => this.berth.stop());
    await this.berth.app.listen(0, '127.0.0.1');
    await new PlacementReport(this.berth, this.world).send();
    const { port } = this.berth.app.getHttpServer().address() as AddressInfo;
    this.reference = Reference.start(conf, `http://127.0.0.1:${port}`);
    this.undo.push(() => this.reference.stop());
    this.conductor = await Conductor.connect(transportUrl);
    this.undo.push(() => this.conductor.close());
    await this.conductor.awaitScheduler();
  }

  private async prepareDatabases(databases: NovaDatabases): Promise<void> {
    const second = await databases.addCell(SECOND_CELL, (name) => databases.url(name));
    await databases.run(`CREATE TABLE ${second}.migrations LIKE cell1.migrations`);
    await databases.run('SET FOREIGN_KEY_CHECKS = 0');
    for (const table of FIXTURE_ROWS) await databases.run(`DELETE FROM ${table}`);
    // The scheduler of nova reads more tables than Berth.
    for (const name of [databases.api, ...databases.cells]) {
      await databases.run(`GRANT SELECT ON ${name}.* TO '${databases.user}'@'%'`);
    }
    const [mapping] = await databases.run("SELECT uuid FROM api.cell_mappings WHERE name = 'cell1'");
    this.cells = [mapping.uuid as string, SECOND_CELL];
  }

  private async installHosts(databases: NovaDatabases, conf: string): Promise<void> {
    const rows = new NovaRows(databases, this.world);
    await rows.aggregates();
    // nova's code writes the columns that hold objects. It needs no Placement for them.
    const writer = Reference.start(conf, 'http://127.0.0.1:1');
    try {
      await rows.hosts(writer);
    } finally {
      await writer.stop();
    }
  }
}
