// One cell: its nova-compute services, compute nodes and instances in memory, kept current by polls.
//
// A poll reads, in one transaction: the rows whose stamp is newer than the newest one minus the overlap, and new rows,
// which have no stamp. What moves no stamp is found by comparison: instances by counts and sums of ids by host, and all
// rows by a sweep, which reads a part of the tables with each poll.
import type { ForeignMysql, Snapshot } from '../../platform/database/foreign-mysql';
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import { inParts } from '../../platform/database/row-parts';
import { chunks } from '../../platform/database/sql';
import type { NovaDatabase } from '../conf/database-url';
import type { CellMapping } from './api-tables';
import type { ImageProperties } from './image-properties';
import { readImageProperties } from './image-properties';
import type { HostSum, InstanceRow } from './instance-table';
import { INSTANCE_COLUMNS, InstanceTable } from './instance-table';
import type { PollSettings } from './limits';
import { NOVA_LIMITS } from './limits';
import type { DefaultRatios, NodeMark, NodeRow, TextColumn, TextRow } from './node-rows';
import { MARK_COLUMNS, NARROW_COLUMNS, textQuery } from './node-rows';
import { NodeTable } from './node-table';
import { PolledDatabase } from './polled-database';
import { ServiceLookup } from './service-lookup';
import type { ServiceRow } from './service-table';
import { SERVICES_QUERY, ServiceTable } from './service-table';
import { readFrom } from './stamps';

interface CellInput {
  readonly mapping: CellMapping;
  /** The address, or why there is none. */
  readonly database: NovaDatabase | { readonly problem: string };
  readonly ratios: DefaultRatios;
  /** Whether a weigher uses the image properties of instances. */
  readonly readsImageProperties: boolean;
  readonly times: PollSettings;
  readonly onPolled: (fault: unknown) => Promise<void>;
}

const LIVE_NODES = `SELECT ${NARROW_COLUMNS} FROM compute_nodes WHERE deleted = 0 AND host IS NOT NULL`;
const NODES_OF_IDS = `SELECT ${NARROW_COLUMNS} FROM compute_nodes WHERE id IN (?)`;
const MARKS_OF_NODES =
  `SELECT ${MARK_COLUMNS} FROM compute_nodes ` +
  'WHERE updated_at >= ? OR deleted_at >= ? OR (updated_at IS NULL AND deleted = 0)';
const SWEPT_NODES = `${LIVE_NODES} AND id > ? ORDER BY id LIMIT ?`;
const INSTANCES = `SELECT ${INSTANCE_COLUMNS} FROM instances`;
const LIVE_INSTANCES = `${INSTANCES} WHERE deleted = 0 AND host IS NOT NULL AND id > ? ORDER BY id LIMIT ?`;
const CHANGED_INSTANCES = `${INSTANCES} WHERE updated_at >= ?`;
const NEW_INSTANCES = `${INSTANCES} WHERE id > ?`;
const LEAVING_INSTANCES = `${INSTANCES} WHERE id IN (?)`;
const INSTANCES_OF_HOSTS = `${INSTANCES} WHERE deleted = 0 AND host IN (?)`;
/** Without the hint the optimiser can choose an index that takes 30 times as long. */
const SUMS =
  'SELECT host, COUNT(*) AS instances, SUM(id) AS ids FROM instances ' +
  'FORCE INDEX (instances_host_deleted_cleaned_idx) WHERE deleted = 0 AND host IS NOT NULL GROUP BY host';

export class Cell extends PolledDatabase {
  readonly mapping: CellMapping;
  nodes: NodeTable;
  services = new ServiceTable();
  instances = new InstanceTable();
  private changed = new Set<string>();
  private heartbeats = new Set<string>();
  private readonly ratios: DefaultRatios;
  private readonly readsImageProperties: boolean;
  private readonly lookup: ServiceLookup | null;
  /** Hosts whose list of instances is read again by the next poll. */
  private readonly toRead = new Set<string>();
  private sumsReadAtMs = 0;
  private sweptAtMs = 0;
  private sweptNode = 0;
  private hostsToSweep: string[] = [];

  constructor({ mapping, database, ratios, readsImageProperties, times, onPolled }: CellInput) {
    super(database, times, onPolled);
    this.mapping = mapping;
    this.ratios = ratios;
    this.readsImageProperties = readsImageProperties;
    this.nodes = new NodeTable(ratios);
    this.lookup = 'problem' in database ? null : new ServiceLookup(database, times.waitMs);
  }

