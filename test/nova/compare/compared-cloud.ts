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
import type { Host } from './hosts';
import { PHYSNET_TRAIT, PMEM_CLASS } from './hosts';
import { novaConf } from './nova-conf';
import { Reference } from './reference';
import type { RunningInstance, World } from './world';
import { LICENSED_TRAIT } from './world';

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
const CUSTOM_TRAITS = ['CUSTOM_RAID', LICENSED_TRAIT, PHYSNET_TRAIT];

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
    const installer = new Installer(databases, this.world);
    await installer.aggregates();
    // nova's code writes the columns that hold objects. It needs no Placement for them.
    const writer = Reference.start(conf, 'http://127.0.0.1:1');
    try {
      await installer.hosts(writer);
    } finally {
      await writer.stop();
    }
  }
}

/** Writes the rows of nova. */
class Installer {
  constructor(
    private readonly databases: NovaDatabases,
    private readonly world: World,
  ) {}

  async aggregates(): Promise<void> {
    for (const [at, { uuid, name, hosts, metadata }] of this.world.aggregates.entries()) {
      const id = at + 1;
      await this.insert('api.aggregates', { id, uuid, name, created_at: new Date() });
      for (const host of hosts) await this.insert('api.aggregate_hosts', { host, aggregate_id: id });
      for (const [key, value] of Object.entries(metadata)) {
        await this.insert('api.aggregate_metadata', { aggregate_id: id, key, value });
      }
    }
  }

  async hosts(writer: Reference): Promise<void> {
    for (const host of this.world.hosts) await this.host(host, await writer.columns(host.numa, host.pools));
    for (const { uuid, host } of this.world.instances) {
      const row = { uuid, host: host.name, node: host.name, vm_state: 'active', project_id: 'project', deleted: 0 };
      await this.insert(`${this.cellOf(host)}.instances`, { ...row, updated_at: new Date() });
    }
  }

  private async host(host: Host, columns: object): Promise<void> {
    const { name, uuid, node, service } = host;
    const cell = this.cellOf(host);
    const now = new Date();
    const common = { created_at: now, updated_at: now, deleted: 0, host: name };
    await this.insert(`${cell}.compute_nodes`, {
      ...common,
      ...node,
      ...columns,
      uuid,
      hypervisor_hostname: name,
      mapped: 1,
    });
    await this.insert(`${cell}.services`, {
      ...common,
      binary: 'nova-compute',
      topic: 'compute',
      report_count: 1,
      disabled: service.disabled,
      forced_down: service.forced_down,
      // An hour and a half: longer than the down time of both.
      last_seen_up: service.isSilent ? new Date(now.getTime() - 5_400_000) : now,
      version: 64,
      uuid: service.uuid,
    });
    const [mapping] = await this.databases.run('SELECT id FROM api.cell_mappings WHERE name = ?', [
      `cell${host.cell + 1}`,
    ]);
    await this.insert('api.host_mappings', { cell_id: mapping.id, host: name, created_at: now });
  }

  private cellOf({ cell }: Host): string {
    return this.databases.cells[cell] ?? '';
  }

  private async insert(table: string, row: object): Promise<void> {
    await this.databases.run(`INSERT INTO ${table} SET ?`, [row]);
  }
}

/** What the computes report to Placement. */
class PlacementReport {
  private readonly generations = new Map<string, number>();

  constructor(
    private readonly berth: TestService,
    private readonly world: World,
  ) {}

  async send(): Promise<void> {
    for (const name of CUSTOM_TRAITS) await this.request('PUT', `/traits/${name}`);
    await this.request('PUT', `/resource_classes/${PMEM_CLASS}`);
    const { uuid, aggregate } = this.world.sharedDisk;
    await this.provider(uuid, 'shared-disk');
    await this.inventories(uuid, { DISK_GB: { total: 4_000 } });
    await this.traits(uuid, ['MISC_SHARES_VIA_AGGREGATE']);
    await this.aggregatesOf(uuid, [aggregate]);
    for (const host of this.world.hosts) await this.host(host);
    for (const instance of this.world.instances) await claim(this.berth, instance);
  }

  private async host(host: Host): Promise<void> {
    const { name, uuid, inventories, traits, gpu, nic, sharesDisk } = host;
    const aggregates = this.world.aggregates.filter(({ hosts }) => hosts.includes(name));
    const isLicensed = aggregates.some((aggregate) => aggregate.name === 'licensed');
    await this.provider(uuid, name);
    await this.inventories(uuid, inventories);
    await this.traits(uuid, [...traits, ...(isLicensed ? [LICENSED_TRAIT] : [])]);
    const shared = sharesDisk ? [this.world.sharedDisk.aggregate] : [];
    await this.aggregatesOf(uuid, [...aggregates.map((each) => each.uuid), ...shared]);
    if (gpu !== null) await this.child(gpu.uuid, `${name}-gpu`, uuid, { VGPU: { total: gpu.total } });
    if (nic === null) return;
    await this.child(nic.uuid, `${name}-nic`, uuid, { NET_BW_EGR_KILOBIT_PER_SEC: { total: nic.kilobits } });
    await this.traits(nic.uuid, [PHYSNET_TRAIT]);
  }

  private async child(uuid: string, name: string, parent: string, inventories: object): Promise<void> {
    await this.provider(uuid, name, parent);
    await this.inventories(uuid, inventories);
  }

  private async provider(uuid: string, name: string, parent?: string): Promise<void> {
    await this.request('POST', '/resource_providers', {
      uuid,
      name,
      ...(parent !== undefined && { parent_provider_uuid: parent }),
    });
    this.generations.set(uuid, 0);
  }

  private inventories(uuid: string, inventories: object): Promise<void> {
    return this.put(uuid, 'inventories', { inventories });
  }

  private traits(uuid: string, traits: readonly string[]): Promise<void> {
    return this.put(uuid, 'traits', { traits });
  }

  private aggregatesOf(uuid: string, aggregates: readonly string[]): Promise<void> {
    return this.put(uuid, 'aggregates', { aggregates });
  }

  private async put(uuid: string, part: string, body: object): Promise<void> {
    const resource_provider_generation = this.generations.get(uuid);
    const answer = await this.request('PUT', `/resource_providers/${uuid}/${part}`, {
      resource_provider_generation,
      ...body,
    });
    this.generations.set(uuid, answer.resource_provider_generation as number);
  }

  private request(method: 'PUT' | 'POST', path: string, body?: object): Promise<any> {
    return change(this.berth, method, path, body);
  }
}

/** The allocations of a running instance, as before any move. */
export async function claim(berth: TestService, { uuid, host, resources }: RunningInstance): Promise<void> {
  await change(berth, 'PUT', `/allocations/${uuid}`, {
    allocations: { [host.uuid]: { resources } },
    project_id: 'project',
    user_id: 'user',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
}

export async function release(berth: TestService, uuid: string): Promise<void> {
  const { status, text } = await berth.request({ method: 'DELETE', path: `/allocations/${uuid}` });
  if (status !== 204 && status !== 404) throw new Error(`DELETE /allocations/${uuid}: ${status} ${text}`);
}

async function change(berth: TestService, method: 'PUT' | 'POST', path: string, body?: object): Promise<any> {
  const { status, text, json } = await berth.request({ method, path, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return json;
}
