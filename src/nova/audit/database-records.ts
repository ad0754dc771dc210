// The records of nova for an audit, read from its databases.
import { addTo } from '../../platform/values/lists-by-key';
import { NOVA_LIMITS } from '../cells/limits';
import type { AuditedCell, NovaCells } from '../cells/nova-cells';
import { instancesAfter, instancesByUuid, isOpenMigration } from './instance-rows';
import type { AuditedAggregate, AuditedInstance, AuditedNode, KnownConsumer, UnreadableCell } from './nova-records';
import { NodeIndex } from './nova-records';

const NODES =
  'SELECT n.id, n.uuid, IF(n.deleted = 0, n.host, NULL) AS host, n.hypervisor_hostname AS node, s.disabled ' +
  "FROM compute_nodes n LEFT JOIN services s ON s.host = n.host AND s.`binary` = 'nova-compute' AND s.deleted = 0 " +
  'WHERE n.uuid IS NOT NULL AND n.id > ? ORDER BY n.id LIMIT ?';
const DISABLED = "SELECT disabled FROM services WHERE host = ? AND `binary` = 'nova-compute' AND deleted = 0";
const MIGRATIONS =
  'SELECT m.uuid, m.status, m.deleted, i.vm_state AS vmState, i.task_state AS taskState, i.uuid AS instance ' +
  'FROM migrations m LEFT JOIN instances i ON i.uuid = m.instance_uuid AND i.deleted = 0 WHERE m.uuid IN (?)';
const HOSTS = 'SELECT cell_id AS cell, COUNT(*) AS hosts FROM host_mappings GROUP BY cell_id';
const AGGREGATES =
  'SELECT a.id, a.uuid, a.name, h.host FROM aggregates a LEFT JOIN aggregate_hosts h ON h.aggregate_id = a.id ' +
  'WHERE a.uuid IS NOT NULL ORDER BY a.id, h.host';

interface MigrationRow {
  readonly uuid: string;
  readonly status: string | null;
  readonly deleted: number;
  readonly instance: string | null;
  readonly vmState: string | null;
  readonly taskState: string | null;
}

/** What an audit reads. */
export type NovaRecords = Pick<
  DatabaseRecords,
  'unreadable' | 'nodes' | 'isDisabled' | 'known' | 'placedInstances' | 'aggregates'
>;

/** Reads nova's databases at the time of each call. Throws DatabaseUnreadable for the API database only. */
export class DatabaseRecords {
  private hostCounts: ReadonlyMap<number, number> = new Map();

  constructor(private readonly cells: NovaCells) {}

  get unreadable(): readonly UnreadableCell[] {
    return [...this.cells.failures].map(([id, reason]) => ({
      id,
      name: this.cells.nameOf(id),
      reason,
      hosts: this.hostCounts.get(id) ?? 0,
    }));
  }

  /** All nodes of readable cells, deleted ones included. */
  async nodes(): Promise<NodeIndex> {
    const counts = await this.cells.api.rows<{ readonly cell: number; readonly hosts: number }>(HOSTS);
    this.hostCounts = new Map(counts.map(({ cell, hosts }) => [cell, hosts]));
    const found = new Map<string, AuditedNode>();
    for (const cell of this.cells.readable) {
      for (const node of await this.nodesOf(cell)) {
        // A node that moved to another cell has a deleted row in the first one.
        if (node.host !== null || !found.has(node.uuid)) found.set(node.uuid, node);
      }
    }
    return new NodeIndex(found.values());
  }

  /** Whether the compute service of the node's host is disabled; null if it has none or its cell cannot be read. */
  async isDisabled({ cell, host }: AuditedNode): Promise<boolean | null> {
    const found = this.cells.readable.find(({ id }) => id === cell);
    const rows = found && (await this.cells.rows<{ readonly disabled: number | null }>(found, DISABLED, [host ?? '']));
    const [service] = rows ?? [];
    return service === undefined ? null : service.disabled === 1;
  }

