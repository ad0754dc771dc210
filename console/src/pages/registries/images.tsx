// Images: their format, and what their properties ask of a host.
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
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
import { useImages } from './use-registries';
import type { Image } from './use-registries';
import { useOpened } from './use-opened';

export function Images() {
  const question = useImages();
  const { may } = useSession();
  const opened = useOpened();
  const record = question.data?.rows.find(({ uuid }) => uuid === opened.id);
  return (
    <>
      <RegistryTable
        question={question}
        one="image"
        columns={columnsFor(opened.open)}
        keyOf={({ uuid }) => uuid}
        textOf={({ name, uuid, disk_format: format, properties }) =>
          [name ?? '', uuid, format ?? '', ...Object.entries(properties).flat()].join(' ')
        }
        create={may('berth:scheduler:images:create') ? opened.create : undefined}
        first={<CommandText command="openstack image create --disk-format qcow2 --property os_type=linux ubuntu" />}
      />
      <RecordDrawer
        title={opened.isNew ? 'New image' : `Image ${record === undefined ? '' : nameOf(record)}`}
        isOpen={opened.isOpen}
        close={opened.close}
      >
        {opened.isNew || record !== undefined ? (
          <Opened key={opened.id} record={record} opened={opened} />
        ) : (
          <NoRecord one="image" isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}

const nameOf = ({ name, uuid }: Image): string => name ?? uuid;

const columnsFor = (open: (uuid: string) => void): readonly RegistryColumn<Image>[] => [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(180px, 1fr)',
    value: nameOf,
    cell: (image) => <OpenButton name={nameOf(image)} open={() => open(image.uuid)} />,
  },
  {
    key: 'disk_format',
    name: 'Format',
    width: '100px',
    value: ({ disk_format: format }) => format,
    cell: ({ disk_format: format }) => format ?? '–',
  },
  {
    key: 'traits',
    name: 'Traits it asks for',
    width: 'minmax(220px, 1.2fr)',
    value: ({ properties }) => requirementsOf(properties).length,
    csv: ({ properties }) =>
      requirementsOf(properties)
        .map(({ trait, isForbidden }) => (isForbidden ? `!${trait}` : trait))
        .join(' '),
    cell: ({ properties }) => <RequiredTraits record={properties} />,
  },
  {
    key: 'properties',
    name: 'Other properties',
    width: 'minmax(260px, 2fr)',
    value: ({ properties }) => Object.keys(withoutTraits(properties)).length,
    csv: ({ properties }) =>
      Object.entries(properties)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
    cell: ({ properties }) => <KeyChips record={withoutTraits(properties)} />,
  },
];

const withoutTraits = (record: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith('trait:')));

/** The smallest instance that there is: what is asked beside its amounts comes from the image. */
const SMALLEST = { vcpus: 1, memory_mb: 1, root_gb: 1 };

interface OpenedProps {
  readonly record: Image | undefined;
  readonly opened: ReturnType<typeof useOpened>;
}

function Opened({ record, opened }: OpenedProps) {
  const { may, service } = useSession();
  return (
    <Stack gap="lg">
      <ImageForm record={record} onCreated={({ uuid }) => opened.open(uuid)} />
      {record !== undefined && (
        <AsksFor flavor={SMALLEST} image={record.uuid} version={`${record.uuid} ${record.generation}`}>
          <Text size="sm" c="dimmed">
            With the smallest flavor: 1 vCPU, 1 MiB memory, 1 GiB disk.
          </Text>
        </AsksFor>
      )}
      {record !== undefined && may('berth:scheduler:images:delete') && (
        <DeleteButton
          what={`image ${nameOf(record)}`}
          remove={() => service.scheduler.images.delete(record.uuid)}
          onRemoved={opened.close}
        />
      )}
    </Stack>
  );
}

const FORMATS = ['qcow2', 'raw', 'vmdk', 'vhd', 'vhdx', 'vdi', 'iso', 'ploop', 'ami', 'aki', 'ari'];

interface Values {
  readonly name: string;
  readonly disk_format: string | null;
  readonly pairs: Pair[];
}

interface FormProps {
  readonly record: Image | undefined;
  readonly onCreated: (made: Image) => void;
}

function ImageForm({ record, onCreated }: FormProps) {
  const { service, may } = useSession();
  const { images } = service.scheduler;
  const isReadOnly = !may(`berth:scheduler:images:${record === undefined ? 'create' : 'update'}`);
  const { form, submit, ...bar } = useRecordForm({
    record,
    valuesOf,
    namesOf,
    save: ({ name, disk_format: format, pairs }, base) => {
      const properties = recordOf(pairs);
      const named = { name: name.trim() === '' ? null : name, disk_format: format };
      if (base === undefined) return images.create({ ...named, properties });
      return images.change(base.uuid, {
        generation: base.generation,
        ...named,
        properties: changesBetween(base.properties, properties),
      });
    },
    onSaved: (saved) => {
      if (record === undefined) onCreated(saved);
    },
    saysSaved: (saved) => `Image ${nameOf(saved)} is saved`,
  });
  const formats = [...new Set([...FORMATS, ...(record?.disk_format ? [record.disk_format] : [])])];
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={record.uuid} />}
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

const valuesOf = (record: Image | undefined): Values => ({
  name: record?.name ?? '',
  disk_format: record?.disk_format ?? null,
  pairs: record === undefined ? [] : pairsOf(record.properties),
});

const namesOf = ({ pairs }: Values) => ({
  fields: ['name', 'disk_format'],
  pairs: { field: 'properties', keys: pairs.map(({ key }) => key.trim()) },
});
