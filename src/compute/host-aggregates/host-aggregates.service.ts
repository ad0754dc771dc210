// Operations on host aggregates. Every write locks all aggregates, which keeps each host in at most one zone under
// concurrent writes. The same transaction updates the aggregate membership of the providers in Placement.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { UnknownReference } from '../../platform/values/errors';
import { FIELD_RULES } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import { RATIO_KEYS } from '../../scheduling-rules/filters/capacity-rules';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import type { Warning } from '../definition-rules';
import { aggregatesIn, ALL, FactsInForce } from '../facts-in-force';
import { loadHostAggregates } from '../host-facts.loader';
import { PlacementMirror } from '../placement-mirror.service';
import type { Registered } from '../registered.entity';
import { RegistriesConfig } from '../registries.config';
import type { Written } from '../registry';
import { Registry } from '../registry';
import { lockHostAggregates } from '../registry-locks.writes';
import type { Page, PageQuery, TextFilter } from '../registry-page';
import type { Condition } from '../registry-page.sql';
import { equal } from '../registry-page.sql';
import { inUse, invalidField, notFound } from '../registry-refusals';
import type { MergeMap } from '../registry-schema';
import { merged } from '../registry-schema';
import { RegisteredAggregate } from './host-aggregate.entity';
import * as repository from './host-aggregates.repository';

export type AggregateDefinition = Omit<RegisteredAggregate, keyof Registered | 'uuid'>;

interface AggregateChange {
  readonly name?: string | undefined;
  readonly metadata?: MergeMap | undefined;
}

interface AggregateRewrite {
  readonly before: RegisteredAggregate | undefined;
  readonly definition: AggregateDefinition;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Instances that a refusal names. */
const INSTANCES_NAMED = 3;

export type AggregateFilter = TextFilter<'name' | 'host' | 'zone'>;

@Injectable()
export class HostAggregatesService extends Registry<RegisteredAggregate, AggregateDefinition, AggregateFilter> {
  constructor(
    db: Database,
    @InjectRepository(RegisteredAggregate) rows: Repository<RegisteredAggregate>,
    private readonly mirror: PlacementMirror,
    private readonly config: RegistriesConfig,
    private readonly facts: FactsInForce,
  ) {
    super(db, rows, { entity: RegisteredAggregate, key: 'uuid', what: 'a host aggregate' });
  }

  override async list(filter: AggregateFilter, page: PageQuery): Promise<Page<RegisteredAggregate>> {
    return this.facts.source === null ? super.list(filter, page) : aggregatesIn(this.facts.source, filter, page);
  }

  override async get(uuid: Uuid): Promise<RegisteredAggregate> {
    if (this.facts.source === null) return super.get(uuid);
    const found = aggregatesIn(this.facts.source, {}, ALL).items.find((each) => each.uuid === uuid);
    if (found === undefined) throw notFound(this.called(uuid));
    return found;
  }

  /** Finds an aggregate by its numeric row id, which some clients use as its id. Throws not_found. */
  async numbered(rowId: number): Promise<RegisteredAggregate> {
    const [found] =
      this.facts.source === null
        ? await this.db.read((sql) => this.select(sql, 'id = ?', [rowId]))
        : aggregatesIn(this.facts.source, {}, ALL).items.filter((each) => each.rowId === rowId);
    if (found === undefined) throw notFound(`host aggregate with the number ${rowId}`);
    return found;
  }

  /** Throws not_found, generation_conflict, duplicate_name, invalid_request, in_use. */
  change(uuid: Uuid, generation: number | undefined, change: AggregateChange): Promise<Written<RegisteredAggregate>> {
    return this.rewrite(uuid, generation, (before) => ({
      name: change.name ?? before.name,
      metadata: merged(before.metadata, change.metadata ?? {}),
      hosts: before.hosts,
    }));
  }

  /** Does not change an aggregate that has the host. Throws not_found; in_use if the host is in another zone. */
  addHost(uuid: Uuid, host: string): Promise<Written<RegisteredAggregate>> {
    return this.rewrite(uuid, undefined, (before) =>
      before.hosts.includes(host) ? before : { ...before, hosts: [...before.hosts, host] },
    );
  }

  /** Throws not_found, also if the host is not a member. */
  removeHost(uuid: Uuid, host: string): Promise<Written<RegisteredAggregate>> {
    return this.rewrite(uuid, undefined, (before) => {
      if (!before.hosts.includes(host)) throw notFound(`host ${host} in ${this.called(uuid)}`);
      return { ...before, hosts: before.hosts.filter((each) => each !== host) };
    });
  }

  protected conditionsOf({ name, host, zone }: AggregateFilter): readonly Condition[] {
    const having = (table: string, what: string, value: string | undefined): readonly Condition[] => {
      const exists = `EXISTS (SELECT 1 FROM ${table} o WHERE o.aggregate_id = host_aggregates.id AND ${what} = ?)`;
      return value === undefined ? [] : [[exists, [value]]];
    };
    return [
      ...equal({ name }),
      ...having('host_aggregate_hosts', 'o.host', host),
      ...having('host_aggregate_metadata', `o.name = '${ZONE_KEY}' AND o.value`, zone),
    ];
  }

  protected override holdIn(tx: WriteTx): Promise<void> {
    return lockHostAggregates(tx);
  }

  /** `fillIn` checks the definition after the row is written. A duplicate name is therefore reported first. */
  protected async checkIn(_tx: WriteTx, _key: string, { metadata }: AggregateDefinition): Promise<readonly Warning[]> {
    return RATIO_KEYS.filter(({ key }) => key in metadata).map(({ key, filter, resourceClass }) => ({
      field: `metadata.${key}`,
      why: `has no effect unless ${filter} is enabled: the ratio is that of the ${resourceClass} inventories in Placement`,
    }));
  }

