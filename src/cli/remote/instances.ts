// `berth instances [unpin-zone]`: the instances that Berth placed.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandStreams } from '../command-context';
import { listed } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

interface InstanceChoice extends Printing {
  readonly name?: string;
  readonly host?: string;
  readonly project?: string;
  readonly flavor?: string;
  readonly limit: number;
}

type Instance = Schema<'ListedInstance'>;

export async function showInstances(
  client: ServiceClient,
  streams: CommandStreams,
  options: InstanceChoice,
): Promise<void> {
  const { name, host, project, flavor, limit, output } = options;
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
  printListing(streams, options, {
    document: entries,
    columns: ['uuid', 'name', 'flavor', 'host', 'zone', 'state', 'project', 'created_at'],
    wide: ['user', 'image', 'group', 'decision'],
    rows,
    name: 'uuid',
    empty: 'No instance matches.',
  });
  if (isCut && (output === 'table' || output === 'wide'))
    streams.stderr(`… and more; --limit N shows more than ${limit}\n`);
}

export async function unpinZones(
  client: ServiceClient,
  { stdout }: CommandStreams,
  _options: Printing,
  uuids: readonly string[],
): Promise<void> {
  for (const uuid of uuids) {
    await client.post(`/scheduler/instances/${encodeURIComponent(uuid)}/unpin_zone`, {});
    stdout(`${uuid} can move to any availability zone.\n`);
  }
}
