// Images: their format, and the requirements of their properties on a host.
import { Text } from '@mantine/core';
import type { Image } from '../../service/registries';
import { useImages } from '../../service/registries';
import { askedColumns } from './asked-columns';
import { AsksFor } from './asks-for';
import type { RegistryDefinition } from './registry-definition';

/** The smallest possible flavor: all further requirements then come from the image. */
const SMALLEST = { vcpus: 1, memory_mb: 1, root_gb: 1 };

const FORMATS = ['qcow2', 'raw', 'vmdk', 'vhd', 'vhdx', 'vdi', 'iso', 'ploop', 'ami', 'aki', 'ari'];

export const IMAGES: RegistryDefinition<Image> = {
  collection: 'images',
  one: 'image',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name, uuid }) => name ?? uuid,
  useRows: useImages,
  callsOf: ({ images }) => images,
  columns: [
    { key: 'disk_format', name: 'Format', width: '100px', value: ({ disk_format: format }) => format },
    ...askedColumns<Image>(
      { key: 'properties', name: 'Other properties', width: 'minmax(260px, 2fr)' },
      ({ properties }) => properties,
    ),
  ],
  textOf: ({ name, uuid, disk_format: format, properties }) =>
    [name ?? '', uuid, format ?? '', ...Object.entries(properties).flat()].join(' '),
  command: 'openstack image create --disk-format qcow2 --property os_type=linux ubuntu',
  fields: [
    [
      { name: 'name', label: 'Name', kind: 'text', initial: '', isOptional: true },
      {
        name: 'disk_format',
        label: 'Disk format',
        kind: 'choice',
        initial: null,
        isOptional: true,
        choices: FORMATS,
        placeholder: 'Not said',
      },
    ],
  ],
  pairs: {
    field: 'properties',
    legend: 'Properties',
    hint: 'As os_type = windows, trait:CUSTOM_LICENSED = required, hw_vif_model = virtio.',
    read: ({ properties }) => properties,
  },
  below: ({ uuid, generation }) => (
    <AsksFor flavor={SMALLEST} image={uuid} version={`${uuid} ${generation}`}>
      <Text c="dimmed">With the smallest flavor: 1 vCPU, 1 MiB memory, 1 GiB disk.</Text>
    </AsksFor>
  ),
};
