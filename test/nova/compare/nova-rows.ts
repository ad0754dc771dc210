// Writes a generated cloud into nova's databases.
import type { NovaDatabases } from '../nova-databases';
import type { Host } from './hosts';
import type { Reference } from './reference';
import type { World } from './world';

export class NovaRows {
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
