// Placed instances. The transaction that claims or releases resources also writes these records. A release locks the
// server groups first, then the consumer with its allocations, then the record.
import { Injectable } from '@nestjs/common';
import type { ConsumerAllocations } from '../../placement/allocations/allocations.commands';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { DomainError } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { RegisteredImage } from '../images/image.entity';
import type { Page, PageQuery } from '../registry-page';
import { inUse, notFound } from '../registry-refusals';
import { leaveAllGroups, lockGroupsOf } from '../server-groups/server-groups.writes';
import type { FoundPage, InstanceSearch } from './instance-search';
import { countInstances, searchInstances } from './instance-search';
import type { RecordTexts } from './instance-texts';
import { eachRecord, movedInstances } from './instance-texts';
import type { Move } from './instance.entity';
import type { InstanceRecord, PlacedInstance } from './instance.entity';
import type { InstanceFilter } from './instances.repository';
import * as repository from './instances.repository';
import type { ZonedInstance } from './instances.writes';
import { hostsOf, namesOf, zonedInstances } from './instances.writes';
import { findMoves, insertMove, rememberSourceRelease, removeMove, restoreSource, setState } from './moves.repository';

const called = (uuid: Uuid): string => `instance ${uuid} that Berth placed`;

/** An instance with its allocations, and with its source host while it is being moved. */
export interface InstanceView {
  readonly instance: InstanceRecord;
  readonly allocations: ConsumerAllocations | undefined;
  readonly move: Move | undefined;
}

const overtaken = (uuid: Uuid): DomainError =>
  new DomainError('scheduler.generation_conflict', `Instance ${uuid} is not being moved any more.`);

/** The caller can know an instance as released while its record still says placed. */
const isAsKnown = (recorded: string, known: string | undefined): boolean =>
  known === undefined || known === recorded || (known === 'released' && recorded === 'placed');

@Injectable()
export class InstancesService {
  constructor(
    private readonly db: Database,
    private readonly allocations: AllocationsService,
  ) {}

  /** Throws not_found. */
  async get(uuid: Uuid): Promise<InstanceView> {
    // Must be read first: its consumer generation guards the rows read after it.
    const allocations = await this.allocations.ofConsumer(uuid);
    const [instance, move] = await this.db.read(async (sql) => [
      await repository.findInstance(sql, uuid),
      (await findMoves(sql, [uuid])).get(uuid),
    ]);
    if (instance === undefined) throw notFound(called(uuid));
    return { instance, allocations, move };
  }

  list(filter: InstanceFilter, page: PageQuery): Promise<Page<InstanceRecord>> {
    return this.db.readMuch((sql) => repository.listInstances(sql, filter, page));
  }

  /** A page of placed instances. Throws InvalidInput for an unknown marker. */
  search(search: InstanceSearch, page: Parameters<typeof searchInstances>[2]): Promise<FoundPage> {
    return this.db.readMuch((sql) => searchInstances(sql, search, page));
  }

  /** The number of placed instances that a search finds; null if it is for a name or uuid. */
  count(search: InstanceSearch): Promise<number | null> {
    return this.db.readMuch((sql) => countInstances(sql, search));
  }

  /** All records, with their documents as texts; whether or not the instance still has allocations. */
  eachRecord(take: (record: RecordTexts) => void): Promise<void> {
    return this.db.readMuch((sql) => eachRecord(sql, take));
  }

  /** The consumers that hold the old allocations of moved instances, with these instances. */
  movedInstances(): Promise<ReadonlyMap<Uuid, Uuid>> {
    return this.db.read(movedInstances);
  }

  renameIn(tx: WriteTx, uuid: Uuid, name: string): Promise<void> {
    return repository.rename(tx, uuid, name);
  }

  /** Drops the references to an image before its deletion. */
  forgetImageIn(tx: WriteTx, imageUuid: Uuid): Promise<void> {
    return repository.forgetImage(tx, imageUuid);
  }

  find(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    return repository.findInstances(sql, uuids);
  }

  /** The instances that were placed as members of this server group. */
  uuidsOfGroup(sql: SqlReader, groupUuid: Uuid): Promise<readonly Uuid[]> {
    return repository.findOfGroup(sql, groupUuid);
  }

