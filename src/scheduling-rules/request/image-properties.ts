// The known image properties: names, older names, and valid values of those that the scheduler reads. Other properties
// are set aside and reported.

import { imagePropertyField } from '../numa/cpu-policy';
import { PCI_NUMA_POLICIES } from '../pci/alias';
import { booleanOf } from '../request-spec/boolean-text';
import { invalid } from '../request-spec/request-refusal';
import type { IgnoredField } from '../request-spec/request-spec';
import { canonicalArchitecture, canonicalHypervisorType, canonicalVmMode } from './known-names';
import {
  CONFIG_DRIVE_POLICIES,
  DISK_BUSES,
  ENCRYPTION_FORMATS,
  FIRMWARE_TYPES,
  INPUT_BUSES,
  MAXPHYSADDR_MODES,
  MEM_ENCRYPTION_MODELS,
  OS_TYPES,
  RESCUE_DEVICES,
  SCSI_MODELS,
  SECURE_BOOT,
  SOUND_MODELS,
  TPM_MODELS,
  TPM_VERSIONS,
  VIDEO_MODELS,
  VIF_MODEL_SYNONYMS,
  VIF_MODELS,
  VIOMMU_MODELS,
  WATCHDOG_ACTIONS,
} from './known-values';
import { TRAIT_PREFIX } from './placement-extra-specs';

type Texts = Readonly<Record<string, string>>;

/** Older names and their replacements. */
const LEGACY_NAMES: Texts = {
  architecture: 'hw_architecture',
  auto_disk_config: 'hw_auto_disk_config',
  bdm_v2: 'img_bdm_v2',
  bittorrent: 'img_bittorrent',
  block_device_mapping: 'img_block_device_mapping',
  cache_in_nova: 'img_cache_in_nova',
  hypervisor_type: 'img_hv_type',
  hypervisor_version_requires: 'img_hv_requested_version',
  ipxe_boot: 'hw_ipxe_boot',
  mappings: 'img_mappings',
  owner_id: 'img_owner_id',
  root_device_name: 'img_root_device_name',
  vm_mode: 'hw_vm_mode',
  vmware_disktype: 'hw_disk_type',
  vmware_image_version: 'img_version',
  vmware_linked_clone: 'img_linked_clone',
  vmware_ostype: 'os_distro',
  xenapi_device_id: 'hw_device_id',
  xenapi_image_compression_level: 'img_compression_level',
  xenapi_skip_agent_inject_files_at_boot: 'os_skip_agent_inject_files_at_boot',
  xenapi_skip_agent_inject_ssh: 'os_skip_agent_inject_ssh',
  xenapi_use_agent: 'img_use_agent',
};
const LEGACY_ADAPTER = 'vmware_adaptertype';

/** Known properties, in addition to those with a rule below. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(
  (
    'hw_auto_disk_config hw_cpu_realtime_mask hw_device_id hw_disk_type hw_emulator_threads_policy ' +
    'hw_ephemeral_encryption_secret_uuid hw_machine_type hw_mem_page_size hw_numa_nodes ' +
    'hw_serial_port_count hw_usb_model hw_video_ram hw_redirected_video_ports ' +
    'img_block_device_mapping img_compression_level img_hv_requested_version img_mappings img_owner_id ' +
    'img_root_device_name img_signature img_signature_certificate_uuid img_signature_hash_method ' +
    'img_signature_key_type img_version os_admin_user os_command_line os_distro os_version'
  ).split(' '),
);
/** `hw_numa_cpus.0`, `hw_numa_mem.0`: one per cell. The NUMA code checks their values. */
const PER_CELL = /^hw_numa_(cpus|mem)\.\d+$/;

/** Converts a value to its canonical form, or returns its rule. */
type Rule = (value: string) => { readonly value: string } | { readonly mustBe: string };

const oneOf =
  (values: readonly string[]): Rule =>
  (value) =>
    values.includes(value) ? { value } : { mustBe: `one of ${values.join(', ')}` };
const named =
  (canonical: (name: string) => string | null, what: string): Rule =>
  (value) => {
    const known = canonical(value);
    return known === null ? { mustBe: `the name of ${what}` } : { value: known };
  };
/** Accepts any case; the value is stored in lower case. */
const oneOfIgnoringCase =
  (values: readonly string[], synonyms: Texts = {}): Rule =>
  (value) => {
    const lower = value.toLowerCase();
    return oneOf(values)(Object.hasOwn(synonyms, lower) ? (synonyms[lower] ?? lower) : lower);
  };
const expected: Rule = (value) => (booleanOf(value) === null ? { mustBe: 'true or false' } : { value });
const count: Rule = (value) =>
  /^\d{1,9}$/.test(value) && Number(value) > 0 ? { value } : { mustBe: 'an integer of at least 1' };

const each = (names: string, rule: Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, rule]));

const BOOLEANS = each(
  'hw_boot_menu hw_ephemeral_encryption hw_firmware_stateless hw_ipxe_boot hw_locked_memory hw_mem_encryption hw_pmu ' +
    'hw_qemu_guest_agent hw_time_hpet hw_vif_multiqueue_enabled hw_virtio_packed_ring img_bdm_v2 img_bittorrent ' +
    'img_cache_in_nova img_hide_hypervisor_id img_linked_clone img_use_agent os_require_quiesce ' +
    'os_skip_agent_inject_files_at_boot os_skip_agent_inject_ssh',
  expected,
);

