import type { ReadImageProperties } from './image-properties';
import { imagePropertyProblem, isKnownImageProperty, readImageProperties } from './image-properties';

type Texts = Readonly<Record<string, string>>;
const read = (given: Texts, novaCompat = false, isRead = (_name: string): boolean => false): ReadImageProperties =>
  readImageProperties(given, { isRead, novaCompat });

describe('properties of an image', () => {
  it.each<[string, Texts, Texts]>([
    ['present names stay', { hw_disk_bus: 'ide' }, { hw_disk_bus: 'ide' }],
    ['architecture', { architecture: 'x86_64' }, { hw_architecture: 'x86_64' }],
    ['hypervisor_type', { hypervisor_type: 'kvm' }, { img_hv_type: 'kvm' }],
    ['hypervisor_version_requires', { hypervisor_version_requires: '>=6.0' }, { img_hv_requested_version: '>=6.0' }],
    ['vm_mode', { vm_mode: 'hvm' }, { hw_vm_mode: 'hvm' }],
    ['vmware_ostype', { vmware_ostype: 'windows9' }, { os_distro: 'windows9' }],
    ['vmware_adaptertype, IDE', { vmware_adaptertype: 'ide' }, { hw_disk_bus: 'ide' }],
    [
      'vmware_adaptertype, SCSI',
      { vmware_adaptertype: 'lsiLogic' },
      { hw_disk_bus: 'scsi', hw_scsi_model: 'lsilogic' },
    ],
    ['traits', { 'trait:X': 'required', 'trait:Y': 'forbidden' }, { 'trait:X': 'required', 'trait:Y': 'forbidden' }],
    ['cells', { 'hw_numa_cpus.0': '0-1', 'hw_numa_mem.1': '512' }, { 'hw_numa_cpus.0': '0-1', 'hw_numa_mem.1': '512' }],
    ['architectures by other names', { hw_architecture: 'I386' }, { hw_architecture: 'i686' }],
    ['hypervisor types by other names', { img_hv_type: 'XAPI' }, { img_hv_type: 'xen' }],
    ['VM modes by other names', { hw_vm_mode: 'pv' }, { hw_vm_mode: 'xen' }],
    ['hypervisor types of other systems', { img_hv_type: 'bhyve' }, { img_hv_type: 'bhyve' }],
    ['operating systems in lower case', { os_type: 'Windows' }, { os_type: 'windows' }],
    ['free text with its blanks', { os_distro: ' windows ' }, { os_distro: ' windows ' }],
    ['SCSI models by other names', { hw_scsi_model: 'ParaVirtual' }, { hw_scsi_model: 'vmpvscsi' }],
    ['VIF models in lower case', { hw_vif_model: 'VirtIO' }, { hw_vif_model: 'virtio' }],
    ['VIF models: VirtualE1000', { hw_vif_model: 'VirtualE1000' }, { hw_vif_model: 'e1000' }],
    ['VIF models: VirtualE1000e', { hw_vif_model: 'VirtualE1000e' }, { hw_vif_model: 'e1000e' }],
    ['VIF models: VirtualPCNet32', { hw_vif_model: 'VirtualPCNet32' }, { hw_vif_model: 'pcnet' }],
    ['VIF models: VirtualSriovEthernetCard', { hw_vif_model: 'VirtualSriovEthernetCard' }, { hw_vif_model: 'sriov' }],
    ['VIF models: VirtualVmxnet', { hw_vif_model: 'VirtualVmxnet' }, { hw_vif_model: 'vmxnet' }],
    ['VIF models: VirtualVmxnet3', { hw_vif_model: 'VirtualVmxnet3' }, { hw_vif_model: 'vmxnet3' }],
    ['blank values are absent ones', { hw_cpu_policy: '' }, { hw_cpu_policy: '' }],
    ['booleans as they are', { hw_mem_encryption: 'Yes' }, { hw_mem_encryption: 'Yes' }],
  ])('%s', (_, given, expected) => expect(read(given)).toEqual({ properties: expected, ignored: [] }));

  it.each([[['architecture', 'hw_architecture']], [['hw_architecture', 'architecture']]])(
    'the newer name wins in the order %j',
    (names) => {
      const given = Object.fromEntries(names.map((name) => [name, name === 'architecture' ? 'i686' : 'x86_64']));
      const { properties, ignored } = read(given);
      expect(properties).toEqual({ hw_architecture: 'x86_64' });
      expect(ignored).toEqual([{ field: 'image.properties.architecture', why: 'the newer name is given as well' }]);
    },
  );

  it('unknown ones are put aside and reported', () => {
    expect(read({ colour: 'blue', hw_diskbus: 'ide', os_type: 'linux' })).toEqual({
      properties: { os_type: 'linux' },
      ignored: ['colour', 'hw_diskbus'].map((name) => ({
        field: `image.properties.${name}`,
        why: 'it is not a known image property',
      })),
    });
  });

  it('a bad value under an older name is refused also if the newer name is given', () => {
    expect(() => read({ vm_mode: 'batch', hw_vm_mode: 'hvm' })).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field: 'image.properties.vm_mode' }),
    );
  });

  it('unknown ones that an enabled part reads are kept', () => {
    expect(read({ colour: 'blue' }, false, (name) => name === 'colour')).toEqual({
      properties: { colour: 'blue' },
      ignored: [],
    });
  });

  it.each<[string, string]>([
    ['hw_architecture', 'z80'],
    ['architecture', 'z80'],
    ['hw_architecture', 'riscv64'],
    ['hw_emulation_architecture', 'pdp11'],
    ['hw_video_model', 'QXL'],
    ['hw_vif_model', 'VirtualNic'],
    ['hw_vif_model', 'ne2k-pci'],
    ['hw_cdrom_bus', 'floppy'],
    ['hw_disk_bus', 'nvme'],
    ['hw_floppy_bus', 'fd'],
    ['hw_rescue_bus', 'VIRTIO'],
    ['hw_rescue_device', 'tape'],
    ['hw_scsi_model', 'ncr'],
    ['hw_input_bus', 'ps2'],
    ['hw_pointer_model', 'mouse'],
    ['hw_rng_model', 'dice'],
    ['hw_watchdog_action', 'bark'],
    ['img_config_drive', 'always'],
    ['os_type', 'solaris'],
    ['img_hv_type', 'simh'],
    ['img_hv_type', 'powervm'],
    ['hw_vm_mode', 'batch'],
    ['hw_cpu_policy', 'pinned'],
    ['hw_cpu_thread_policy', 'share'],
    ['hw_firmware_type', 'coreboot'],
    ['hw_mem_encryption', 'maybe'],
    ['hw_mem_encryption_model', 'intel'],
    ['hw_tpm_version', '3'],
    ['hw_tpm_model', 'crb'],
    ['hw_sound_model', 'tuba'],
    ['hw_viommu_model', 'amd'],
    ['hw_maxphysaddr_mode', 'host'],
    ['hw_maxphysaddr_bits', '0'],
    ['hw_maxphysaddr_bits', 'many'],
    ['hw_pci_numa_affinity_policy', 'near'],
    ['hw_ephemeral_encryption_format', 'zip'],
    ['os_secure_boot', 'true'],
  ])('%s cannot be %j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field: `image.properties.${name}` }),
    );
    expect(imagePropertyProblem(name, value)).toMatch(/^must be .*, not /);
  });

  it.each([
    ['hw_maxphysaddr_bits', '1'],
    ['hw_tpm_version', '1.2'],
    ['hw_machine_type', 'anything'],
    ['colour', 'blue'],
  ])('%s can be %j', (name, value) => expect(imagePropertyProblem(name, value)).toBeNull());

  it('nova_compat reads a value that is not a boolean as false; Berth refuses it', () => {
    expect(read({ hw_mem_encryption: 'maybe' }, true).properties).toEqual({ hw_mem_encryption: 'false' });
    expect(() => read({ hw_cpu_policy: 'maybe' }, true)).toThrow('image.properties.hw_cpu_policy');
  });

  it.each([
    ['os_type', true],
    ['trait:X', true],
    ['hw_numa_mem.0', true],
    ['hw_numa_mem', false],
    ['architecture', false],
    ['toString', false],
  ])('%s is known: %s', (name, expected) => expect(isKnownImageProperty(name)).toBe(expected));
});
