// Flavors: the resources of an instance and its requirements on the host.
import type { Flavor } from '../../service/registries';
import { useFlavors } from '../../service/registries';
import { amountText } from '../../shown/amount';
import type { ListColumn } from '../../shown/list-table';
import { askedColumns } from './asked-columns';
import { AsksFor } from './asks-for';
import type { RegistryDefinition } from './registry-definition';

const AMOUNT = { kind: 'number', width: 150 } as const;

const amountColumn = (key: 'memory_mb' | 'root_gb', name: string, unit: string): ListColumn<Flavor> => ({
  key,
  name,
  width: '100px',
  align: 'right',
  value: ({ [key]: amount }) => amount,
  cell: ({ [key]: amount }) => amountText(unit, amount),
});

export const FLAVORS: RegistryDefinition<Flavor> = {
  collection: 'flavors',
  one: 'flavor',
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  useRows: useFlavors,
  callsOf: ({ flavors }) => flavors,
  columns: [
    { key: 'vcpus', name: 'vCPU', width: '80px', align: 'right', value: ({ vcpus }) => vcpus },
    amountColumn('memory_mb', 'Memory', 'MEMORY_MB'),
    amountColumn('root_gb', 'Disk', 'DISK_GB'),
    ...askedColumns<Flavor>(
      { key: 'extra_specs', name: 'Other extra specs', width: 'minmax(200px, 1.4fr)' },
      ({ extra_specs: specs }) => specs,
    ),
  ],
  textOf: ({ name, id, extra_specs: specs }) => [name, id, ...Object.entries(specs).flat()].join(' '),
  command: 'openstack flavor create --vcpus 2 --ram 4096 --disk 20 m1.medium',
  fields: [
    [{ name: 'name', label: 'Name', kind: 'text', initial: '' }],
    [
      { ...AMOUNT, name: 'vcpus', label: 'vCPU', initial: 1, min: 1 },
      { ...AMOUNT, name: 'memory_mb', label: 'Memory, MiB', initial: 1024, min: 1 },
      { ...AMOUNT, name: 'root_gb', label: 'Root disk, GiB', initial: 10, min: 0 },
      { ...AMOUNT, name: 'ephemeral_gb', label: 'Ephemeral, GiB', initial: 0, min: 0 },
      { ...AMOUNT, name: 'swap', label: 'Swap, MiB', initial: 0, min: 0 },
    ],
  ],
  pairs: {
    field: 'extra_specs',
    legend: 'Extra specs',
    hint: 'As trait:HW_CPU_X86_AVX2 = required, resources:VGPU = 1, hw:cpu_policy = dedicated.',
    read: ({ extra_specs: specs }) => specs,
  },
  below: ({ id, generation }) => <AsksFor flavor={id} image={null} version={`${id} ${generation}`} />,
};
