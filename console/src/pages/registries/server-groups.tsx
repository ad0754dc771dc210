// Server groups: instances with an affinity or anti-affinity policy.
import type { Body, Client } from '@berth/client';
import { Group, Stack, Text } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import type { ServerGroup } from '../../service/registries';
import { useServerGroups } from '../../service/registries';
import { countOf, countText } from '../../shown/amount';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Part } from '../../shown/part';
import type { FieldValues, RegistryDefinition } from './registry-definition';

const POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'];

const MEMBERS_READ = 1_000;

/** A group with members cannot change its policy: the members were placed under it. */
const isFixed = ({ members }: ServerGroup): boolean => members.length > 0;

export const SERVER_GROUPS: RegistryDefinition<ServerGroup> = {
  collection: 'server_groups',
  one: 'server group',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useRows: useServerGroups,
  callsOf: ({ serverGroups }) => serverGroups,
  columns: [
    {
      key: 'policy',
      name: 'Policy',
      width: '200px',
      value: ({ policy }) => policy,
      cell: ({ policy, rules: { max_server_per_host: most } }) =>
        most === undefined ? policy : `${policy}, ${countOf(most, 'a host', 'a host')}`,
    },
    { key: 'project', name: 'Project', width: '180px', value: ({ project_id: project }) => project },
    { key: 'members', name: 'Members', width: '100px', align: 'right', value: ({ members }) => members.length },
    {
      key: 'hosts',
      name: 'Hosts',
      width: 'minmax(160px, 1fr)',
      value: ({ hosts }) => hosts.length,
      csv: ({ hosts }) => hosts.join(' '),
      cell: ({ hosts }) => (hosts.length === 0 ? '–' : hosts.join(', ')),
    },
  ],
  textOf: ({ name, uuid, project_id: project, policy, members, hosts }) =>
    [name, uuid, project ?? '', policy, ...members, ...hosts].join(' '),
  command: 'openstack server group create --policy anti-affinity databases',
  fields: [
    [
      { name: 'name', label: 'Name', kind: 'text', initial: '' },
      { name: 'project_id', label: 'Project', kind: 'text', initial: '', isOptional: true, placeholder: 'Any' },
    ],
    [
      { name: 'policy', label: 'Policy', kind: 'choice', initial: 'anti-affinity', choices: POLICIES, isFixed },
      {
        name: 'most',
        label: 'Members on one host, at most',
        kind: 'number',
        initial: '',
        read: ({ rules }) => rules.max_server_per_host ?? '',
        isOptional: true,
        placeholder: '1',
        min: 1,
        isShown: ({ policy }) => policy === 'anti-affinity',
        isFixed,
      },
    ],
  ],
  save,
  below: (group) => <Members group={group} />,
};

/** A patch cannot change the policy, so another policy replaces the group. Members that the document omits stay. */
function save({ serverGroups }: Client, { most, ...named }: FieldValues, base: ServerGroup | undefined) {
  const rules = named['policy'] === 'anti-affinity' && typeof most === 'number' ? { max_server_per_host: most } : {};
  const group = { ...named, rules } as Body<'/scheduler/server_groups', 'post'>;
  if (base === undefined) return serverGroups.create(group);
  const { uuid, generation, user_id: user } = base;
  const isOther = group.policy !== base.policy || rules.max_server_per_host !== base.rules.max_server_per_host;
  if (isOther) return serverGroups.put(uuid, { ...group, generation, user_id: user });
  return serverGroups.change(uuid, { generation, name: group.name, project_id: group.project_id ?? null });
}

function Members({ group: { uuid: group, members } }: { readonly group: ServerGroup }) {
  const { data } = useAnswer(
    'decisions',
    ['members', group],
    ({ reports }, signal) => reports.instances.list({ server_group: group, limit: MEMBERS_READ }, { signal }),
    { rule: 'berth:reports:instances' },
  );
  const placed = new Map(data?.instances.map((instance) => [instance.uuid, instance]));
  return (
    <Part title={`Members (${countText(members.length)})`}>
      {members.length === 0 && <Text>None: placing an instance with this group makes it a member.</Text>}
      <Stack gap={2}>
        {members.map((uuid) => {
          const { name, flavor, project_id: project, host } = placed.get(uuid) ?? {};
          return (
            <Group key={uuid} gap="xs">
              <PageLink to={`/decisions?instance=${uuid}`} title={uuid} ff={name ? 'text' : 'monospace'}>
                {name ?? uuid}
              </PageLink>
              <Note>{[flavor, project, host && `on ${host}`].filter(Boolean).join(', ')}</Note>
            </Group>
          );
        })}
      </Stack>
    </Part>
  );
}