  /** Placements for this server group since a time, also without allocations in this database. */
  recentOfGroup(sql: SqlReader, groupUuid: Uuid, sinceMs: number): Promise<readonly repository.GroupPlacement[]> {
    return repository.findRecentOfGroup(sql, groupUuid, sinceMs);
  }

  /** The hosts of those instances that Berth placed and that are not released. */
  hostsOf(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    return this.db.read((sql) => hostsOf(sql, uuids));
  }

  /** Placed instances whose host is not in the zone that they asked for. Hosts without a zone in the map do not count. */
  outsideZone(zoneOfHost: ReadonlyMap<string, string>): Promise<readonly ZonedInstance[]> {
    return this.db.readMuch((sql) => zonedInstances(sql, ({ host, zone }) => (zoneOfHost.get(host) ?? zone) !== zone));
  }

  /** The names of those instances that Berth placed and that have one. */
  namesOf(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    return this.db.read((sql) => namesOf(sql, uuids));
  }

  /**
   * Records placements in the transaction of the claim. `serviceIds` are the services of the hosts; without it they are
   * looked up. A reference to a deleted flavor or image is dropped; the record keeps copies of both documents.
   */
  async insertPlacedIn(
    tx: WriteTx,
    rows: readonly PlacedInstance[],
    nowMs: number,
    serviceIds?: Iterable<number>,
  ): Promise<void> {
    await repository.insertPlaced(tx, rows, nowMs);
    const hosts = rows.map(({ host }) => host);
    await this.reportServices(tx, hosts, serviceIds);
  }

  /** Stores the alternate hosts of these instances. Instances that no longer exist are skipped. */
  rememberAlternatesIn(tx: WriteTx, offers: Parameters<typeof repository.updateAlternates>[1]): Promise<void> {
    return repository.updateAlternates(tx, offers);
  }

  /** Releases at most `limit` instances with the mark of this batch. Returns true if there can be more. */
  async releaseOfBatchIn(tx: WriteTx, batchUuid: Uuid, limit: number): Promise<boolean> {
    const uuids = await repository.findOfBatch(tx, batchUuid, limit);
    if (uuids.length > 0) await this.releaseIn(tx, uuids, Date.now());
    return uuids.length === limit;
  }

  /**
   * Records a new placement of the instance. Returns false if the instance does not exist or is not in the state
   * `from`. Records a release on the old host, unless `leaves` is false.
   */
  async replacePlacedIn(
    tx: WriteTx,
    row: PlacedInstance,
    nowMs: number,
    { leaves = true, from }: { readonly leaves?: boolean; readonly from?: string } = {},
  ): Promise<boolean> {
    const before = (await repository.holdInstances(tx, [row.uuid])).get(row.uuid);
    if (before === undefined || !isAsKnown(before.state, from)) return false;
    const isElsewhere = before.host !== row.host || before.node !== row.node;
    if (leaves && isElsewhere) await repository.rememberReleases(tx, [row.uuid], nowMs);
    await repository.updatePlaced(tx, row, nowMs);
    await this.reportServices(tx, [before.host, row.host]);
    return true;
  }

  /**
   * Records the placement of an instance that keeps its existing allocations and its old host. Returns false, without
   * any change, if the instance is being moved.
   */
  async placeAgainIn(tx: WriteTx, row: PlacedInstance, nowMs: number): Promise<boolean> {
    const before = (await repository.holdInstances(tx, [row.uuid])).get(row.uuid);
    if (before?.state === 'moving') return false;
    if (before === undefined) await repository.insertPlaced(tx, [row], nowMs);
    else await repository.updatePlaced(tx, row, nowMs);
    await this.reportServices(tx, before === undefined ? [row.host] : [before.host, row.host]);
    return true;
  }

  /** Gives the instance another registered image on the same host. An instance that no longer exists is skipped. */
  changeImage(uuid: Uuid, { uuid: imageUuid, name, diskFormat, properties }: RegisteredImage): Promise<void> {
    return this.db.write(async (tx) => {
      const before = (await repository.holdInstances(tx, [uuid])).get(uuid);
      if (before === undefined) return;
      const image = { id: imageUuid, name, disk_format: diskFormat, properties };
      const request = { ...(before.request as object), image };
      await repository.updateImage(tx, uuid, { image, imageUuid, request });
      await this.reportServices(tx, [before.host]);
    });
  }