  /** The rows of these hosts as stored now; null: the cell cannot be read. */
  async servicesNow(hosts: readonly string[]): Promise<readonly ServiceRow[] | null> {
    if (this.lookup === null || this.stateAt(Date.now()) !== 'ready') return null;
    try {
      return await this.lookup.read(hosts);
    } catch (error) {
      if (!(error instanceof DatabaseUnreadable)) throw error;
      await this.failed(error.message);
      return null;
    }
  }

  override async stop(): Promise<void> {
    this.lookup?.close();
    await super.stop();
  }

  /** The hosts whose facts changed since the last call. */
  takeChanged(): ReadonlySet<string> {
    const { changed } = this;
    this.changed = new Set();
    return changed;
  }

  /** The hosts whose services had a heartbeat since the last call. */
  takeHeartbeats(): ReadonlySet<string> {
    const { heartbeats } = this;
    this.heartbeats = new Set();
    return heartbeats;
  }

  /** Every host of a node or a service. */
  *hosts(): Iterable<string> {
    yield* this.nodes.hosts;
    yield* this.services.hosts;
  }

  hasHost(host: string): boolean {
    return this.nodes.ofHost(host).size > 0 || this.services.ofHost(host) !== undefined;
  }

  addInstances(host: string, uuids: readonly string[]): void {
    const now = Date.now();
    for (const uuid of uuids) this.instances.add(host, uuid, now, this.changed);
  }

  removeInstance(host: string, uuid: string): void {
    this.instances.leave(host, uuid, this.changed);
  }

  /** The next poll reads the list if it differs from this one. */
  compareInstances(host: string, uuids: readonly string[]): void {
    if (!this.instances.isListedExactly(host, uuids)) this.toRead.add(host);
  }

  protected override reset(): void {
    for (const host of this.hosts()) this.changed.add(host);
    this.nodes = new NodeTable(this.ratios);
    this.services = new ServiceTable();
    this.instances = new InstanceTable();
    this.toRead.clear();
    [this.sweptNode, this.hostsToSweep] = [0, []];
    [this.sumsReadAtMs, this.sweptAtMs] = [Date.now(), Date.now()];
  }

  protected override async read(connection: ForeignMysql): Promise<void> {
    const now = Date.now();
    await connection.snapshot(async (snapshot) => {
      if (this.isLoaded) await this.readChanges(snapshot);
      else await this.load(snapshot);
      const services = await snapshot.rows<ServiceRow>(SERVICES_QUERY);
      await inParts(services, (row) => this.services.apply(row, this.changed, this.heartbeats));
      this.services.retain(services, this.changed);
      if (now - this.sumsReadAtMs >= this.times.sumsEveryMs) {
        const sums = await snapshot.rows<HostSum>(SUMS);
        for (const host of this.instances.differing(sums)) this.toRead.add(host);
        this.sumsReadAtMs = now;
      }
      if (now - this.sweptAtMs >= this.times.sweepEveryMs) await this.sweep(snapshot, now);
      await this.readLists(snapshot);
    });
  }

  private async load(snapshot: Snapshot): Promise<void> {
    const nodes = await snapshot.rows<NodeRow>(LIVE_NODES, [], NOVA_LIMITS.loadTimeoutMs);
    await this.applyNodes(snapshot, nodes);
    for (let id = 0; ;) {
      const size = NOVA_LIMITS.instancesPerStatement;
      const rows = await snapshot.rows<InstanceRow>(LIVE_INSTANCES, [id, size], NOVA_LIMITS.loadTimeoutMs);
      const reading = { isFirstRead: true, properties: await this.propertiesOf(snapshot, rows) };
      await inParts(rows, (row) => this.instances.apply(row, this.changed, reading));
      id = rows.at(-1)?.id ?? id;
      if (rows.length < size) break;
    }
  }

