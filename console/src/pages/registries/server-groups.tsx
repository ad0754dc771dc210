// Server groups: instances that belong together, or apart.
import { Anchor, Group, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../session/session';
import { countOf, countText } from '../../shown/amount';
import { CommandText } from '../../shown/copy-text';
import { RecordForm } from './record-form';
import type { RecordFormProps } from './record-form';
import type { RecordKind } from './record-kind';
import { RecordRegistry } from './record-registry';
import type { RegistryColumn } from './registry-table';
import { useServerGroups } from './use-registries';
import type { ServerGroup } from './use-registries';

const KIND: RecordKind<ServerGroup> = {
  collection: 'server_groups',
  one: 'server group',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
};

export function ServerGroups() {
  const { serverGroups } = useSession().service.scheduler;
  return (
    <RecordRegistry
      kind={KIND}
      question={useServerGroups()}
      columns={COLUMNS}
      textOf={({ name, uuid, project_id: project, policy, members, hosts }) =>
        [name, uuid, project ?? '', policy, ...members, ...hosts].join(' ')
      }
      first={<CommandText command="openstack server group create --policy anti-affinity databases" />}
      Form={ServerGroupForm}
      below={(group) => <Members group={group} />}
      remove={({ uuid }) => serverGroups.delete(uuid)}
    />
  );
}

const COLUMNS: readonly RegistryColumn<ServerGroup>[] = [
  {
    key: 'policy',
    name: 'Policy',
    width: '200px',
    value: ({ policy }) => policy,
    cell: ({ policy, rules: { max_server_per_host: most } }) =>
      most === undefined ? policy : `${policy}, ${countOf(most, 'a host', 'a host')}`,
  },
  {
    key: 'project',
    name: 'Project',
    width: '180px',
    value: ({ project_id: project }) => project,
    cell: ({ project_id: project }) => project ?? '–',
  },
  {
    key: 'members',
    name: 'Members',
    width: '100px',
    align: 'right',
    value: ({ members }) => members.length,
    cell: ({ members }) => countText(members.length),
  },
  {
    key: 'hosts',
    name: 'Hosts',
    width: 'minmax(160px, 1fr)',
    value: ({ hosts }) => hosts.length,
    csv: ({ hosts }) => hosts.join(' '),
    cell: ({ hosts }) => (hosts.length === 0 ? '–' : hosts.join(', ')),
  },
];

function Members({ group: { members, hosts } }: { readonly group: ServerGroup }) {
  return (
    <section aria-labelledby="group-members">
      <Title order={2} size="h5" mb="xs" id="group-members">
        {`Members (${countText(members.length)})`}
      </Title>
      {members.length === 0 && <Text size="sm">None: placing an instance with this group makes it a member.</Text>}
      <Stack gap={2}>
        {members.map((uuid) => (
          <Anchor key={uuid} component={Link} to={`/decisions?instance=${uuid}`} size="sm" ff="monospace">
            {uuid}
          </Anchor>
        ))}
      </Stack>
      {hosts.length > 0 && <Text size="sm" mt="xs">{`On ${hosts.join(', ')}`}</Text>}
    </section>
  );
}

const POLICIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'] as const;

interface Values {
  readonly name: string;
  readonly project_id: string;
  readonly policy: ServerGroup['policy'];
  readonly most: number | string;
}

function ServerGroupForm(props: RecordFormProps<ServerGroup>) {
  const { serverGroups } = useSession().service.scheduler;
  return (
    <RecordForm
      kind={KIND}
      {...props}
      valuesOf={valuesOf}
      namesOf={namesOf}
      save={({ name, project_id: project, policy, most }, base) => {
        const projectId = project.trim() === '' ? null : project.trim();
        const rules = policy === 'anti-affinity' && most !== '' ? { max_server_per_host: Number(most) } : {};
        if (base === undefined) return serverGroups.create({ name, project_id: projectId, policy, rules });
        const { uuid, generation, user_id: user } = base;
        const isOther = policy !== base.policy || rules.max_server_per_host !== base.rules.max_server_per_host;
        // Its policy is no part that can be changed alone; members that are not named stay.
        return isOther
          ? serverGroups.put(uuid, { generation, name, project_id: projectId, user_id: user, policy, rules })
          : serverGroups.change(uuid, { generation, name, project_id: projectId });
      }}
    >
      {(form, isReadOnly) => {
        // Its members rely on what they were promised.
        const isFixed = isReadOnly || (props.record?.members.length ?? 0) > 0;
        return (
          <>
            <Group grow align="flex-start">
              <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
              <TextInput
                label="Project"
                placeholder="Any"
                readOnly={isReadOnly}
                {...form.getInputProps('project_id')}
              />
            </Group>
            <Group grow align="flex-start">
              <Select
                label="Policy"
                data={POLICIES}
                allowDeselect={false}
                readOnly={isFixed}
                description={isFixed && !isReadOnly ? 'Fixed while there are members.' : undefined}
                {...form.getInputProps('policy')}
              />
              {form.values.policy === 'anti-affinity' && (
                <NumberInput
                  label="Members on one host, at most"
                  placeholder="1"
                  min={1}
                  readOnly={isFixed}
                  {...form.getInputProps('most')}
                />
              )}
            </Group>
          </>
        );
      }}
    </RecordForm>
  );
}

const valuesOf = (record: ServerGroup | undefined): Values => ({
  name: record?.name ?? '',
  project_id: record?.project_id ?? '',
  policy: record?.policy ?? 'anti-affinity',
  most: record?.rules.max_server_per_host ?? '',
});

const namesOf = () => ({ fields: ['name', 'project_id', 'policy'] });
