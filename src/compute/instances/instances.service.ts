// What Berth placed: recorded and released inside the transaction that claims or releases. A release takes the groups
// first, then the consumer with its allocations, then the record.
import { Injectable } from '@nestjs/common';
import { AllocationsService } from '../../allocations/allocations.service';
import { Database } from '../../database/database';
import type { SqlReader, WriteTx } from '../../database/sql';
import type { Uuid } from '../../domain/uuid';
import type { ConsumerAllocations } from '../../allocations/allocations.commands';
import type { RegisteredImage } from '../images/image.entity';
import type { Page, PageQuery } from '../registry-page';
import { DomainError } from '../../domain/errors';
import { notFound } from '../registry-refusals';
import { leaveAllGroups, lockGroupsOf } from '../server-groups/server-groups.writes';
import { hostsOf } from './instances.writes';
import * as repository from './instances.repository';
import { findMoves, insertMove, rememberSourceRelease, removeMove, restoreListed, setState } from './moves.repository';
import type { Move } from './instance.entity';
import type { InstanceRecord, PlacedInstance } from './instance.entity';
import type { InstanceFilter } from './instances.repository';

const called = (uuid: Uuid): string => `instance ${uuid} that Berth placed`;

/** An instance with what it has, and where it comes from while it is being moved. */
export interface InstanceView {
  readonly instance: InstanceRecord;
  readonly allocations: ConsumerAllocations | undefined;
  readonly move: Move | undefined;
}

const overtaken = (uuid: Uuid): DomainError =>
  new DomainError('scheduler.generation_conflict', `Instance ${uuid} is not being moved any more.`);

/** What is known as released may be recorded as placed still. */
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
    // The generation guards what is read after it.
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

  find(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    return repository.findInstances(sql, uuids);
  }

  /** Those of the instances that Berth placed and nobody released, with their hosts. */
  hostsOf(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    return this.db.read((sql) => hostsOf(sql, uuids));
  }

  /**
   * Records placements in the claim's transaction. `serviceIds` are those of the hosts that have a service; given by
   * whoever knows them, else looked up. A flavor or image that is gone by now is not named by the record, which has their
   * documents.
   */
  async insertPlacedIn(
    tx: WriteTx,
    rows: readonly PlacedInstance[],
    nowMs: number,
    serviceIds?: Iterable<number>,
  ): Promise<void> {
    await repository.insertPlaced(tx, rows, nowMs);
    await this.tellIn(
      tx,
      rows.map(({ host }) => host),
      serviceIds,
    );
  }

  /** Where else each of these instances could go; one that is gone meanwhile is passed over. */
  rememberAlternatesIn(
    tx: WriteTx,
    offers: readonly { readonly instanceUuid: Uuid; readonly alternates: readonly object[] }[],
  ): Promise<void> {
    return repository.updateAlternates(tx, offers);
  }

  /** Releases instances that bear the mark of a batch, `limit` at most; answers whether there may be more. */
  async releaseOfBatchIn(tx: WriteTx, batchUuid: Uuid, limit: number): Promise<boolean> {
    const uuids = await repository.findOfBatch(tx, batchUuid, limit);
    if (uuids.length > 0) await this.releaseIn(tx, uuids, Date.now());
    return uuids.length === limit;
  }

  /**
   * The instance is placed anew; answers whether it is there, in the state `from`. It is remembered as released where it was, unless it does
   * not leave there yet.
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
    await this.tellIn(tx, [before.host, row.host]);
    return true;
  }

  /**
   * The instance is placed beside what it has, and does not leave where it was. Answers false, and does nothing, while it
   * is being moved.
   */
  async placeBesideIn(tx: WriteTx, row: PlacedInstance, nowMs: number): Promise<boolean> {
    const before = (await repository.holdInstances(tx, [row.uuid])).get(row.uuid);
    if (before?.state === 'moving') return false;
    if (before === undefined) await repository.insertPlaced(tx, [row], nowMs);
    else await repository.updatePlaced(tx, row, nowMs);
    await this.tellIn(tx, before === undefined ? [row.host] : [before.host, row.host]);
    return true;
  }

  /** Where it is, the instance has another registered image from now on; one that is gone meanwhile is passed over. */
  changeImage(uuid: Uuid, { uuid: imageUuid, name, diskFormat, properties }: RegisteredImage): Promise<void> {
    return this.db.write(async (tx) => {
      const before = (await repository.holdInstances(tx, [uuid])).get(uuid);
      if (before === undefined) return;
      const image = { id: imageUuid, name, disk_format: diskFormat, properties };
      const request = { ...(before.request as object), image };
      await repository.updateImage(tx, uuid, { image, imageUuid, request });
      await this.tellIn(tx, [before.host]);
    });
  }

  /** Remembers where the instance comes from until the move is confirmed or reverted; false: it is being moved already. */
  beginMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<boolean> {
    return insertMove(tx, move, nowMs);
  }

  /** The instance stays where it went. Throws generation_conflict when another was faster. */
  async confirmMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<void> {
    await this.allocations.releaseIn(tx, [move.migrationUuid], nowMs);
    if (!(await removeMove(tx, move))) throw overtaken(move.instanceUuid);
    await rememberSourceRelease(tx, move, nowMs);
    await setState(tx, move.instanceUuid, 'placed');
    await this.tellIn(tx, [move.source.host]);
  }

  /** The record is again what it was before the move. Throws generation_conflict when another was faster. */
  async revertMoveIn(tx: WriteTx, move: Move, nowMs: number): Promise<void> {
    const isThere = await this.replacePlacedIn(tx, move.source, nowMs, { from: 'moving' });
    if (!isThere || !(await removeMove(tx, move))) throw overtaken(move.instanceUuid);
    await restoreListed(tx, move);
  }

  /**
   * Releases everything of these instances: allocations, membership of groups, records. Answers the records that were
   * there. Allocations of an instance without a record are left alone.
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
    const held = await repository.holdInstances(tx, sorted);
    const there = [...held.keys()];
    await leaveAllGroups(tx, there);
    await repository.rememberReleases(tx, there, nowMs);
    await repository.remove(tx, there);
    await this.tellIn(
      tx,
      [...held.values(), ...[...moves.values()].map(({ source }) => source)].map(({ host }) => host),
    );
    return held;
  }

  /** `releaseIn` as a transaction of its own; those that are gone already are passed over. */
  releaseAll(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
    return this.db.write((tx) => this.releaseIn(tx, uuids, Date.now()));
  }

  /** Throws not_found. */
  async release(uuid: Uuid): Promise<void> {
    const released = await this.releaseAll([uuid]);
    if (released.size === 0) throw notFound(called(uuid));
  }

  /** Readers follow the services of the hosts; a host that nobody reported has none. */
  private async tellIn(tx: WriteTx, hosts: readonly string[], serviceIds?: Iterable<number>): Promise<void> {
    const ids = serviceIds ?? (await repository.serviceIds(tx, hosts)).values();
    for (const id of ids) tx.changes.service(id);
  }
}