  private async readChanges(snapshot: Snapshot): Promise<void> {
    const [clock] = await snapshot.rows<{ readonly now: string }>('SELECT UTC_TIMESTAMP() AS now');
    const now = clock?.now ?? '';
    const { overlapMs } = this.times;
    const fromNode = readFrom(this.nodes.newest, now, overlapMs);
    await this.applyMarks(snapshot, await snapshot.rows<NodeMark>(MARKS_OF_NODES, [fromNode, fromNode]));
    const fromInstance = readFrom(this.instances.newest, now, overlapMs);
    const rows = [
      ...(await snapshot.rows<InstanceRow>(CHANGED_INSTANCES, [fromInstance])),
      ...(await snapshot.rows<InstanceRow>(NEW_INSTANCES, [
        Math.max(0, this.instances.greatestId - this.times.instanceIdOverlap),
      ])),
    ];
    const leaving = this.instances.leavingIds;
    for (const ids of chunks(leaving, NOVA_LIMITS.idsPerStatement)) {
      const found = await snapshot.rows<InstanceRow>(LEAVING_INSTANCES, [ids]);
      this.instances.removeArchived(ids, found, this.changed);
      rows.push(...found);
    }
    const reading = { properties: await this.propertiesOf(snapshot, rows) };
    await inParts(rows, (row) => this.instances.apply(row, this.changed, reading));
  }

  private async propertiesOf(
    snapshot: Snapshot,
    rows: readonly InstanceRow[],
  ): Promise<ReadonlyMap<string, ImageProperties> | undefined> {
    return this.readsImageProperties ? readImageProperties(snapshot, rows) : undefined;
  }

  /** Most rows of the overlap are known. */
  private async applyMarks(snapshot: Snapshot, marks: readonly NodeMark[]): Promise<void> {
    const unknown: number[] = [];
    await inParts(marks, (mark) => {
      if (!this.nodes.applyMark(mark, this.changed)) unknown.push(mark.id);
    });
    for (const ids of chunks(unknown, NOVA_LIMITS.idsPerStatement)) {
      await this.applyNodes(snapshot, await snapshot.rows<NodeRow>(NODES_OF_IDS, [ids]));
    }
  }

  /** Reads the texts that changed, then takes the rows over. */
  private async applyNodes(snapshot: Snapshot, rows: readonly NodeRow[]): Promise<void> {
    for (const part of chunks(rows, NOVA_LIMITS.idsPerStatement)) {
      const texts = new Map<TextColumn, ReadonlyMap<number, string | null>>();
      for (const [column, ids] of this.nodes.missingTexts(part)) {
        const found = await snapshot.rows<TextRow>(textQuery(column), [ids], NOVA_LIMITS.loadTimeoutMs);
        texts.set(column, new Map(found.map(({ id, text }) => [id, text])));
      }
      await inParts(part, (row) => this.nodes.apply(row, texts, this.changed));
    }
  }

  /** Reads the part of all nodes and lists that is due, in the order of ids and hosts. */
  private async sweep(snapshot: Snapshot, now: number): Promise<void> {
    const share = Math.min(1, (now - this.sweptAtMs) / this.times.sweepMs);
    this.sweptAtMs = now;
    await this.sweepNodes(snapshot, Math.max(NOVA_LIMITS.sweptAtLeast, Math.ceil(this.nodes.size * share)));
    if (this.hostsToSweep.length === 0) this.hostsToSweep = [...this.instances.hosts];
    const count = Math.max(NOVA_LIMITS.sweptAtLeast, Math.ceil(this.nodes.size * share));
    for (const host of this.hostsToSweep.splice(0, count)) this.toRead.add(host);
  }

  private async sweepNodes(snapshot: Snapshot, size: number): Promise<void> {
    const rows = await snapshot.rows<NodeRow>(SWEPT_NODES, [this.sweptNode, size]);
    const isLast = rows.length < size;
    const end = isLast ? Infinity : (rows.at(-1)?.id ?? Infinity);
    const present = new Set(rows.map(({ id }) => id));
    for (const id of [...this.nodes.ids]) {
      if (id > this.sweptNode && id <= end && !present.has(id)) this.nodes.remove(id, this.changed);
    }
    await this.applyNodes(snapshot, rows);
    this.sweptNode = isLast ? 0 : end;
  }

  private async readLists(snapshot: Snapshot): Promise<void> {
    const hosts = [...this.toRead];
    for (const names of chunks(hosts, NOVA_LIMITS.hostsPerStatement)) {
      const rows = await snapshot.rows<InstanceRow>(INSTANCES_OF_HOSTS, [names]);
      // SQL compares names without case and trailing blanks, nova exactly.
      const byHost = new Map(names.map((name): [string, InstanceRow[]] => [name, []]));
      for (const row of rows) byHost.get(row.host ?? '')?.push(row);
      const reading = { properties: await this.propertiesOf(snapshot, rows) };
      await inParts([...byHost], ([host, list]) => this.instances.replace(host, list, this.changed, reading));
      for (const name of names) this.toRead.delete(name);
    }
  }
}
