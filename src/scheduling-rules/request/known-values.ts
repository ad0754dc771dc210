// Valid values for settings of flavors and images that the scheduler reads.

export const TPM_VERSIONS = ['1.2', '2.0'] as const;
export const TPM_MODELS = ['tpm-tis', 'tpm-crb'] as const;
export const SOUND_MODELS = ['sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'] as const;
export const ENCRYPTION_FORMATS = ['luks', 'luksv2', 'plain'] as const;
export const MEM_ENCRYPTION_MODELS = ['amd-sev', 'amd-sev-es', 'amd-sev-snp'] as const;
export const SECURE_BOOT = ['required', 'optional', 'disabled'] as const;
export const MAXPHYSADDR_MODES = ['passthrough', 'emulate'] as const;
export const FIRMWARE_TYPES = ['bios', 'uefi'] as const;
export const VIOMMU_MODELS = ['auto', 'intel', 'smmuv3', 'virtio'] as const;
export const VIDEO_MODELS = ['cirrus', 'qxl', 'vga', 'vmvga', 'xen', 'virtio', 'gop', 'none', 'bochs'] as const;
export const VIF_MODELS = [
  'e1000',
  'e1000e',
  'igb',
  'lan9118',
  'ne2k_pci',
  'netfront',
  'pcnet',
  'rtl8139',
  'spapr-vlan',
  'sriov',
  'virtio',
  'vmxnet',
  'vmxnet3',
] as const;
/** VIF model names in VMware images, in lower case. */
export const VIF_MODEL_SYNONYMS: Readonly<Record<string, (typeof VIF_MODELS)[number]>> = {
  virtuale1000: 'e1000',
  virtuale1000e: 'e1000e',
  virtualpcnet32: 'pcnet',
  virtualsriovethernetcard: 'sriov',
  virtualvmxnet: 'vmxnet',
  virtualvmxnet3: 'vmxnet3',
};
export const DISK_BUSES = ['fdc', 'ide', 'sata', 'scsi', 'usb', 'virtio', 'xen', 'lxc', 'uml'] as const;
export const SCSI_MODELS = [
  'buslogic',
  'ibmvscsi',
  'lsilogic',
  'lsisas1068',
  'lsisas1078',
  'virtio-scsi',
  'vmpvscsi',
] as const;
export const RESCUE_DEVICES = ['cdrom', 'disk', 'floppy', 'fs', 'lun'] as const;
export const INPUT_BUSES = ['usb', 'virtio'] as const;
export const WATCHDOG_ACTIONS = ['none', 'pause', 'poweroff', 'reset', 'disabled'] as const;
export const CONFIG_DRIVE_POLICIES = ['optional', 'mandatory'] as const;
export const OS_TYPES = ['linux', 'windows'] as const;
export const TPM_SECRET_LEVELS = ['user', 'host', 'deployment'] as const;
/** Disk formats with a trait. */
export const DISK_FORMATS = [
  'aki',
  'ami',
  'ari',
  'iso',
  'ploop',
  'qcow2',
  'raw',
  'vdi',
  'vhd',
  'vhdx',
  'vmdk',
] as const;
