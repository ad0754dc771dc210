// Metadata and hosts of host aggregates in the database. Every writer locks all aggregates (registry-locks.writes.ts).
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { runAmong } from '../../platform/database/sql';
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
  return HOSTS.all.insertAll(
    tx,
    hosts.map((host) => ({ aggregateId, host })),
  );
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

/** A condition that the host of instance `i` is in an aggregate with a zone, which satisfies `which`. */
const isZoned = (which: string): string =>
  'EXISTS (SELECT 1 FROM host_aggregate_hosts zh JOIN host_aggregate_metadata zm ON zm.aggregate_id = zh.aggregate_id ' +
  `AND zm.name = 'availability_zone' WHERE zh.host = i.host AND ${which})`;

interface FormerZone {
  readonly zone: string;
  readonly defaultZone: string;
  /** Hosts that were in the zone before the change. */
  readonly hosts: readonly string[];
}

/** At most `limit` instances that asked for the zone, and whose hosts are no longer in it. */
export function outsideOfZone(
  tx: WriteTx,
  { defaultZone, ...asked }: FormerZone,
  limit: number,
): ReturnType<typeof askedForZone> {
  const isOther = isZoned('zm.value <> ?');
  const where = asked.zone === defaultZone ? isOther : `NOT ${isZoned('zm.value = ?')}`;
  return askedForZone(tx, asked, { where, params: [asked.zone], limit });
}

/** The same for the default zone and hosts that were in no aggregate with a zone before this one. */
export function outsideOfDefaultZone(
  tx: WriteTx,
  { defaultZone, hosts }: Omit<FormerZone, 'zone'>,
  { aggregateId, limit }: { readonly aggregateId: number; readonly limit: number },
): ReturnType<typeof askedForZone> {
  const where = `NOT ${isZoned('zh.aggregate_id <> ?')}`;
  return askedForZone(tx, { zone: defaultZone, hosts }, { where, params: [aggregateId], limit });
}
