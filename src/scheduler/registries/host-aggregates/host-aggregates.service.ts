// What can be done to host aggregates. Every write holds the lock of all of them, so that a host is in one zone whoever
// writes what; Placement's membership follows in the same transaction.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { Database } from '../../../database/database';
import type { WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import { PlacementMirror } from '../placement-mirror.service';
import { lockHostAggregates } from '../registry-locks.repository';
import type { Page, PageQuery } from '../registry-page';
import {
  duplicateName,
  inUse,
  invalidField,
  isDuplicate,
  notFound,
  refuseStale,
  staleGeneration,
} from '../registry-refusals';
import { merged } from '../registry-schema';
import type { MergeMap } from '../registry-schema';
import * as repository from './host-aggregates.repository';
import type { AggregateFilter, HostAggregateDocument } from './host-aggregates.repository';

export const ZONE_KEY = 'availability_zone';

export interface AggregateDefinition {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
}

export interface AggregateChange {
  readonly name?: string | undefined;
  readonly metadata?: MergeMap | undefined;
  readonly generation?: number | undefined;
}

const called = (uuid: Uuid): string => `host aggregate ${uuid}`;
const NOTHING: AggregateDefinition = { name: '', metadata: {}, hosts: [] };

@Injectable()
export class HostAggregatesService {
  constructor(
    private readonly db: Database,
    private readonly mirror: PlacementMirror,
  ) {}

  /** Throws not_found. */
  async get(uuid: Uuid): Promise<HostAggregateDocument> {
    const found = await this.db.read((sql) => repository.findAggregate(sql, uuid));
    if (found === undefined) throw notFound(called(uuid));
    return found;
  }

  list(filter: AggregateFilter, page: PageQuery): Promise<Page<HostAggregateDocument>> {
    return this.db.read((sql) => repository.listAggregates(sql, filter, page));
  }

  /** Throws duplicate_name, invalid_request, in_use. */
  create(definition: AggregateDefinition, uuid: Uuid = randomUUID()): Promise<HostAggregateDocument> {
    return this.db.write(async (tx) => {
      await lockHostAggregates(tx);
      await this.createIn(tx, uuid, definition, Date.now());
      return stored(tx, uuid);
    });
  }

  /** Creates it, or replaces the one of this generation. Throws generation_conflict besides what `create` throws. */
  put(
    uuid: Uuid,
    definition: AggregateDefinition,
    generation: number | undefined,
  ): Promise<{ readonly isNew: boolean; readonly aggregate: HostAggregateDocument }> {
    return this.db.write(async (tx) => {
      await lockHostAggregates(tx);
      const before = await repository.findAggregate(tx, uuid);
      if (before?.generation !== generation) throw staleGeneration(called(uuid), generation, before?.generation);
      if (before === undefined) await this.createIn(tx, uuid, definition, Date.now());
      else await this.writeIn(tx, before, definition, Date.now());
      return { isNew: before === undefined, aggregate: await stored(tx, uuid) };
    });
  }

  /** Throws not_found, generation_conflict, duplicate_name, invalid_request, in_use. */
  change(uuid: Uuid, change: AggregateChange): Promise<HostAggregateDocument> {
    return this.rewrite(uuid, change.generation, (before) => ({
      name: change.name ?? before.name,
      metadata: merged(before.metadata, change.metadata ?? {}),
      hosts: before.hosts,
    }));
  }

  /** A host that is in already stays in. Throws not_found; in_use when it is in another zone. */
  addHost(uuid: Uuid, host: string): Promise<HostAggregateDocument> {
    return this.rewrite(uuid, undefined, (before) =>
      before.hosts.includes(host) ? before : { ...before, hosts: [...before.hosts, host] },
    );
  }

  /** Throws not_found, also when the host is not in it. */
  removeHost(uuid: Uuid, host: string): Promise<HostAggregateDocument> {
    return this.rewrite(uuid, undefined, (before) => {
      if (!before.hosts.includes(host)) throw notFound(`host ${host} in ${called(uuid)}`);
      return { ...before, hosts: before.hosts.filter((each) => each !== host) };
    });
  }

  /** Throws not_found; in_use while it has hosts. */
  remove(uuid: Uuid): Promise<void> {
    return this.db.write(async (tx) => {
      await lockHostAggregates(tx);
      const found = await repository.findAggregate(tx, uuid);
      if (found === undefined) throw notFound(called(uuid));
      if (found.hosts.length > 0) {
        throw inUse(`The ${called(uuid)} has ${found.hosts.length} hosts, ${found.hosts[0]} among them.`);
      }
      await repository.deleteAggregate(tx, found.id);
      tx.changes.hostAggregate(found.id);
    });
  }

  private rewrite(
    uuid: Uuid,
    generation: number | undefined,
    definitionOf: (before: HostAggregateDocument) => AggregateDefinition,
  ): Promise<HostAggregateDocument> {
    return this.db.write(async (tx) => {
      await lockHostAggregates(tx);
      const before = await repository.findAggregate(tx, uuid);
      if (before === undefined) throw notFound(called(uuid));
      refuseStale(called(uuid), generation, before.generation);
      const after = definitionOf(before);
      if (after === before) return before;
      await this.writeIn(tx, before, after, Date.now());
      return stored(tx, uuid);
    });
  }

  /** The lock is held. */
  private async createIn(tx: WriteTx, uuid: Uuid, definition: AggregateDefinition, nowMs: number): Promise<void> {
    const id = await unlessDuplicate(tx, { uuid, name: definition.name }, () =>
      repository.insertAggregate(tx, { uuid, name: definition.name }, nowMs),
    );
    await this.fillIn(tx, { id, uuid, before: NOTHING, after: definition }, nowMs);
  }

  private async writeIn(
    tx: WriteTx,
    before: HostAggregateDocument,
    after: AggregateDefinition,
    nowMs: number,
  ): Promise<void> {
    const { id, uuid } = before;
    await unlessDuplicate(tx, { uuid, name: after.name }, () => repository.touchAggregate(tx, id, after.name, nowMs));
    await this.fillIn(tx, { id, uuid, before, after }, nowMs);
  }

  private async fillIn(
    tx: WriteTx,
    change: { id: number; uuid: Uuid; before: AggregateDefinition; after: AggregateDefinition },
    nowMs: number,
  ): Promise<void> {
    const { id, uuid, before, after } = change;
    checkDefinition(after);
    const [old, fresh] = [new Set(before.hosts), new Set(after.hosts)];
    const added = [...fresh].filter((host) => !old.has(host));
    const removed = [...old].filter((host) => !fresh.has(host));
    await repository.replaceMetadata(tx, id, after.metadata);
    await repository.removeHosts(tx, id, removed);
    await repository.addHosts(tx, id, added);
    const torn = ZONE_KEY in after.metadata ? await repository.hostInTwoZones(tx, id) : undefined;
    if (torn !== undefined) {
      throw inUse(`Host ${torn.host} would be in several availability zones: ${torn.zones.join(', ')}.`);
    }
    await this.mirror.moveHostsIn(tx, [{ aggregate: uuid, added, removed }], nowMs);
    tx.changes.hostAggregate(id);
  }
}

/** Read where it was written: behind the commit somebody else may have removed it. */
async function stored(tx: WriteTx, uuid: Uuid): Promise<HostAggregateDocument> {
  const aggregate = await repository.findAggregate(tx, uuid);
  if (aggregate === undefined) throw new Error('a host aggregate vanished inside the transaction that wrote it');
  return aggregate;
}

/** A zone's name stands before a colon where a request names zone, host and node in one text. */
function checkDefinition({ metadata, hosts }: AggregateDefinition): void {
  const zone = metadata[ZONE_KEY];
  if (zone !== undefined && (zone.trim() !== zone || zone === '' || zone.includes(':'))) {
    throw invalidField(ZONE_KEY, `'${zone}' cannot be a zone's name: no colon, no blank at its ends, not empty`);
  }
  if (hosts.length > SCHEDULER_LIMITS.hostsPerAggregate) {
    throw invalidField('hosts', `at most ${SCHEDULER_LIMITS.hostsPerAggregate} hosts may be in one aggregate`);
  }
  if (Object.keys(metadata).length > SCHEDULER_LIMITS.keysPerDocument) {
    throw invalidField('metadata', `at most ${SCHEDULER_LIMITS.keysPerDocument} keys are kept`);
  }
}

async function unlessDuplicate<T>(
  tx: WriteTx,
  { uuid, name }: { readonly uuid: Uuid; readonly name: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(tx, error)) throw error;
    throw duplicateName(`A host aggregate is called ${name} already, or has the uuid ${uuid}.`);
  }
}
