// `berth instances`: the instances that Berth placed.
import type { CommandStreams } from '../command-context';
import { listed } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

export interface InstanceChoice extends Printing {
  readonly host?: string;
  readonly project?: string;
  readonly flavor?: string;
  readonly state?: string;
  readonly limit: number;
}

interface Instance {
  readonly uuid: string;
  readonly host: string;
  readonly node: string;
  readonly project_id: string;
  readonly user_id: string;
  readonly flavor: { readonly name?: string | null };
  readonly image_uuid: string | null;
  readonly server_group: string | null;
  readonly state: string;
  readonly created_at: string;
  readonly request_id: string;
}

export async function showInstances(
  client: ServiceClient,
  streams: CommandStreams,
  { host, project, flavor, state, limit, output }: InstanceChoice,
): Promise<void> {
  const query = { host, project_id: project, flavor_id: flavor, state };
  const { entries, isCut } = await listed<Instance>(client, '/scheduler/instances', {
    member: 'instances',
    query,
    most: limit,
  });
  const rows = entries.map((instance) => ({
    uuid: instance.uuid,
    flavor: instance.flavor.name,
    host: instance.host,
    state: instance.state,
    project: instance.project_id,
    created_at: instance.created_at,
    node: instance.node,
    user: instance.user_id,
    image: instance.image_uuid,
    group: instance.server_group,
    decision: instance.request_id,
  }));
  printListing(
    streams,
    { output },
    {
      document: entries,
      columns: ['uuid', 'flavor', 'host', 'state', 'project', 'created_at'],
      wide: ['node', 'user', 'image', 'group', 'decision'],
      rows,
      name: 'uuid',
      empty: 'No instance matches.',
    },
  );
  if (isCut && (output === 'table' || output === 'wide'))
    streams.stderr(`… and more; --limit N shows more than ${limit}\n`);
}