  protected override whenTaken(uuid: Uuid, { name }: AggregateDefinition): string {
    return `A host aggregate is called ${name} already, or has the uuid ${uuid}.`;
  }

  protected override async whole(
    sql: SqlReader,
    aggregates: readonly RegisteredAggregate[],
  ): Promise<readonly RegisteredAggregate[]> {
    if (aggregates.length === 0) return [];
    const ids = aggregates.map(({ rowId }) => rowId);
    const found = new Map((await loadHostAggregates(sql, ids)).map((each) => [each.id, each]));
    return aggregates.map((aggregate) => ({
      ...aggregate,
      metadata: found.get(aggregate.rowId)?.metadata ?? {},
      hosts: [...(found.get(aggregate.rowId)?.hosts ?? [])].sort(),
    }));
  }

  protected override async fillIn(
    tx: WriteTx,
    row: RegisteredAggregate,
    definition: AggregateDefinition,
    before: RegisteredAggregate | undefined,
  ): Promise<void> {
    checkDefinition(definition);
    const { rowId, uuid } = row;
    const [old, fresh] = [new Set(before?.hosts), new Set(definition.hosts)];
    const added = [...fresh].filter((host) => !old.has(host));
    const removed = [...old].filter((host) => !fresh.has(host));
    await repository.replaceMetadata(tx, rowId, definition.metadata);
    await repository.removeHosts(tx, rowId, removed);
    await repository.addHosts(tx, rowId, added);
    const torn = ZONE_KEY in definition.metadata ? await repository.hostInTwoZones(tx, rowId) : undefined;
    if (torn !== undefined) {
      throw inUse(`Host ${torn.host} would be in several availability zones: ${torn.zones.join(', ')}.`);
    }
    await this.refuseOutside(tx, rowId, { before, definition, added, removed });
    await this.mirror.moveHostsIn(tx, [{ aggregate: uuid, added, removed }], Date.now());
    tx.changes.hostAggregate(rowId);
  }

  /** Refuses what puts an instance outside of the zone that it asked for, as nova does: it could never move again. */
  private async refuseOutside(
    tx: WriteTx,
    aggregateId: number,
    { before, definition, added, removed }: AggregateRewrite,
  ): Promise<void> {
    const { defaultZone } = this.config;
    const [old, zone] = [before?.metadata[ZONE_KEY], definition.metadata[ZONE_KEY]];
    const limit = INSTANCES_NAMED + 1;
    const outside = [];
    if (before !== undefined && old !== undefined) {
      const hosts = old === zone ? removed : before.hosts;
      outside.push(...(await repository.outsideOfZone(tx, { zone: old, hosts }, { defaultZone, gains: null, limit })));
    }
    if (zone !== undefined && zone !== defaultZone) {
      const hosts = old === undefined ? definition.hosts : added;
      const gained = { defaultZone, gains: aggregateId, limit };
      outside.push(...(await repository.outsideOfZone(tx, { zone: defaultZone, hosts }, gained)));
    }
    const named = outside.slice(0, INSTANCES_NAMED);
    if (named.length === 0) return;
    throw inUse(
      'Instances would be outside of the availability zone that they asked for: ' +
        `${named.map(({ name, uuid }) => name ?? uuid).join(', ')}${outside.length > named.length ? ' and more' : ''}. Move ` +
        'them to other hosts of their zone, or let them leave it: ' +
        `berth instances unpin-zone ${named.map(({ uuid }) => uuid).join(' ')}`,
    );
  }

  /** Throws UnknownReference if one of the hosts has left the zone; none of them leaves it before the commit. */
  async keepInZone(tx: WriteTx, zone: string, hosts: readonly string[]): Promise<void> {
    if (this.facts.source !== null) return;
    const zones = await repository.zonesOfHosts(tx, hosts);
    const gone = hosts.find((host) => (zones.get(host) ?? this.config.defaultZone) !== zone);
    if (gone !== undefined) throw new UnknownReference(`Host ${gone} is not in availability zone ${zone} any more.`);
  }

  /** Throws not_found; in_use if the aggregate has hosts. */
  protected override async emptyIn(tx: WriteTx, uuid: Uuid): Promise<void> {
    await lockHostAggregates(tx);
    const { rowId, hosts } = await this.existing(tx, uuid);
    if (hosts.length > 0) throw inUse(`The ${this.called(uuid)} has ${hosts.length} hosts, ${hosts[0]} among them.`);
    await repository.replaceMetadata(tx, rowId, {});
    tx.changes.hostAggregate(rowId);
  }
}

/** A zone name must not contain a colon: a request can name zone, host and node in one text, `zone:host:node`. */
function checkDefinition({ metadata, hosts }: AggregateDefinition): void {
  const zone = metadata[ZONE_KEY];
  if (zone !== undefined && (zone.trim() !== zone || zone === '' || zone.includes(':'))) {
    throw invalidField(
      ZONE_KEY,
      `is '${zone}', which cannot be a zone's name: no colon, no blank at its ends, not empty`,
    );
  }
  if (hosts.length > SCHEDULER_LIMITS.hostsPerAggregate) {
    throw invalidField('hosts', FIELD_RULES.entries('most', SCHEDULER_LIMITS.hostsPerAggregate));
  }
  if (Object.keys(metadata).length > SCHEDULER_LIMITS.keysPerDocument) {
    throw invalidField('metadata', FIELD_RULES.entries('most', SCHEDULER_LIMITS.keysPerDocument));
  }
}
