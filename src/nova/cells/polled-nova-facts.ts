// Facts from polls of nova's API database and of the databases of all cells. A host counts only in the cell that
// `host_mappings` names for it.
import { inParts } from '../../platform/database/row-parts';
import type { Logger } from '../../platform/logging/logger';
import { addTo } from '../../platform/values/lists-by-key';
import type { ServiceNow } from '../../scheduler/ports';
import { cellDatabaseOf } from '../conf/cell-url';
import { ApiDatabase } from './api-database';
import type { CellMapping } from './api-tables';
import { Cell } from './cell';
import { ChangedIds } from './changed-ids';
import { HostComposer } from './host-composer';
import type { PollSettings } from './limits';
import { NOVA_LIMITS } from './limits';
import type { DefaultRatios } from './node-rows';
import type { NovaDatabases } from './nova-cells';
import type { CellStatus, NovaChanges, NovaStatus } from './nova-facts';
import { hostServiceOf } from './service-table';

interface NovaFactsInput extends NovaDatabases {
  readonly ratios: DefaultRatios;
  /** Whether ImagePropertiesWeigher runs: it needs `instance_system_metadata`, 10 rows for each instance. */
  readonly readsImageProperties?: boolean;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly times?: Partial<PollSettings>;
}

/** The first read found nothing that can be scheduled. */
export class NovaFactsUnavailable extends Error {
  override readonly name = 'NovaFactsUnavailable';
}

/** Facts of nova's databases as of the last poll. */
export class PolledNovaFacts {
  private readonly times: PollSettings;
  private readonly api: ApiDatabase;
  private readonly cells = new Map<number, Cell>();
  private readonly composer: HostComposer;
  private readonly aggregateIds = new ChangedIds();
  private version = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly loggedStates = new Map<string, string>();
  private readonly readiness = new Map<number, boolean>();

  constructor(private readonly input: NovaFactsInput) {
    this.times = { ...NOVA_LIMITS, ...input.times };
    this.api = new ApiDatabase(input.apiDatabase, this.times, (fault) => this.afterApiPoll(fault));
    this.composer = new HostComposer(
      this.cells,
      (host) => this.api.tables.cellOfHost.get(host),
      () => (this.version += 1),
    );
  }

  /** Reads everything once. Throws with a message that names the database and the problem, without secrets. */
  async start(): Promise<void> {
    await this.api.poll();
    const { state, reason } = this.api.statusAt(Date.now());
    if (state !== 'ready') throw new NovaFactsUnavailable(`The API database of nova cannot be read: ${reason}`);
    const waiting = [...this.cells.values()];
    if (waiting.length === 0)
      throw new NovaFactsUnavailable(
        'Table cell_mappings has no enabled cell other than cell0. Run nova-manage cell_v2.',
      );
    const load = async (): Promise<void> => {
      for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
        await cell.poll();
        // A first read can take longer than its data counts.
        await cell.upTo(this.times.cellStaleMs / 3);
      }
    };
    await Promise.all(Array.from({ length: NOVA_LIMITS.cellsLoading }, load));
    const cells = this.cellStatuses();
    if (!cells.some((cell) => cell.state === 'ready')) {
      const reasons = cells.map(({ name, uuid, reason: why }) => `Cell ${name || uuid}: ${why}`);
      throw new NovaFactsUnavailable(`No cell of nova can be read. ${reasons.join(' ')}`);
    }
    this.timer = setInterval(() => void this.refresh(this.times.pollEveryMs / 2), this.times.pollEveryMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([this.api, ...this.cells.values()].map((database) => database.stop()));
  }

  /**
   * Resolves when the data of every reachable cell is at most `maxAgeMs` old at the time of the call. A slow cell is not
   * waited for: its last data counts until it is too old, then its hosts are left out. Never throws.
   */
  async refresh(maxAgeMs: number = this.times.maxAgeMs): Promise<void> {
    const polls = [this.api, ...this.cells.values()].map((database) => database.upTo(maxAgeMs));
    await within(this.times.waitMs, Promise.all(polls));
    // A cell can become too old without a poll.
    await this.compose(this.hostsOfChangedCells());
  }

