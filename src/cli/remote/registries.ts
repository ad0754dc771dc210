// `berth groups`, `berth images` and `berth zones`: server groups, images and availability zones.
import type { Schema } from '../../../client/src/routes.ts';
import type { TableRow } from '../table';
import { listed } from './listed';
import type { Action } from './printing';
import { pairsOf, printListing } from './printing';

interface Registry<Entry> {
  /** The member of the answer, and the end of the path. */
  readonly member: string;
  readonly columns: readonly string[];
  readonly wide: readonly string[];
  readonly row: (entry: Entry) => TableRow;
}

const show =
  <Entry>({ member, columns, wide, row }: Registry<Entry>): Action =>
  async (client, streams, printing) => {
    const { entries } = await listed<Entry>(client, `/scheduler/${member}`, { member });
    const rows = entries.map(row);
    printListing(streams, printing, { document: entries, columns, wide, rows, name: 'name', empty: 'There are none.' });
  };

export const showGroups = show<Schema<'ServerGroup'>>({
  member: 'server_groups',
  columns: ['name', 'policy', 'members', 'hosts', 'project'],
  wide: ['rules', 'on', 'uuid'],
  row: ({ members, hosts, rules, project_id: project, ...group }) => {
    const counts = { members: members.length, hosts: hosts.length };
    return { ...group, ...counts, project, on: hosts, rules: pairsOf(rules) };
  },
});

export const showImages = show<Schema<'Image'>>({
  member: 'images',
  columns: ['name', 'format', 'properties', 'uuid'],
  wide: [],
  row: ({ uuid, name, disk_format: format, properties }) => ({ name, format, properties: pairsOf(properties), uuid }),
});

/** A zone is available if one of its hosts is up and enabled. */
export const showZones = show<Schema<'AvailabilityZone'>>({
  member: 'availability_zones',
  columns: ['name', 'available', 'hosts', 'up', 'disabled', 'default'],
  wide: [],
  row: ({ name, available, default: isDefault, hosts_total: total, hosts_up: up, hosts }) => {
    const disabled = hosts.filter(({ status }) => status === 'disabled').length;
    return { name, available, hosts: total, up, disabled, default: isDefault };
  },
});
