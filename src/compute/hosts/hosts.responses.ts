// Response schemas for hosts.presenter.ts: the last report and the state of the service.
import {
  ANYTHING,
  byName,
  COUNT,
  FLAG,
  INTEGER,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { PCI_DEVICE_TYPES } from '../../scheduling-rules/pci/alias';
import { DATED } from '../registry.responses';
import { SERVICE_STATE } from '../services/services.responses';

/** Schema of a part of a report. A property that the host did not report is absent or null. */
const reported = (properties: SchemaNode, required: readonly string[] = []): SchemaNode =>
  closed(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        required.includes(name) ? schema : orNull(schema as SchemaNode),
      ]),
    ),
    Object.keys(properties).filter((name) => !required.includes(name)),
  );

const SCALAR: SchemaNode = { type: ['string', 'number', 'boolean'] };
const CPUS = listOf(COUNT);

const MEMORY_PAGES = reported({ size_kb: COUNT, total: COUNT, used: COUNT, reserved: COUNT }, ['size_kb', 'total']);

const NUMA_CELL = named(
  'ReportedNumaCell',
  reported(
    {
      id: COUNT,
      socket: COUNT,
      cpuset: CPUS,
      pcpuset: CPUS,
      pinned_cpus: CPUS,
      siblings: listOf(CPUS),
      memory: COUNT,
      cpu_usage: COUNT,
      memory_usage: COUNT,
      mempages: listOf(MEMORY_PAGES),
      physnets: listOf(TEXT),
      tunneled: FLAG,
    },
    ['id', 'memory'],
  ),
);

const PCI_POOL = named(
  'ReportedPciPool',
  reported(
    {
      vendor_id: TEXT,
      product_id: TEXT,
      dev_type: oneOf(...PCI_DEVICE_TYPES),
      numa_node: COUNT,
      count: COUNT,
      tags: byName(SCALAR),
    },
    ['vendor_id', 'product_id', 'count'],
  ),
);

const INSTANCE = named(
  'ReportedInstanceShown',
  reported(
    {
      uuid: UUID,
      flavor: TEXT,
      project_id: TEXT,
      task_state: TEXT,
      vm_state: TEXT,
      image_properties: byName(SCALAR),
    },
    ['uuid'],
  ),
);

const METRIC = reported({ name: TEXT, value: NUMBER, unit: TEXT, measured_at: { type: ['string', 'number'] } }, [
  'name',
  'value',
]);

const HYPERVISOR = reported({ type: TEXT, version: COUNT, hostname: TEXT, cpu_info: ANYTHING });

const REPORT: SchemaNode = {
  hypervisor: HYPERVISOR,
  host_ip: TEXT,
  vcpus_total: COUNT,
  vcpus_used: COUNT,
  memory_mb: COUNT,
  free_ram_mb: INTEGER,
  local_gb: COUNT,
  free_disk_gb: INTEGER,
  disk_available_least: INTEGER,
  local_gb_used: COUNT,
  cpu_allocation_ratio: NUMBER,
  ram_allocation_ratio: NUMBER,
  disk_allocation_ratio: NUMBER,
  supported_instances: listOf(listOf(TEXT)),
  stats: byName(SCALAR),
  metrics: listOf(METRIC),
  failed_builds: COUNT,
  reserved_host_cpus: COUNT,
  reserved_host_memory_mb: COUNT,
  reserved_host_disk_mb: COUNT,
  numa_topology: reported({ cells: listOf(NUMA_CELL) }),
  pci_device_pools: listOf(PCI_POOL),
  instances: listOf(INSTANCE),
  report_providers: FLAG,
};

export const HOST = named(
  'Host',
  closed(
    {
      host: TEXT,
      node: TEXT,
      uuid: orNull(UUID),
      cell: orNull(TEXT),
      service_version: COUNT,
      ...(reported(REPORT)['properties'] as SchemaNode),
      ...SERVICE_STATE,
      reported_at: TIME,
      ...DATED,
    },
    Object.keys(REPORT),
  ),
);

/** The result of a report: which fields changed, and after how long without a report the host counts as down. */
export const REPORTED = named(
  'HostReported',
  closed({
    host: TEXT,
    node: TEXT,
    uuid: orNull(UUID),
    created: FLAG,
    changed: listOf(TEXT),
    providers: orNull(closed({ outcome: oneOf('created', 'updated', 'unchanged'), in_use: listOf(TEXT) })),
    last_seen_up: TIME,
    down_after_seconds: COUNT,
  }),
);
