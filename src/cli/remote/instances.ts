// `berth instances [unpin-zone]` and `berth release`: the instances that Berth placed.
import type { Schema } from '../../../client/src/routes.ts';
import { canonicalUuid } from '../../platform/values/uuid';
import { CommandFailed } from '../command-context';
import { listed, unknownName } from './listed';
import type { Action, Printing } from './printing';
import { printListing } from './printing';
import { ageText } from './readable';
import type { ServiceClient } from './service-client';

interface InstanceChoice extends Printing {
  readonly name?: string;
  readonly host?: string;
  readonly project?: string;
  readonly flavor?: string;
  readonly limit: number;
}

type Instance = Schema<'ListedInstance'>;

export const showInstances: Action<InstanceChoice> = async (client, streams, options) => {
  const { name, host, project, flavor, limit } = options;
  const { entries, isCut } = await listed<Instance>(client, '/reports/instances', {
    member: 'instances',
    query: { search: name, host, project_id: project, flavor },
    most: limit,
  });
  const rows = entries.map(({ server_group: group, ...instance }) => ({
    ...instance,
    zone: instance.availability_zone,
    project: instance.project_id,
    created: ageText(instance.created_at),
    user: instance.user_id,
    group: group?.name ?? group?.uuid,
  }));
  printListing(streams, options, {
    document: entries,
    columns: ['uuid', 'name', 'flavor', 'host', 'zone', 'state', 'project', 'created'],
    wide: ['created_at', 'user', 'image', 'group', 'decision'],
    rows,
    name: 'uuid',
    empty: 'No instance matches.',
    more: isCut && `--limit N shows more than ${limit}`,
  });
};

/** Releases none if one of them does not exist, or its name is of several. */
export const releaseInstances: Action = async (client, { stdout }, _options, given) => {
  const found: Pick<Instance, 'uuid' | 'name' | 'host'>[] = [];
  for (const each of given) found.push(await client.get(`/scheduler/instances/${await instanceUuid(client, each)}`));
  for (const { uuid, name, host } of found) {
    await client.delete(`/scheduler/instances/${uuid}`);
    stdout(`${name === null ? '' : `${name}, `}${uuid} on ${host} is released.\n`);
  }
};

/** The uuid of an instance that is given by its uuid, or by a name that no other has. */
export async function instanceUuid(client: ServiceClient, given: string): Promise<string> {
  const uuid = canonicalUuid(given);
  if (uuid !== undefined) return uuid;
  const { entries } = await listed<Instance>(client, '/reports/instances', {
    member: 'instances',
    query: { search: given },
  });
  const [instance, ...others] = entries.filter(({ name }) => name === given);
  const known = entries.flatMap(({ name }) => name ?? []);
  if (instance === undefined) throw unknownName('Instance', given, known, 'instances');
  if (others.length === 0) return instance.uuid;
  throw new CommandFailed(`${others.length + 1} instances have the name '${given}'. Give the uuid.`);
}

export const unpinZones: Action = async (client, { stdout }, _options, uuids) => {
  for (const uuid of uuids) {
    await client.post(`/scheduler/instances/${encodeURIComponent(uuid)}/unpin_zone`, {});
    stdout(`${uuid} can move to any availability zone.\n`);
  }
};
