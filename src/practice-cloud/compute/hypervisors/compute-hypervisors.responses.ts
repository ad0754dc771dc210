// Schemas of hypervisors for all microversions. Fields that only some versions have are optional.
import { COUNT, INTEGER, listOf, oneOf, orNull, TEXT, UUID } from '../../../platform/http/answer-schemas';
import { closed, named } from '../../../platform/microversion/versioned-schema';

/** An integer in versions before uuids. */
const ID = { anyOf: [UUID, INTEGER] };

const NAME = {
  id: ID,
  hypervisor_hostname: TEXT,
  status: oneOf('enabled', 'disabled'),
  state: oneOf('up', 'down'),
  servers: listOf(closed({ uuid: UUID, name: TEXT })),
};

export const HYPERVISOR_NAME = named('ComputeHypervisorName', closed(NAME, ['servers']));

export const HYPERVISOR_UPTIME = named('ComputeHypervisorUptime', closed({ ...NAME, uptime: TEXT }, ['servers']));

const AMOUNTS = {
  vcpus: COUNT,
  vcpus_used: COUNT,
  memory_mb: COUNT,
  memory_mb_used: INTEGER,
  free_ram_mb: INTEGER,
  local_gb: COUNT,
  local_gb_used: INTEGER,
  free_disk_gb: INTEGER,
  running_vms: COUNT,
  current_workload: COUNT,
};

const SOMETIMES = {
  ...AMOUNTS,
  disk_available_least: { type: 'null' },
  cpu_info: { type: ['string', 'object'], additionalProperties: true },
  uptime: { type: 'null' },
};

export const HYPERVISOR = named(
  'ComputeHypervisor',
  closed(
    {
      ...NAME,
      host_ip: orNull(TEXT),
      hypervisor_type: TEXT,
      hypervisor_version: COUNT,
      service: closed({ id: ID, host: TEXT, disabled_reason: orNull(TEXT) }),
      ...SOMETIMES,
    },
    ['servers', ...Object.keys(SOMETIMES)],
  ),
);

export const HYPERVISOR_STATISTICS = named(
  'ComputeHypervisorStatistics',
  closed({ ...AMOUNTS, count: COUNT, disk_available_least: INTEGER }),
);
