// Image properties in nova's text form for comparison with aggregate metadata: booleans as `True`, null for values that
// count as unset.

import { booleanOf } from '../request-spec/boolean-text';

/** Properties with boolean values. */
export const BOOLEAN_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'hw_boot_menu hw_ephemeral_encryption hw_firmware_stateless hw_ipxe_boot hw_mem_encryption hw_pmu ' +
    'hw_qemu_guest_agent hw_time_hpet hw_vif_multiqueue_enabled hw_virtio_packed_ring img_bdm_v2 img_bittorrent ' +
    'img_cache_in_nova img_hide_hypervisor_id img_linked_clone img_use_agent os_require_quiesce ' +
    'os_skip_agent_inject_files_at_boot os_skip_agent_inject_ssh'
  ).split(' '),
);

/** Properties with numeric values. */
export const INTEGER_PROPERTIES: ReadonlySet<string> = new Set(
  (
    'hw_cpu_cores hw_cpu_max_cores hw_cpu_max_sockets hw_cpu_max_threads hw_cpu_sockets hw_cpu_threads hw_device_id ' +
    'hw_maxphysaddr_bits hw_numa_nodes hw_redirected_video_ports hw_serial_port_count hw_video_ram ' +
    'img_compression_level'
  ).split(' '),
);

/** The text of a property for comparison; null if it is unset, empty, false or 0. */
export function comparableText(name: string, value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  if (BOOLEAN_PROPERTIES.has(name)) return booleanOf(value) === true ? 'True' : null;
  if (!INTEGER_PROPERTIES.has(name) || !/^\s*\d+\s*$/.test(value)) return value;
  return Number(value) === 0 ? null : String(Number(value));
}
