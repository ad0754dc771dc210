// The values that settings of flavors and images may have, where the scheduler reads them.

export const TPM_VERSIONS = ['1.2', '2.0'] as const;
export const TPM_MODELS = ['tpm-tis', 'tpm-crb'] as const;
export const SOUND_MODELS = ['sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'] as const;
export const ENCRYPTION_FORMATS = ['luks', 'luksv2', 'plain'] as const;
export const MEM_ENCRYPTION_MODELS = ['amd-sev', 'amd-sev-es', 'amd-sev-snp'] as const;
export const SECURE_BOOT = ['required', 'optional', 'disabled'] as const;
export const MAXPHYSADDR_MODES = ['passthrough', 'emulate'] as const;
export const FIRMWARE_TYPES = ['bios', 'uefi'] as const;
export const VIOMMU_MODELS = ['auto', 'intel', 'smmuv3', 'virtio'] as const;
export const TPM_SECRET_LEVELS = ['user', 'host', 'deployment'] as const;
/** Disk formats that a trait stands for. */
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
