// Flavors: what an instance gets, and what it asks of its host.
import { Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
import { amountText } from '../../shown/amount';
import { CommandText, IdText } from '../../shown/copy-text';
import { AsksFor } from './asks-for';
import { KeyChips } from './key-chips';
import { OpenButton } from './open-button';
import { changesBetween, pairsOf, recordOf } from './pairs';
import type { Pair } from './pairs';
import { PairsField } from './pairs-field';
import { DeleteButton, NoRecord, RecordDrawer, SaveBar } from './record-drawer';
import { RegistryTable } from './registry-table';
import type { RegistryColumn } from './registry-table';
import { RequiredTraits } from './required-traits';
import { requirementsOf } from './requirements';
import { useRecordForm } from './use-record-form';
import { useFlavors } from './use-registries';
import type { Flavor } from './use-registries';
import { useOpened } from './use-opened';

export function Flavors() {
  const question = useFlavors();
  const { may } = useSession();
  const opened = useOpened();
  const record = question.data?.rows.find(({ id }) => id === opened.id);
  return (
    <>
      <RegistryTable
        question={question}
        one="flavor"
        columns={columnsFor(opened.open)}
        keyOf={({ id }) => id}
        textOf={({ name, id, extra_specs: specs }) => [name, id, ...Object.entries(specs).flat()].join(' ')}
        create={may('berth:scheduler:flavors:create') ? opened.create : undefined}
        first={<CommandText command="openstack flavor create --vcpus 2 --ram 4096 --disk 20 m1.medium" />}
      />
      <RecordDrawer
        title={opened.isNew ? 'New flavor' : `Flavor ${record?.name ?? ''}`}
        isOpen={opened.isOpen}
        close={opened.close}
      >
        {opened.isNew || record !== undefined ? (
          <Opened key={opened.id} record={record} opened={opened} />
        ) : (
          <NoRecord one="flavor" isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}

const columnsFor = (open: (id: string) => void): readonly RegistryColumn<Flavor>[] => [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(160px, 1fr)',
    value: ({ name }) => name,
    cell: ({ name, id }) => <OpenButton name={name} open={() => open(id)} />,
  },
  {
    key: 'vcpus',
    name: 'vCPU',
    width: '80px',
    align: 'right',
    value: ({ vcpus }) => vcpus,
    cell: ({ vcpus }) => vcpus,
  },
  {
    key: 'memory_mb',
    name: 'Memory',
    width: '100px',
    align: 'right',
    value: ({ memory_mb: memory }) => memory,
    cell: ({ memory_mb: memory }) => amountText('MEMORY_MB', memory),
  },
  {
    key: 'root_gb',
    name: 'Disk',
    width: '100px',
    align: 'right',
    value: ({ root_gb: disk }) => disk,
    cell: ({ root_gb: disk }) => amountText('DISK_GB', disk),
  },
  {
    key: 'traits',
    name: 'Traits it asks for',
    width: 'minmax(220px, 1.4fr)',
    value: ({ extra_specs: specs }) => requirementsOf(specs).length,
    csv: ({ extra_specs: specs }) =>
      requirementsOf(specs)
        .map(({ trait, isForbidden }) => (isForbidden ? `!${trait}` : trait))
        .join(' '),
    cell: ({ extra_specs: specs }) => <RequiredTraits record={specs} />,
  },
  {
    key: 'extra_specs',
    name: 'Other extra specs',
    width: 'minmax(200px, 1.4fr)',
    value: ({ extra_specs: specs }) => Object.keys(withoutTraits(specs)).length,
    csv: ({ extra_specs: specs }) =>
      Object.entries(specs)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    cell: ({ extra_specs: specs }) => <KeyChips record={withoutTraits(specs)} />,
  },
];

const withoutTraits = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !/^trait[\w-]*:/.test(key)));

interface OpenedProps {
  readonly record: Flavor | undefined;
  readonly opened: ReturnType<typeof useOpened>;
}

function Opened({ record, opened }: OpenedProps) {
  const { may, service } = useSession();
  return (
    <Stack gap="lg">
      <FlavorForm record={record} onCreated={({ id }) => opened.open(id)} />
      {record !== undefined && (
        <AsksFor flavor={record.id} image={null} version={`${record.id} ${record.generation}`} />
      )}
      {record !== undefined && may('berth:scheduler:flavors:delete') && (
        <DeleteButton
          what={`flavor ${record.name}`}
          remove={() => service.scheduler.flavors.delete(record.id)}
          onRemoved={opened.close}
        />
      )}
    </Stack>
  );
}

const AMOUNTS = [
  { field: 'vcpus', label: 'vCPU', least: 1 },
  { field: 'memory_mb', label: 'Memory, MiB', least: 1 },
  { field: 'root_gb', label: 'Root disk, GiB', least: 0 },
  { field: 'ephemeral_gb', label: 'Ephemeral, GiB', least: 0 },
  { field: 'swap', label: 'Swap, MiB', least: 0 },
] as const;

type Amounts = Record<(typeof AMOUNTS)[number]['field'], number | string>;

interface Values extends Amounts {
  name: string;
  pairs: Pair[];
}

interface FormProps {
  readonly record: Flavor | undefined;
  readonly onCreated: (made: Flavor) => void;
}

function FlavorForm({ record, onCreated }: FormProps) {
  const { service, may } = useSession();
  const { flavors } = service.scheduler;
  const isReadOnly = !may(`berth:scheduler:flavors:${record === undefined ? 'create' : 'update'}`);
  const { form, submit, ...bar } = useRecordForm({
    record,
    valuesOf,
    namesOf,
    save: ({ name, pairs, ...given }, base) => {
      const specs = recordOf(pairs);
      const amounts = {
        vcpus: Number(given.vcpus),
        memory_mb: Number(given.memory_mb),
        root_gb: Number(given.root_gb),
        ephemeral_gb: Number(given.ephemeral_gb),
        swap: Number(given.swap),
      };
      if (base === undefined) return flavors.create({ name, ...amounts, extra_specs: specs });
      return flavors.change(base.id, {
        generation: base.generation,
        name,
        ...amounts,
        extra_specs: changesBetween(base.extra_specs, specs),
      });
    },
    onSaved: (saved) => {
      if (record === undefined) onCreated(saved);
    },
    saysSaved: ({ name }) => `Flavor ${name} is saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={record.id} />}
        <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
        <Group align="flex-start" gap="sm">
          {AMOUNTS.map(({ field, label, least }) => (
            <NumberInput
              key={field}
              label={label}
              min={least}
              w={150}
              allowDecimal={false}
              readOnly={isReadOnly}
              {...form.getInputProps(field)}
            />
          ))}
        </Group>
        <PairsField
          legend="Extra specs"
          hint="As trait:HW_CPU_X86_AVX2 = required, resources:VGPU = 1, hw:cpu_policy = dedicated."
          pairs={form.values.pairs}
          onChange={(pairs) => form.setFieldValue('pairs', pairs)}
          errors={form.errors}
          isReadOnly={isReadOnly}
        />
        {!isReadOnly && <SaveBar {...bar} isNew={record === undefined} />}
      </Stack>
    </form>
  );
}

const valuesOf = (record: Flavor | undefined): Values => ({
  name: record?.name ?? '',
  vcpus: record?.vcpus ?? 1,
  memory_mb: record?.memory_mb ?? 1024,
  root_gb: record?.root_gb ?? 10,
  ephemeral_gb: record?.ephemeral_gb ?? 0,
  swap: record?.swap ?? 0,
  pairs: record === undefined ? [] : pairsOf(record.extra_specs),
});

const namesOf = ({ pairs }: Values) => ({
  fields: ['name', ...AMOUNTS.map(({ field }) => field)],
  pairs: { field: 'extra_specs', keys: pairs.map(({ key }) => key.trim()) },
});
