// `berth groups`, `berth images` and `berth zones`: server groups, images and availability zones.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandStreams } from '../command-context';
import { listed } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

export async function showGroups(client: ServiceClient, streams: CommandStreams, printing: Printing): Promise<void> {
  const { entries } = await listed<Schema<'ServerGroup'>>(client, '/scheduler/server_groups', {
    member: 'server_groups',
  });
  printListing(streams, printing, {
    document: entries,
    columns: ['name', 'policy', 'members', 'hosts', 'project'],
    wide: ['max_per_host', 'on', 'uuid'],
    rows: entries.map(({ uuid, name, policy, rules, members, hosts, project_id: project }) => ({
      name,
      policy,
      members: members.length,
      hosts: hosts.length,
      project,
      max_per_host: (rules as { readonly max_server_per_host?: number }).max_server_per_host,
      on: hosts,
      uuid,
    })),
    name: 'name',
    empty: 'No server group is registered.',
  });
}

export async function showImages(client: ServiceClient, streams: CommandStreams, printing: Printing): Promise<void> {
  const { entries } = await listed<Schema<'Image'>>(client, '/scheduler/images', { member: 'images' });
  printListing(streams, printing, {
    document: entries,
    columns: ['name', 'format', 'properties', 'uuid'],
    rows: entries.map(({ uuid, name, disk_format: format, properties }) => ({
      name,
      format,
      properties: Object.entries(properties).map(([key, value]) => `${key}=${value}`),
      uuid,
    })),
    name: 'name',
    empty: 'No image is registered.',
  });
}

/** A zone is available if one of its hosts is up and enabled. */
export async function showZones(client: ServiceClient, streams: CommandStreams, printing: Printing): Promise<void> {
  const { entries } = await listed<Schema<'AvailabilityZone'>>(client, '/scheduler/availability_zones', {
    member: 'availability_zones',
  });
  printListing(streams, printing, {
    document: entries,
    columns: ['name', 'available', 'hosts', 'up', 'disabled', 'default'],
    rows: entries.map(({ name, available, hosts_total: total, hosts_up: up, hosts, default: isDefault }) => ({
      name,
      available: available ? 'yes' : 'no',
      hosts: total,
      up,
      disabled: hosts.filter(({ status }) => status === 'disabled').length,
      default: isDefault ? 'yes' : 'no',
    })),
    name: 'name',
    empty: 'No host reports, so there is no availability zone.',
  });
}