  /** Changes since the given version, 0 for everything. */
  changesSince(version: number): NovaChanges {
    const { aggregates } = this.api.tables;
    const serviceIds = this.composer.idsSince(version);
    const aggregateIds = this.aggregateIds.since(version);
    return {
      version: this.version,
      serviceIds,
      services: serviceIds.flatMap((id) => this.composer.factsOf(id) ?? []),
      heartbeats: this.composer.heartbeatsSince(version),
      aggregateIds,
      aggregates: aggregateIds.flatMap((id) => aggregates.get(id) ?? []),
    };
  }

  status(): NovaStatus {
    const { leftOut, leftOutCount } = this.composer.leftOut(NOVA_LIMITS.leftOutShown);
    return {
      api: this.api.statusAt(Date.now()),
      cells: this.cellStatuses(),
      leftOut,
      leftOutCount,
      services: this.composer.size,
      version: this.version,
    };
  }

  /**
   * The compute services of these hosts as stored now: one statement for each cell. A cell that does not answer within
   * `waitMs` is left out until it does.
   */
  async servicesNow(hosts: readonly string[]): Promise<ReadonlyMap<string, ServiceNow>> {
    const byCell = new Map<Cell | undefined, string[]>();
    for (const host of hosts) addTo(byCell, this.cellOf(host), host);
    const services = new Map<string, ServiceNow>();
    const add = async ([cell, names]: readonly [Cell | undefined, readonly string[]]): Promise<void> => {
      const rows = await cell?.servicesNow(names);
      const problem = rows ? 'the compute service no longer exists' : 'the cell of the host cannot be read';
      for (const name of names) services.set(name, { problem });
      // SQL compares names without case and trailing blanks, nova exactly.
      for (const row of rows ?? []) if (services.has(row.host)) services.set(row.host, hostServiceOf(row));
    };
    await Promise.all([...byCell].map(add));
    return services;
  }

  /**
   * True if the figures of the instance's node were saved after the instance was first listed there. Until then the
   * host's free amounts can lack the instance. A compute commits `instances.host` before its `compute_nodes` row.
   */
  isCounted(host: string, instanceUuid: string): boolean {
    const cell = this.cellOf(host);
    const listing = cell?.instances.listing(host, instanceUuid);
    if (cell === undefined || listing === undefined) return false;
    const nodes = [...cell.nodes.ofHost(host).values()];
    const own = nodes.filter(({ row }) => listing.node === null || row.hypervisor_hostname === listing.node);
    return own.length > 0 && own.every(({ savedAtMs }) => savedAtMs > listing.listedAtMs);
  }

  /** Cast `update_aggregates` or `delete_aggregate`: the tables of aggregates are read again at once. */
  readAggregatesAgain(): void {
    this.api.readAllNext();
    void this.api.upTo(0);
  }

  /** Cast `update_instance_info`: these instances are on the host. */
  updateInstances(host: string, uuids: readonly string[]): void {
    this.cast(host, (cell) => cell.addInstances(host, uuids.slice(0, NOVA_LIMITS.instancesPerCast)));
  }

  /** Cast `delete_instance_info`. */
  deleteInstance(host: string, uuid: string): void {
    this.cast(host, (cell) => cell.removeInstance(host, uuid));
  }

  /** Cast `sync_instance_info`: a list that differs from the known one is read from the cell by the next poll. */
  syncInstances(host: string, uuids: readonly string[]): void {
    this.cast(host, (cell) => cell.compareInstances(host, uuids));
  }

  /** A cast about a host that no cell has is without effect: the next poll reads the host. */
  private cast(host: string, change: (cell: Cell) => void): void {
    const cell = this.cellOf(host);
    if (cell === undefined) return;
    change(cell);
    for (const changed of cell.takeChanged()) this.composer.compose(changed, Date.now());
  }

  private cellOf(host: string): Cell | undefined {
    const id = this.api.tables.cellOfHost.get(host);
    return id === undefined ? undefined : this.cells.get(id);
  }

