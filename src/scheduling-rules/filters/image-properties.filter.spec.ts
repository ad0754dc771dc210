import type { FilterRow } from '../pipeline/rule-table.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { imagePropertiesFilter } from './image-properties.filter';
import { meetsVersion, parseVersionConditions, problemOfVersionPredicate } from './version-condition';

const image = (properties: Readonly<Record<string, string>>) => ({
  image: { id: 'img', name: null, diskFormat: null, properties },
});
const KVM = ['x86_64', 'kvm', 'hvm'];
const host = (...supportedInstances: readonly (readonly string[])[]) => ({ supportedInstances });
const notSupported = (wanted: readonly string[], ...found: readonly string[]) => ({
  code: 'not_supported',
  params: { wanted, found },
});
const ARCHITECTURE = { hw_architecture: 'x86_64' };
const bits = (cpuInfo: unknown) => ({ ...host(KVM), cpuInfo });

const rows: readonly FilterRow[] = [
  {
    rule: 'an image that names none of the three passes, whatever version and bits it asks for',
    host: { ...host(KVM), hypervisorVersion: 1_000_000 },
    spec: image({ img_hv_requested_version: '>=6.0', hw_maxphysaddr_bits: '99' }),
    verdict: 'pass',
    flip: {
      spec: image({ ...ARCHITECTURE, img_hv_requested_version: '>=6.0' }),
      verdict: { code: 'hypervisor_version', params: { wanted: '>=6.0', found: '1.0.0' } },
    },
  },
  {
    rule: 'a host that advertises nothing is rejected once something is wanted',
    host: host(),
    spec: { image: null },
    verdict: 'pass',
    flip: {
      spec: image(ARCHITECTURE),
      verdict: { code: 'no_supported_instances', params: { wanted: ['x86_64'], found: [] } },
    },
  },
  {
    rule: 'one triple must hold every wanted value',
    host: host(['x86_64', 'qemu', 'hvm'], KVM),
    spec: image({ ...ARCHITECTURE, img_hv_type: 'kvm', hw_vm_mode: 'hvm' }),
    verdict: 'pass',
    flip: {
      host: host(['x86_64', 'qemu', 'hvm'], ['aarch64', 'kvm', 'hvm']),
      verdict: notSupported(['x86_64', 'kvm', 'hvm'], 'x86_64/qemu/hvm', 'aarch64/kvm/hvm'),
    },
  },
  {
    rule: 'a value may sit anywhere in the triple',
    host: host(['kvm', 'hvm', 'x86_64']),
    spec: image({ hw_vm_mode: 'hvm' }),
    verdict: 'pass',
    flip: { spec: image({ hw_vm_mode: 'xen' }), verdict: notSupported(['xen'], 'kvm/hvm/x86_64') },
  },
  {
    rule: 'the hypervisor type must be the advertised name',
    host: host(KVM),
    spec: image({ img_hv_type: 'kvm' }),
    verdict: 'pass',
    flip: { spec: image({ img_hv_type: 'qemu' }), verdict: notSupported(['qemu'], 'x86_64/kvm/hvm') },
  },
  {
    rule: 'empty properties want nothing',
    host: host(KVM),
    spec: image({ hw_architecture: '', img_hv_type: '', hw_vm_mode: ' ' }),
    verdict: 'pass',
    flip: { spec: image({ hw_vm_mode: 'exe' }), verdict: notSupported(['exe'], 'x86_64/kvm/hvm') },
  },
  {
    rule: 'an unknown name is compared in lower case',
    host: host(['new', 'kvm', 'hvm']),
    spec: image({ hw_architecture: 'NEW' }),
    verdict: 'pass',
    flip: { host: host(KVM), verdict: notSupported(['new'], 'x86_64/kvm/hvm') },
  },
  {
    rule: 'the default architecture stands in for images that name none',
    host: host(KVM),
    spec: image({}),
    options: { filter_scheduler: { image_properties_default_architecture: 'amd64' } },
    verdict: 'pass',
    flip: {
      options: { filter_scheduler: { image_properties_default_architecture: 'aarch64' } },
      verdict: notSupported(['aarch64'], 'x86_64/kvm/hvm'),
    },
  },
  {
    rule: 'the default architecture stands in where there is no image too, and gives way to one that is named',
    host: host(KVM),
    spec: { image: null },
    options: { filter_scheduler: { image_properties_default_architecture: 'aarch64' } },
    verdict: notSupported(['aarch64'], 'x86_64/kvm/hvm'),
    flip: { spec: image(ARCHITECTURE), verdict: 'pass' },
  },
  {
    rule: 'every condition on the version must hold',
    host: { ...host(KVM), hypervisorVersion: 6_002_000 },
    spec: image({ ...ARCHITECTURE, img_hv_requested_version: '>=6.2,<6.3' }),
    verdict: 'pass',
    flip: {
      host: { hypervisorVersion: 6_003_000 },
      verdict: { code: 'hypervisor_version', params: { wanted: '>=6.2,<6.3', found: '6.3.0' } },
    },
  },
  {
    rule: 'the version counts for every hypervisor type, and a host without one fits',
    host: { ...host(['x86_64', 'vmware', 'hvm']), hypervisorVersion: null },
    spec: image({ img_hv_type: 'vmware', img_hv_requested_version: '>=7' }),
    verdict: 'pass',
    flip: {
      host: { hypervisorVersion: 6_007_000 },
      verdict: { code: 'hypervisor_version', params: { wanted: '>=7', found: '6.7.0' } },
    },
  },
  {
    rule: 'a condition that cannot be read rejects with a code of its own',
    host: host(KVM),
    spec: image({ ...ARCHITECTURE, img_hv_requested_version: '6.0' }),
    verdict: {
      code: 'version_not_readable',
      params: { wanted: '6.0', problem: "'6.0' is no condition such as '>=6.0'" },
    },
    flip: { spec: image({ ...ARCHITECTURE, img_hv_requested_version: '>6.0' }), verdict: 'pass' },
  },
  {
    rule: 'the host must have as many address bits; cpu_info may be an object',
    host: bits({ maxphysaddr: { bits: 46 } }),
    spec: image({ ...ARCHITECTURE, hw_maxphysaddr_bits: '46' }),
    verdict: 'pass',
    flip: {
      spec: image({ ...ARCHITECTURE, hw_maxphysaddr_bits: '47' }),
      verdict: { code: 'address_bits', params: { wanted: 47, found: 46 } },
    },
  },
  {
    rule: 'cpu_info may be JSON text; unknown bits fit',
    host: bits('{"maxphysaddr": {}}'),
    spec: image({ ...ARCHITECTURE, hw_maxphysaddr_bits: '47' }),
    verdict: 'pass',
    flip: {
      host: bits('{"maxphysaddr": {"bits": 46}}'),
      verdict: { code: 'address_bits', params: { wanted: 47, found: 46 } },
    },
  },
  {
    rule: 'address bits that are no number reject with a code of their own',
    host: host(KVM),
    spec: image({ ...ARCHITECTURE, hw_maxphysaddr_bits: 'many' }),
    verdict: { code: 'address_bits_not_a_number', params: { wanted: 'many' } },
    flip: { spec: image({ ...ARCHITECTURE, hw_maxphysaddr_bits: ' ' }), verdict: 'pass' },
  },
];

