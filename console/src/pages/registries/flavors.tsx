// Flavors: what an instance gets, and what it asks of its host.
import { Group, NumberInput, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
import { amountText } from '../../shown/amount';
import { CommandText } from '../../shown/copy-text';
import { askedColumns } from './asked-columns';
import { AsksFor } from './asks-for';
import { changesBetween, pairsOf, recordOf } from './pairs';
import type { Pair } from './pairs';
import { PairsField } from './pairs-field';
import { RecordForm } from './record-form';
import type { RecordFormProps } from './record-form';
import type { RecordKind } from './record-kind';
import { RecordRegistry } from './record-registry';
import type { RegistryColumn } from './registry-table';
import { useFlavors } from './use-registries';
import type { Flavor } from './use-registries';

const KIND: RecordKind<Flavor> = {
  collection: 'flavors',
  one: 'flavor',
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
};

export function Flavors() {
  const { flavors } = useSession().service.scheduler;
  return (
    <RecordRegistry
      kind={KIND}
      question={useFlavors()}
      columns={COLUMNS}
      textOf={({ name, id, extra_specs: specs }) => [name, id, ...Object.entries(specs).flat()].join(' ')}
      first={<CommandText command="openstack flavor create --vcpus 2 --ram 4096 --disk 20 m1.medium" />}
      Form={FlavorForm}
      below={({ id, generation }) => <AsksFor flavor={id} image={null} version={`${id} ${generation}`} />}
      remove={({ id }) => flavors.delete(id)}
    />
  );
}

const COLUMNS: readonly RegistryColumn<Flavor>[] = [
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
  ...askedColumns<Flavor>(
    { key: 'extra_specs', name: 'Other extra specs', width: 'minmax(200px, 1.4fr)' },
    ({ extra_specs: specs }) => specs,
  ),
];

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

function FlavorForm(props: RecordFormProps<Flavor>) {
  const { flavors } = useSession().service.scheduler;
  return (
    <RecordForm
      kind={KIND}
      {...props}
      valuesOf={valuesOf}
      namesOf={namesOf}
      save={({ name, pairs, ...given }, base) => {
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
      }}
    >
      {(form, isReadOnly) => (
        <>
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
            form={form}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </RecordForm>
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