  private async afterApiPoll(fault: unknown): Promise<void> {
    this.logState('The API database of nova', this.api.statusAt(Date.now()), fault);
    const { hosts, aggregateIds, areCellsChanged } = this.api.takeChanges();
    for (const id of aggregateIds) this.aggregateIds.add((this.version += 1), id);
    const changed = new Set(hosts);
    if (areCellsChanged) for (const host of this.replaceCells(this.api.tables.cells)) changed.add(host);
    await this.compose(changed);
  }

  /** Opens new cells and closes removed ones. A changed address is another cell. Returns the hosts concerned. */
  private replaceCells(mappings: readonly CellMapping[]): ReadonlySet<string> {
    const changed = new Set<string>();
    const current = new Map(mappings.slice(0, NOVA_LIMITS.cells).map((mapping) => [mapping.id, mapping]));
    for (const [id, cell] of this.cells) {
      const mapping = current.get(id);
      const isSame =
        mapping?.uuid === cell.mapping.uuid && mapping.databaseConnection === cell.mapping.databaseConnection;
      if (isSame) continue;
      this.cells.delete(id);
      this.readiness.delete(id);
      for (const host of cell.hosts()) changed.add(host);
      void cell.stop();
    }
    for (const [id, mapping] of current) if (!this.cells.has(id)) this.cells.set(id, this.openCell(mapping));
    return changed;
  }

  private openCell(mapping: CellMapping): Cell {
    const { ratios, readsImageProperties = false } = this.input;
    const cell: Cell = new Cell({
      mapping,
      database: cellDatabaseOf(mapping.databaseConnection, this.input.templateBase),
      ratios,
      readsImageProperties,
      times: this.times,
      onPolled: (fault) => this.afterCellPoll(cell, fault),
    });
    return cell;
  }

  private async afterCellPoll(cell: Cell, fault: unknown): Promise<void> {
    const { name, uuid } = cell.mapping;
    this.logState(`Cell ${name || uuid}`, cell.statusAt(Date.now()), fault);
    if (this.cells.get(cell.mapping.id) !== cell) return;
    const heartbeats = cell.takeHeartbeats();
    await this.compose(new Set([...cell.takeChanged(), ...this.hostsOfChangedCells()]));
    await inParts([...heartbeats], (host) => this.composer.touch(host));
  }

  /** Hosts of cells that became ready or unreachable since the last call. */
  private hostsOfChangedCells(): ReadonlySet<string> {
    const now = Date.now();
    const changed = new Set<number>();
    for (const [id, cell] of this.cells) {
      const isReady = cell.stateAt(now) === 'ready';
      if ((this.readiness.get(id) ?? false) === isReady) continue;
      this.readiness.set(id, isReady);
      changed.add(id);
    }
    if (changed.size === 0) return new Set();
    return new Set([...this.api.tables.cellOfHost].filter(([, id]) => changed.has(id)).map(([host]) => host));
  }

  /** A host that cannot be joined keeps its former facts. */
  private async compose(hosts: ReadonlySet<string>): Promise<void> {
    const now = Date.now();
    await inParts([...hosts], (host) => {
      try {
        this.composer.compose(host, now);
      } catch (err) {
        this.input.log.error({ err }, `Host ${host}: its rows cannot be joined`);
      }
    });
  }

  private cellStatuses(): readonly CellStatus[] {
    const mapped = new Map<number, number>();
    for (const id of this.api.tables.cellOfHost.values()) mapped.set(id, (mapped.get(id) ?? 0) + 1);
    const now = Date.now();
    return [...this.cells].map(([id, cell]) => ({
      ...cell.statusAt(now),
      uuid: cell.mapping.uuid,
      name: cell.mapping.name,
      mappedHosts: mapped.get(id) ?? 0,
      nodes: cell.nodes.size,
      instances: cell.instances.size,
    }));
  }

  /** One line for each change of state. */
  private logState(what: string, { state, reason }: { state: string; reason: string | null }, fault: unknown): void {
    if (fault !== undefined) this.input.log.error({ err: fault }, `${what}: the poll failed`);
    const now = `${state}: ${reason ?? ''}`;
    const before = this.loggedStates.get(what);
    if (before === now) return;
    this.loggedStates.set(what, now);
    if (state === 'ready') this.input.log.info(`${what} can be read.`);
    else if (state === 'unreachable') this.input.log.warn(`${what} cannot be read: ${reason}`);
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
