// `berth aggregate list|create|delete|add|remove`: host aggregates.
import type { Schema } from '../../../client/src/routes.ts';
import { CommandFailed } from '../command-context';
import { checkHosts, listed, unknownName } from './listed';
import type { Action, Printing } from './printing';
import { pairsOf, printListing } from './printing';
import type { ServiceClient } from './service-client';

type HostAggregate = Schema<'HostAggregate'>;

const PATH = '/scheduler/host_aggregates';

const allAggregates = async (client: ServiceClient): Promise<readonly HostAggregate[]> =>
  (await listed<HostAggregate>(client, PATH, { member: 'host_aggregates' })).entries;

export const showAggregates: Action = async (client, streams, printing) => {
  const aggregates = await allAggregates(client);
  const rows = aggregates.map(({ hosts, metadata, ...aggregate }) => {
    const { availability_zone: zone, ...others } = metadata;
    return { ...aggregate, zone, hosts: hosts.length, metadata: pairsOf(others), members: hosts };
  });
  printListing(streams, printing, {
    document: aggregates,
    columns: ['name', 'zone', 'hosts', 'metadata'],
    wide: ['members', 'uuid'],
    rows,
    name: 'name',
    empty: 'No host aggregate is registered.',
  });
};

export const createAggregate: Action<Printing & { readonly zone?: string }> = async (
  client,
  { stdout },
  { zone },
  [name = ''],
) => {
  await client.post(PATH, { name, ...(zone !== undefined && { availability_zone: zone }) });
  stdout(`Host aggregate ${name} is created${zone === undefined ? '' : ` in availability zone ${zone}`}.\n`);
};

export const deleteAggregate: Action = async (client, { stdout }, _options, [name = '']) => {
  const { uuid } = await aggregateNamed(client, name);
  await client.delete(`${PATH}/${uuid}`);
  stdout(`Host aggregate ${name} is deleted.\n`);
};

/** Changes nothing if the aggregate or a host does not exist. */
export const changeMembers =
  (change: 'add' | 'remove'): Action =>
  async (client, { stdout }, _options, [name = '', ...hosts]) => {
    const { uuid, hosts: members } = await aggregateNamed(client, name);
    if (change === 'add') await checkHosts(client, hosts);
    for (const host of hosts) {
      if (change === 'remove' && !members.includes(host))
        throw unknownName('Host', host, members, 'aggregate list -o wide');
    }
    for (const host of hosts) {
      if (change === 'add') await client.post(`${PATH}/${uuid}/hosts`, { host });
      else await client.delete(`${PATH}/${uuid}/hosts/${encodeURIComponent(host)}`);
      stdout(`${host} is ${change === 'add' ? 'in' : 'no longer in'} ${name}.\n`);
    }
  };

/** By name or uuid. */
async function aggregateNamed(client: ServiceClient, given: string): Promise<HostAggregate> {
  const all = await allAggregates(client);
  const found = all.filter(({ name, uuid }) => name === given || uuid === given);
  const [aggregate] = found;
  const names = all.map(({ name }) => name);
  if (aggregate === undefined) throw unknownName('Host aggregate', given, names, 'aggregate list');
  if (found.length > 1)
    throw new CommandFailed(`${found.length} host aggregates have the name '${given}'. Give the uuid.`);
  return aggregate;
}