  /** What nova knows of each consumer; every uuid has an entry. */
  async known(uuids: readonly string[]): Promise<ReadonlyMap<string, KnownConsumer>> {
    const cellOf = await this.cells.cellsOf(uuids);
    const instances = new Map<string, AuditedInstance>();
    const migrations = new Map<string, MigrationRow[]>();
    for (const cell of this.cells.readable) {
      for (const instance of (await instancesByUuid(this.cells, cell, uuids)) ?? []) {
        const other = instances.get(instance.uuid);
        instances.set(instance.uuid, other === undefined ? instance : copiesInTwoCells(other, instance));
      }
      for (const row of (await this.cells.rows<MigrationRow>(cell, MIGRATIONS, [uuids])) ?? []) {
        addTo(migrations, row.uuid, row);
      }
    }
    return new Map(
      uuids.map((uuid) => {
        const [instance, rows, cell] = [instances.get(uuid), migrations.get(uuid), cellOf.get(uuid)];
        return [uuid, instance ? { kind: 'instance', instance } : this.withoutInstance(rows, cell)];
      }),
    );
  }

  /** Live instances with a host, in pages, from all readable cells. */
  async *placedInstances(): AsyncIterable<readonly AuditedInstance[]> {
    const limit = NOVA_LIMITS.auditPageRows;
    for (const cell of this.cells.readable) {
      for (let id: number | null = 0; id !== null;) {
        const page: Awaited<ReturnType<typeof instancesAfter>> = await instancesAfter(this.cells, cell, { id, limit });
        if (page === undefined) break;
        yield page.instances;
        id = page.last;
      }
    }
  }

  async aggregates(): Promise<readonly AuditedAggregate[]> {
    interface Row {
      readonly id: number;
      readonly uuid: string;
      readonly name: string | null;
      readonly host: string | null;
    }
    const found = new Map<number, AuditedAggregate & { readonly hosts: string[] }>();
    for (const { id, uuid, name, host } of await this.cells.api.rows<Row>(AGGREGATES)) {
      const aggregate = found.get(id) ?? { uuid, name: name ?? uuid, hosts: [] };
      found.set(id, aggregate);
      if (host !== null) aggregate.hosts.push(host);
    }
    return [...found.values()];
  }

  close(): void {
    this.cells.close();
  }

  private async nodesOf(cell: AuditedCell): Promise<readonly AuditedNode[]> {
    type Row = Omit<AuditedNode, 'cell' | 'isDisabled'> & { readonly id: number; readonly disabled: number | null };
    const found: AuditedNode[] = [];
    for (let last = 0; ;) {
      const rows: readonly Row[] | undefined = await this.cells.rows<Row>(cell, NODES, [
        last,
        NOVA_LIMITS.auditPageRows,
      ]);
      if (rows === undefined) return [];
      for (const { uuid, host, node, disabled } of rows) {
        found.push({ uuid, cell: cell.id, host, node, isDisabled: disabled === 1 });
      }
      last = rows.at(-1)?.id ?? last;
      if (rows.length < NOVA_LIMITS.auditPageRows) return found;
    }
  }

  private withoutInstance(
    migrations: readonly MigrationRow[] | undefined,
    cell: number | null | undefined,
  ): KnownConsumer {
    if (migrations !== undefined) {
      const open = migrations.find(isUnfinished);
      return { kind: 'migration', isOpen: open !== undefined, status: (open ?? migrations[0])?.status ?? null };
    }
    if (cell === null) return { kind: 'building' };
    if (cell === undefined) return { kind: 'unknown', wasDeleted: false };
    if (cell === this.cells.cellZero) return { kind: 'buried' };
    if (this.cells.failures.has(cell)) return { kind: 'unreadable', cell: this.cells.nameOf(cell) };
    return { kind: 'unknown', wasDeleted: true };
  }
}

/** An instance with a task can be about to finish or to undo the move. */
const isUnfinished = ({ status, deleted, instance, vmState, taskState }: MigrationRow): boolean =>
  instance !== null && (taskState !== null || (deleted === 0 && isOpenMigration(status, vmState)));

/** During a move between cells both have a row, so the instance counts on the hosts of both. */
function copiesInTwoCells(one: AuditedInstance, other: AuditedInstance): AuditedInstance {
  const [shown, hidden] = one.isHidden ? [other, one] : [one, other];
  const hosts = [...shown.moveHosts, ...hidden.moveHosts, ...(hidden.host === null ? [] : [hidden.host])];
  return { ...shown, isMoving: true, moveHosts: new Set(hosts) };
}