/** A name in an image, and its canonical form. */
const SYNONYMS: readonly (readonly [property: string, given: string, canonical: string])[] = [
  ['hw_architecture', 'i386', 'i686'],
  ['hw_architecture', 'i486', 'i686'],
  ['hw_architecture', 'i586', 'i686'],
  ['hw_architecture', 'x86_32', 'i686'],
  ['hw_architecture', 'x86_32p', 'i686'],
  ['hw_architecture', 'AMD64', 'x86_64'],
  ['img_hv_type', 'xapi', 'xen'],
  ['img_hv_type', 'KVM', 'kvm'],
  ['hw_vm_mode', 'pv', 'xen'],
  ['hw_vm_mode', 'hv', 'hvm'],
  ['hw_vm_mode', 'baremetal', 'hvm'],
];

describe('ImagePropertiesFilter', () => {
  filterTable(imagePropertiesFilter, {
    reproduces: {
      no_supported_instances: {
        rejects: ({ found }) => (found as readonly string[]).length === 0,
        unless: { wanted: ['x86_64'], found: ['x86_64/kvm/hvm'] },
      },
      not_supported: {
        rejects: ({ wanted, found }) =>
          !(found as readonly string[]).some((triple) =>
            (wanted as readonly string[]).every((value) => triple.split('/').includes(value)),
          ),
        unless: { wanted: ['kvm', 'x86_64'], found: ['x86_64/kvm/hvm'] },
      },
      hypervisor_version: {
        rejects: ({ wanted, found }) =>
          !meetsVersion(String(found).split('.').map(Number), parseVersionConditions(String(wanted)).conditions ?? []),
        unless: { wanted: '>=6.0', found: '6.0.0' },
      },
      version_not_readable: {
        rejects: ({ wanted }) => problemOfVersionPredicate(String(wanted)) !== null,
        unless: { wanted: '>=6.0', problem: '' },
      },
      address_bits: {
        rejects: ({ wanted, found }) => Number(wanted) > Number(found),
        unless: { wanted: 46, found: 46 },
      },
      address_bits_not_a_number: {
        rejects: ({ wanted }) => !Number.isInteger(Number(wanted)),
        unless: { wanted: '46' },
      },
    },
    rows: [
      ...rows,
      ...SYNONYMS.map(([property, given, canonical]): FilterRow => ({
        rule: `${property} ${given} means ${canonical}`,
        host: host(['a', 'b', canonical]),
        spec: image({ [property]: given }),
        verdict: 'pass',
        flip: { host: host(['a', 'b', 'c']), verdict: notSupported([canonical], 'a/b/c') },
      })),
    ],
  });

  it('runs once per request, and on rebuild checks', () => {
    expect([imagePropertiesFilter.once, imagePropertiesFilter.rebuild]).toEqual([true, true]);
  });
});
