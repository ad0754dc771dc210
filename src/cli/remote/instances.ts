// `berth instances [unpin-zone]`: the instances that Berth placed.
import type { CommandStreams } from '../command-context';
import { listed } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

export interface InstanceChoice extends Printing {
  readonly name?: string;
  readonly host?: string;
  readonly project?: string;
  readonly flavor?: string;
  readonly limit: number;
}

interface Instance {
  readonly uuid: string;
  readonly name: string | null;
  readonly project_id: string;
  readonly user_id: string;
  readonly flavor: string | null;
  readonly image: string | null;
  readonly host: string;
  readonly availability_zone: string | null;
  readonly server_group: { readonly uuid: string; readonly name: string | null } | null;
  readonly state: string;
  readonly decision: string;
  readonly created_at: string;
}

export async function showInstances(
  client: ServiceClient,
  streams: CommandStreams,
  { name, host, project, flavor, limit, output }: InstanceChoice,
): Promise<void> {
  const { entries, isCut } = await listed<Instance>(client, '/reports/instances', {
    member: 'instances',
    query: { search: name, host, project_id: project, flavor },
    most: limit,
  });
  const rows = entries.map((instance) => ({
    uuid: instance.uuid,
    name: instance.name,
    flavor: instance.flavor,
    host: instance.host,
    zone: instance.availability_zone,
    state: instance.state,
    project: instance.project_id,
    created_at: instance.created_at,
    user: instance.user_id,
    image: instance.image,
    group: instance.server_group?.name ?? instance.server_group?.uuid,
    decision: instance.decision,
  }));
  printListing(
    streams,
    { output },
    {
      document: entries,
      columns: ['uuid', 'name', 'flavor', 'host', 'zone', 'state', 'project', 'created_at'],
      wide: ['user', 'image', 'group', 'decision'],
      rows,
      name: 'uuid',
      empty: 'No instance matches.',
    },
  );
  if (isCut && (output === 'table' || output === 'wide'))
    streams.stderr(`… and more; --limit N shows more than ${limit}\n`);
}

export async function unpinZones(
  client: ServiceClient,
  { stdout }: CommandStreams,
  uuids: readonly string[],
): Promise<void> {
  for (const uuid of uuids) {
    await client.post(`/scheduler/instances/${encodeURIComponent(uuid)}/unpin_zone`, {});
    stdout(`${uuid} can move to any availability zone.\n`);
  }
}
