// Metadata and hosts of host aggregates in the database. Every writer locks all aggregates (registry-locks.writes.ts).
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { marks, runAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { askedForZone } from '../instances/instances.writes';
import { HostAggregateHost, HostAggregateMetadata } from './host-aggregate.entity';

const METADATA = new Table(HostAggregateMetadata);
const HOSTS = new Table(HostAggregateHost);

/** Replaces all metadata of the aggregate. */
export async function replaceMetadata(
  tx: WriteTx,
  aggregateId: number,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.run('DELETE FROM host_aggregate_metadata WHERE aggregate_id = ?', [aggregateId]);
  const rows = Object.entries(metadata).map(([name, value]) => ({ aggregateId, name, value }));
  await METADATA.all.insertAll(tx, rows);
}

export function addHosts(tx: WriteTx, aggregateId: number, hosts: readonly string[]): Promise<void> {
  const rows = hosts.map((host) => ({ aggregateId, host }));
  return HOSTS.all.insertAll(tx, rows);
}

export async function removeHosts(tx: WriteTx, aggregateId: number, hosts: readonly string[]): Promise<void> {
  const text = (among: string): string =>
    `DELETE FROM host_aggregate_hosts WHERE aggregate_id = ? AND host IN (${among})`;
  await runAmong(tx, hosts, text, { before: [aggregateId] });
}

/** The first host of the aggregate that is in more than one zone. */
export async function hostInTwoZones(
  sql: SqlReader,
  aggregateId: number,
): Promise<{ readonly host: string; readonly zones: readonly string[] } | undefined> {
  const rows = await sql.query<{ host: string; value: string }>(
    'SELECT DISTINCT o.host, m.value FROM host_aggregate_hosts o ' +
      'JOIN host_aggregate_hosts ah ON ah.host = o.host JOIN host_aggregate_metadata m ' +
      "ON m.aggregate_id = ah.aggregate_id AND m.name = 'availability_zone' WHERE o.aggregate_id = ? AND o.host IN " +
      '(SELECT twice.host FROM host_aggregate_hosts twice JOIN host_aggregate_metadata z ' +
      "ON z.aggregate_id = twice.aggregate_id AND z.name = 'availability_zone' " +
      'GROUP BY twice.host HAVING COUNT(DISTINCT z.value) > 1) ORDER BY o.host, m.value',
    [aggregateId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return { host: first.host, zones: rows.filter(({ host }) => host === first.host).map(({ value }) => value) };
}

/** The zones of these hosts, as far as they have one. Until the commit, no other transaction changes them. */
export async function zonesOfHosts(tx: WriteTx, hosts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ readonly host: string | null; readonly value: string | null }>(
    `SELECT ah.host, m.value FROM registry_locks l LEFT JOIN host_aggregate_hosts ah ON ah.host IN (${marks(hosts.length)}) ` +
      "LEFT JOIN host_aggregate_metadata m ON m.aggregate_id = ah.aggregate_id AND m.name = 'availability_zone' " +
      `WHERE l.name = 'host_aggregates'${tx.dialect.forShare}`,
    hosts,
  );
  return new Map(rows.flatMap(({ host, value }) => (host === null || value === null ? [] : [[host, value]])));
}

/** A condition that the host of instance `i` is in an aggregate with a zone, which satisfies `which`. */
const isZoned = (which: string): string =>
  'EXISTS (SELECT 1 FROM host_aggregate_hosts zh JOIN host_aggregate_metadata zm ON zm.aggregate_id = zh.aggregate_id ' +
  `AND zm.name = 'availability_zone' WHERE zh.host = i.host AND ${which})`;

/** Instances that asked for the zone, and whose hosts were in it before a change of this aggregate, but are not any more. */
export function outsideOfZone(
  tx: WriteTx,
  asked: Parameters<typeof askedForZone>[1],
  change: { readonly defaultZone: string; readonly gains: number | null; readonly limit: number },
): ReturnType<typeof askedForZone> {
  const { defaultZone, gains, limit } = change;
  // A host that this aggregate brings into a zone was in the default zone, unless another aggregate had brought it.
  if (gains !== null) {
    return askedForZone(tx, asked, { where: `NOT ${isZoned('zh.aggregate_id <> ?')}`, params: [gains], limit });
  }
  const where = asked.zone === defaultZone ? isZoned('zm.value <> ?') : `NOT ${isZoned('zm.value = ?')}`;
  return askedForZone(tx, asked, { where, params: [asked.zone], limit });
}
