// nova's databases, a RabbitMQ node and Berth in the place of nova-scheduler.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabaseKind } from '../support/databases';
import { Rabbit } from '../support/rabbit';
import type { TestService, TestServiceOptions } from '../support/service';
import { startTestService } from '../support/service';
import { Conductor } from './conductor';
import { NovaDatabases } from './nova-databases';

/** Hosts of the fixture, with the uuids of their nodes. */
export type Nodes = Readonly<Record<'cmp1' | 'cmp2' | 'cmp3', string>>;

export class NovaCloud {
  private readonly services: TestService[] = [];

  private constructor(
    /** Has nova.conf. */
    readonly folder: string,
    readonly databases: NovaDatabases,
    readonly rabbit: Rabbit,
    readonly nodes: Nodes,
  ) {}

  /** `further`: lines of nova.conf. */
  static async prepare(further: readonly string[] = []): Promise<NovaCloud> {
    const [databases, rabbit] = await Promise.all([NovaDatabases.load(), Rabbit.start()]);
    // All three hosts are up. The suites run later than the fixture's heartbeats.
    await databases.run('UPDATE cell1.services SET last_seen_up = UTC_TIMESTAMP() + INTERVAL 10 MINUTE, disabled = 0');
    await databases.run(`GRANT SELECT ON cell1.migrations TO '${databases.user}'@'%'`);
    const rows = await databases.run('SELECT host, uuid FROM cell1.compute_nodes WHERE deleted = 0');
    const nodes = Object.fromEntries((rows as { host: string; uuid: string }[]).map(({ host, uuid }) => [host, uuid]));
    const folder = mkdtempSync(join(tmpdir(), 'berth-nova-'));
    const conf = [
      '[DEFAULT]',
      `transport_url = ${rabbit.transportUrl}`,
      'host = control',
      '[oslo_messaging_rabbit]',
      'kombu_missing_consumer_retry_timeout = 1',
      '[api_database]',
      `connection = ${databases.url(databases.api)}`,
      '[database]',
      `connection = ${databases.templateBase}`,
      ...further,
      '',
    ];
    writeFileSync(join(folder, 'nova.conf'), conf.join('\n'));
    return new NovaCloud(folder, databases, rabbit, nodes as Nodes);
  }

  /** A process of Berth; several share the database of the first. */
  async start(kind: TestDatabaseKind, options: TestServiceOptions = {}): Promise<TestService> {
    const service = await startTestService(kind, {
      ...options,
      cwd: this.folder,
      overrides: {
        ...options.overrides,
        nova: { enabled: true, config_file: ['nova.conf'], release: 26, ...options.overrides?.nova },
      },
    });
    this.services.push(service);
    return service;
  }

  /** The nodes as a compute reports them to Placement. */
  async report(service: TestService, hosts: readonly (keyof Nodes)[] = ['cmp1', 'cmp2', 'cmp3']): Promise<void> {
    for (const name of hosts) {
      const uuid = this.nodes[name];
      await service.request({ method: 'POST', path: '/resource_providers', body: { uuid, name } });
      const inventories = {
        VCPU: { total: 8, allocation_ratio: 4 },
        MEMORY_MB: { total: 16_384 },
        DISK_GB: { total: 500 },
      };
      await service.request({
        method: 'PUT',
        path: `/resource_providers/${uuid}/inventories`,
        body: { resource_provider_generation: 0, inventories },
      });
    }
  }

  async conductor(): Promise<Conductor> {
    const conductor = await Conductor.connect(this.rabbit.transportUrl);
    await conductor.awaitScheduler();
    return conductor;
  }

  async stopServices(): Promise<void> {
    for (const service of this.services.splice(0).reverse()) await service.stop();
  }

  async remove(): Promise<void> {
    await this.stopServices();
    await this.databases.drop();
    await this.rabbit.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