const RULES: Readonly<Record<string, Rule>> = {
  ...BOOLEANS,
  ...each(
    'hw_cpu_cores hw_cpu_max_cores hw_cpu_max_sockets hw_cpu_max_threads hw_cpu_sockets hw_cpu_threads ' +
      'hw_maxphysaddr_bits',
    count,
  ),
  hw_architecture: named(canonicalArchitecture, 'an architecture'),
  hw_emulation_architecture: named(canonicalArchitecture, 'an architecture'),
  img_hv_type: named(canonicalHypervisorType, 'a hypervisor type'),
  hw_vm_mode: named(canonicalVmMode, 'a VM mode'),
  ...each('hw_cdrom_bus hw_disk_bus hw_floppy_bus hw_rescue_bus', oneOf(DISK_BUSES)),
  hw_cpu_policy: oneOf(['shared', 'dedicated', 'mixed']),
  hw_cpu_thread_policy: oneOf(['prefer', 'isolate', 'require']),
  hw_ephemeral_encryption_format: oneOf(ENCRYPTION_FORMATS),
  hw_firmware_type: oneOf(FIRMWARE_TYPES),
  hw_input_bus: oneOf(INPUT_BUSES),
  hw_maxphysaddr_mode: oneOf(MAXPHYSADDR_MODES),
  hw_mem_encryption_model: oneOf(MEM_ENCRYPTION_MODELS),
  hw_pci_numa_affinity_policy: oneOf(PCI_NUMA_POLICIES),
  hw_pointer_model: oneOf(['usbtablet']),
  hw_rescue_device: oneOf(RESCUE_DEVICES),
  hw_rng_model: oneOf(['virtio']),
  hw_scsi_model: oneOfIgnoringCase(SCSI_MODELS, { lsilogicsas: 'lsisas1068', paravirtual: 'vmpvscsi' }),
  hw_sound_model: oneOf(SOUND_MODELS),
  hw_tpm_model: oneOf(TPM_MODELS),
  hw_tpm_version: oneOf(TPM_VERSIONS),
  hw_video_model: oneOf(VIDEO_MODELS),
  hw_vif_model: oneOfIgnoringCase(VIF_MODELS, VIF_MODEL_SYNONYMS),
  hw_viommu_model: oneOf(VIOMMU_MODELS),
  hw_watchdog_action: oneOf(WATCHDOG_ACTIONS),
  img_config_drive: oneOf(CONFIG_DRIVE_POLICIES),
  os_secure_boot: oneOf(SECURE_BOOT),
  os_type: oneOfIgnoringCase(OS_TYPES),
};

/** True for a property that the scheduler, a filter or a compute host can read. */
export function isKnownImageProperty(name: string): boolean {
  return KNOWN_NAMES.has(name) || Object.hasOwn(RULES, name) || PER_CELL.test(name) || name.startsWith(TRAIT_PREFIX);
}

interface ImagePropertiesContext {
  /** True for an otherwise unknown property that an enabled filter, weigher or prefilter reads. */
  readonly isRead: (name: string) => boolean;
  /** Text that is not a boolean counts as false instead of being refused. */
  readonly novaCompat: boolean;
}

export interface ReadImageProperties {
  readonly properties: Texts;
  readonly ignored: readonly IgnoredField[];
}

/**
 * The properties under their current names, in canonical form. An invalid value is refused with the given name, even if
 * a newer name replaces it.
 */
export function readImageProperties(given: Texts, context: ImagePropertiesContext): ReadImageProperties {
  const properties: Record<string, string> = {};
  const ignored: IgnoredField[] = [];
  for (const [name, value] of Object.entries(given)) {
    let isUsed = false;
    for (const [present, text] of presentNames(name, value)) {
      const isKnown = isKnownImageProperty(present);
      const judgedText = isKnown ? judged({ name, present, text }, context) : text;
      if (present !== name && Object.hasOwn(given, present)) continue;
      isUsed = true;
      if (isKnown || context.isRead(present)) properties[present] = judgedText;
      else ignored.push({ field: imagePropertyField(name), why: 'it is not a known image property' });
    }
    if (!isUsed) ignored.push({ field: imagePropertyField(name), why: 'the newer name is given as well' });
  }
  return { properties, ignored };
}

/** The current names of a property; usually its own. */
function presentNames(name: string, value: string): readonly (readonly [string, string])[] {
  if (name === LEGACY_ADAPTER) {
    return value === 'ide'
      ? [['hw_disk_bus', 'ide']]
      : [['hw_disk_bus', 'scsi'] as const, ['hw_scsi_model', value] as const];
  }
  return [[Object.hasOwn(LEGACY_NAMES, name) ? (LEGACY_NAMES[name] ?? name) : name, value]];
}

interface JudgedProperty {
  readonly name: string;
  readonly present: string;
  readonly text: string;
}

/** A blank value counts as absent wherever properties are read. */
function verdictOn(present: string, text: string): ReturnType<Rule> {
  const rule = Object.hasOwn(RULES, present) ? RULES[present] : undefined;
  const trimmed = text.trim();
  return rule === undefined || trimmed === '' ? { value: text } : rule(trimmed);
}

function judged({ name, present, text }: JudgedProperty, { novaCompat }: ImagePropertiesContext): string {
  const verdict = verdictOn(present, text);
  if ('value' in verdict) return verdict.value;
  if (novaCompat && RULES[present] === expected) return 'false';
  throw invalid(imagePropertyField(name), `must be ${verdict.mustBe}, not '${text}'`);
}

/** The problem with one property's value, or null. */
export function imagePropertyProblem(name: string, value: string): string | null {
  for (const [present, text] of presentNames(name, value)) {
    const verdict = verdictOn(present, text);
    if ('mustBe' in verdict) return `must be ${verdict.mustBe}, not '${text}'`;
  }
  return null;
}
