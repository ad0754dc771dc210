// Images: their format, and what their properties ask of a host.
import { Group, Select, Text, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
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
import { useImages } from './use-registries';
import type { Image } from './use-registries';

const KIND: RecordKind<Image> = {
  collection: 'images',
  one: 'image',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name, uuid }) => name ?? uuid,
};

/** The smallest instance that there is: what is asked beside its amounts comes from the image. */
const SMALLEST = { vcpus: 1, memory_mb: 1, root_gb: 1 };

export function Images() {
  const { images } = useSession().service.scheduler;
  return (
    <RecordRegistry
      kind={KIND}
      question={useImages()}
      columns={COLUMNS}
      textOf={({ name, uuid, disk_format: format, properties }) =>
        [name ?? '', uuid, format ?? '', ...Object.entries(properties).flat()].join(' ')
      }
      first={<CommandText command="openstack image create --disk-format qcow2 --property os_type=linux ubuntu" />}
      Form={ImageForm}
      below={({ uuid, generation }) => (
        <AsksFor flavor={SMALLEST} image={uuid} version={`${uuid} ${generation}`}>
          <Text size="sm" c="dimmed">
            With the smallest flavor: 1 vCPU, 1 MiB memory, 1 GiB disk.
          </Text>
        </AsksFor>
      )}
      remove={({ uuid }) => images.delete(uuid)}
    />
  );
}

const COLUMNS: readonly RegistryColumn<Image>[] = [
  {
    key: 'disk_format',
    name: 'Format',
    width: '100px',
    value: ({ disk_format: format }) => format,
    cell: ({ disk_format: format }) => format ?? '–',
  },
  ...askedColumns<Image>(
    { key: 'properties', name: 'Other properties', width: 'minmax(260px, 2fr)' },
    ({ properties }) => properties,
  ),
];

const FORMATS = ['qcow2', 'raw', 'vmdk', 'vhd', 'vhdx', 'vdi', 'iso', 'ploop', 'ami', 'aki', 'ari'];

interface Values {
  readonly name: string;
  readonly disk_format: string | null;
  readonly pairs: Pair[];
}

function ImageForm(props: RecordFormProps<Image>) {
  const { images } = useSession().service.scheduler;
  const { record } = props;
  const formats = [...new Set([...FORMATS, ...(record?.disk_format ? [record.disk_format] : [])])];
  return (
    <RecordForm
      kind={KIND}
      {...props}
      valuesOf={valuesOf}
      namesOf={namesOf}
      save={({ name, disk_format: format, pairs }, base) => {
        const properties = recordOf(pairs);
        const named = { name: name.trim() === '' ? null : name, disk_format: format };
        if (base === undefined) return images.create({ ...named, properties });
        return images.change(base.uuid, {
          generation: base.generation,
          ...named,
          properties: changesBetween(base.properties, properties),
        });
      }}
    >
      {(form, isReadOnly) => (
        <>
          <Group grow align="flex-start">
            <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
            <Select
              label="Disk format"
              data={formats}
              placeholder="Not said"
              clearable={!isReadOnly}
              readOnly={isReadOnly}
              {...form.getInputProps('disk_format')}
            />
          </Group>
          <PairsField
            legend="Properties"
            hint="As os_type = windows, trait:CUSTOM_LICENSED = required, hw_vif_model = virtio."
            form={form}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </RecordForm>
  );
}

const valuesOf = (record: Image | undefined): Values => ({
  name: record?.name ?? '',
  disk_format: record?.disk_format ?? null,
  pairs: record === undefined ? [] : pairsOf(record.properties),
});

const namesOf = ({ pairs }: Values) => ({
  fields: ['name', 'disk_format'],
  pairs: { field: 'properties', keys: pairs.map(({ key }) => key.trim()) },
});
