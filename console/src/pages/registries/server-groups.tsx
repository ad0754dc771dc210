// Server groups: instances that belong together, or apart.
import { Anchor, Group, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../session/session';
import { countOf, countText } from '../../shown/amount';
import { CommandText, IdText } from '../../shown/copy-text';
import { OpenButton } from './open-button';
import { DeleteButton, NoRecord, RecordDrawer, SaveBar } from './record-drawer';
import { RegistryTable } from './registry-table';
import type { RegistryColumn } from './registry-table';
import { useRecordForm } from './use-record-form';
import { useServerGroups } from './use-registries';
import type { ServerGroup } from './use-registries';
import { useOpened } from './use-opened';

export function ServerGroups() {
  const question = useServerGroups();
  const { may } = useSession();
  const opened = useOpened();
  const record = question.data?.rows.find(({ uuid }) => uuid === opened.id);
  return (
    <>
      <RegistryTable
        question={question}
        one="server group"
        columns={columnsFor(opened.open)}
        keyOf={({ uuid }) => uuid}
        textOf={({ name, uuid, project_id: project, policy, members, hosts }) =>
          [name, uuid, project ?? '', policy, ...members, ...hosts].join(' ')
        }
        create={may('berth:scheduler:server_groups:create') ? opened.create : undefined}
        first={<CommandText command="openstack server group create --policy anti-affinity databases" />}
      />
      <RecordDrawer
        title={opened.isNew ? 'New server group' : `Server group ${record?.name ?? ''}`}
        isOpen={opened.isOpen}
        close={opened.close}
      >
        {opened.isNew || record !== undefined ? (
          <Opened key={opened.id} record={record} opened={opened} />
        ) : (
          <NoRecord one="server group" isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}

const columnsFor = (open: (uuid: string) => void): readonly RegistryColumn<ServerGroup>[] => [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(180px, 1fr)',
    value: ({ name }) => name,
    cell: ({ name, uuid }) => <OpenButton name={name} open={() => open(uuid)} />,
  },
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

interface OpenedProps {
  readonly record: ServerGroup | undefined;
  readonly opened: ReturnType<typeof useOpened>;
}

function Opened({ record, opened }: OpenedProps) {
  const { may, service } = useSession();
  return (
    <Stack gap="lg">
      <ServerGroupForm record={record} onCreated={({ uuid }) => opened.open(uuid)} />
      {record !== undefined && <Members group={record} />}
      {record !== undefined && may('berth:scheduler:server_groups:delete') && (
        <DeleteButton
          what={`server group ${record.name}`}
          remove={() => service.scheduler.serverGroups.delete(record.uuid)}
          onRemoved={opened.close}
        />
      )}
    </Stack>
  );
}

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

interface FormProps {
  readonly record: ServerGroup | undefined;
  readonly onCreated: (made: ServerGroup) => void;
}

function ServerGroupForm({ record, onCreated }: FormProps) {
  const { service, may } = useSession();
  const { serverGroups } = service.scheduler;
  const isReadOnly = !may(`berth:scheduler:server_groups:${record === undefined ? 'create' : 'update'}`);
  // Its members rely on what they were promised.
  const isFixed = isReadOnly || (record?.members.length ?? 0) > 0;
  const { form, submit, ...bar } = useRecordForm({
    record,
    valuesOf,
    namesOf,
    save: ({ name, project_id: project, policy, most }, base) => {
      const projectId = project.trim() === '' ? null : project.trim();
      const rules = most === '' ? {} : { max_server_per_host: Number(most) };
      if (base === undefined) return serverGroups.create({ name, project_id: projectId, policy, rules });
      const isOther = policy !== base.policy || rules.max_server_per_host !== base.rules.max_server_per_host;
      return serverGroups.change(base.uuid, {
        generation: base.generation,
        name,
        project_id: projectId,
        ...(isOther && { policy, rules }),
      });
    },
    onSaved: (saved) => {
      if (record === undefined) onCreated(saved);
    },
    saysSaved: ({ name }) => `Server group ${name} is saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={record.uuid} />}
        <Group grow align="flex-start">
          <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
          <TextInput label="Project" placeholder="Any" readOnly={isReadOnly} {...form.getInputProps('project_id')} />
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
        {!isReadOnly && <SaveBar {...bar} isNew={record === undefined} />}
      </Stack>
    </form>
  );
}

const valuesOf = (record: ServerGroup | undefined): Values => ({
  name: record?.name ?? '',
  project_id: record?.project_id ?? '',
  policy: record?.policy ?? 'anti-affinity',
  most: record?.rules.max_server_per_host ?? '',
});

const namesOf = () => ({ fields: ['name', 'project_id', 'policy'] });