  /** The instance can move to any zone. Throws not_found; in_use during a move, whose end can restore the old request. */
  unpinZone(uuid: Uuid): Promise<void> {
    return this.db.write(async (tx) => {
      const before = (await repository.holdInstances(tx, [uuid])).get(uuid);
      if (before === undefined) throw notFound(called(uuid));
      if (before.state === 'moving') throw inUse(`Instance ${uuid} is being moved: confirm or revert that first.`);
      await repository.updateRequest(tx, uuid, { ...(before.request as object), availability_zone: null });
    });
  }

  /** Records the source of the move until it is confirmed or reverted. Returns false if another move is in progress. */
  beginMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<boolean> {
    return insertMove(tx, move, nowMs);
  }

  /** The instance stays on its new host. Throws generation_conflict if the move has already ended. */
  async confirmMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<void> {
    await this.allocations.releaseIn(tx, [move.migrationUuid], nowMs);
    if (!(await removeMove(tx, move))) throw overtaken(move.instanceUuid);
    await rememberSourceRelease(tx, move, nowMs);
    await setState(tx, move.instanceUuid, 'placed');
    await this.reportServices(tx, [move.source.host]);
  }

  /** Restores the record from before the move. Throws generation_conflict if the move has already ended. */
  async revertMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<void> {
    const isThere = await this.replacePlacedIn(tx, move.source, nowMs, { from: 'moving' });
    if (!isThere || !(await removeMove(tx, move))) throw overtaken(move.instanceUuid);
    await restoreSource(tx, move);
  }

  /**
   * Releases allocations, group memberships and records of these instances. Returns the records that existed.
   * Allocations of an instance without a record are not changed.
   */
  async releaseIn(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    const sorted = [...new Set(uuids)].sort();
    await lockGroupsOf(tx, sorted);
    const known = await repository.findInstances(tx, sorted);
    const moves = await findMoves(tx, [...known.keys()]);
    const consumers = [...known.keys(), ...[...moves.values()].map(({ migrationUuid }) => migrationUuid)].sort();
    await this.allocations.releaseIn(tx, consumers, nowMs);
    for (const move of moves.values()) {
      await removeMove(tx, move);
      await rememberSourceRelease(tx, move, nowMs);
    }
    const sources = [...moves.values()].map(({ source }) => source.host);
    return this.removeRecordsIn(tx, sorted, { alsoReported: sources, nowMs });
  }

  /**
   * Removes group memberships and records. The caller deletes the allocations in the same transaction, and must not
   * use `releaseIn`, which would release them a second time.
   */
  async forgetIn(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<void> {
    const sorted = [...new Set(uuids)].sort();
    await lockGroupsOf(tx, sorted);
    await this.removeRecordsIn(tx, sorted, { alsoReported: [], nowMs });
  }

  /** Returns the records that existed. */
  private async removeRecordsIn(
    tx: WriteTx,
    sorted: readonly Uuid[],
    { alsoReported, nowMs }: { readonly alsoReported: readonly string[]; readonly nowMs: number },
  ): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    const lockedInstances = await repository.holdInstances(tx, sorted);
    const there = [...lockedInstances.keys()];
    await leaveAllGroups(tx, there);
    await repository.rememberReleases(tx, there, nowMs);
    await repository.remove(tx, there);
    const hosts = [...lockedInstances.values()].map(({ host }) => host);
    await this.reportServices(tx, [...hosts, ...alsoReported]);
    return lockedInstances;
  }

  /** Runs `releaseIn` in its own transaction. Instances that no longer exist are skipped. */
  releaseAll(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    return this.db.write((tx) => this.releaseIn(tx, uuids, Date.now()));
  }

  /** Throws not_found. */
  async release(uuid: Uuid): Promise<void> {
    const released = await this.releaseAll([uuid]);
    if (released.size === 0) throw notFound(called(uuid));
  }

  /** Reports changed services to the readers. A host that never sent a report has no service. */
  private async reportServices(tx: WriteTx, hosts: readonly string[], serviceIds?: Iterable<number>): Promise<void> {
    const ids = serviceIds ?? (await repository.serviceIds(tx, hosts)).values();
    for (const id of ids) tx.changes.service(id);
  }
}
