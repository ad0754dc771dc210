// Messages captured on the bus of an OpenStack cloud (release Zed); passwords and tokens are replaced.

export const PASSWORD = 'pw-of-the-cell';
export const TOKEN = 'gAAAAAB-a-live-token';
export const INSTANCE = 'e3005035-0fe1-481a-b4ba-1bada09ea805';
export const CELL = '40905b2d-8012-409f-af0a-b615d2950629';
export const HOST = '7f009c96-0cd2-45cd-b780-581ae2a7a5a8';
const PROJECT = 'c66dcb910cd6459ca5bd1b23d344d735';
const USER = '69a07054ea30488ab619d44e1599790e';
const CREATED = '2026-11-22T01:25:44Z';

export type Json = Record<string, unknown>;

/** A versioned object as nova writes it. */
export const novaObject = (name: string, version: string, data: Json): Json => ({
  'nova_object.name': name,
  'nova_object.namespace': 'nova',
  'nova_object.version': version,
  'nova_object.data': data,
  'nova_object.changes': Object.keys(data).reverse(),
});

export const imageMeta = (properties: Json, data: Json = {}): Json =>
  novaObject('ImageMeta', '1.8', {
    id: '545fff69-5a4d-4cae-974e-92a37a3a5967',
    name: 'raw',
    status: 'active',
    checksum: 'fcd6bcb56c1689fcef28b57c22475bad',
    owner: PROJECT,
    size: 65_536,
    container_format: 'bare',
    disk_format: 'raw',
    created_at: CREATED,
    updated_at: CREATED,
    min_ram: 0,
    min_disk: 0,
    properties: novaObject('ImageMetaProps', '1.34', properties),
    ...data,
  });

const NO_LIMITS = novaObject('SchedulerLimits', '1.0', {
  numa_topology: null,
  vcpu: null,
  disk_gb: null,
  memory_mb: null,
});

const CELL_MAPPING = novaObject('CellMapping', '1.1', {
  id: 2,
  uuid: CELL,
  name: 'cell1',
  transport_url: `rabbit://nova:${PASSWORD}@127.0.0.1:5672/`,
  database_connection: `mysql+pymysql://nova:${PASSWORD}@127.0.0.1:3306/nova_cell1`,
  disabled: false,
  created_at: CREATED,
  updated_at: null,
});

/** The destination of a resize. */
export const RESIZE_DESTINATION = novaObject('Destination', '1.4', {
  cell: CELL_MAPPING,
  allow_cross_cell_move: false,
});

/** The destination of a rebuild. */
export const REBUILD = {
  scheduler_hints: { _nova_check_type: ['rebuild'] },
  requested_destination: novaObject('Destination', '1.4', { cell: CELL_MAPPING }),
  force_hosts: ['compute2'],
  ignore_hosts: null,
  requested_resources: null,
};

export const PCI_REQUESTS = novaObject('InstancePCIRequests', '1.1', {
  requests: [
    novaObject('InstancePCIRequest', '1.4', {
      count: 1,
      spec: [{ vendor_id: '8086', product_id: '10ca', dev_type: 'type-VF' }],
      alias_name: 'test-vf',
      request_id: '878298ee-31e0-4d62-8505-269591e10cfd',
      numa_policy: 'legacy',
    }),
  ],
});

export const SERVER_GROUP = novaObject('InstanceGroup', '1.11', {
  id: 1,
  user_id: USER,
  project_id: PROJECT,
  uuid: '99d2de0c-023f-46ae-a163-4a854b8accbd',
  name: 'grp-anti',
  policies: ['anti-affinity'],
  members: ['015de55e-2fad-4c13-86ab-391c59f92abf', 'deb77dfc-b28e-49cd-86ef-ba9620a69d17'],
  hosts: ['compute1'],
  policy: 'anti-affinity',
  _rules: {},
  created_at: '2026-11-22T01:55:47Z',
  updated_at: null,
  deleted_at: null,
  deleted: false,
});

/** The request spec of a boot; `data` replaces fields. */
export const bootSpec = (data: Json = {}): Json =>
  novaObject('RequestSpec', '1.14', {
    id: 1,
    image: imageMeta({}),
    numa_topology: null,
    pci_requests: novaObject('InstancePCIRequests', '1.1', { requests: [] }),
    project_id: PROJECT,
    user_id: USER,
    availability_zone: null,
    flavor: novaObject('Flavor', '1.2', {
      id: 1,
      name: 'm1',
      memory_mb: 256,
      vcpus: 1,
      root_gb: 1,
      ephemeral_gb: 0,
      flavorid: 'ec211a23-7c74-42e4-9096-012a6f6c7420',
      swap: 0,
      rxtx_factor: 1,
      vcpu_weight: 0,
      disabled: false,
      is_public: true,
      extra_specs: { 'trait:HW_CPU_X86_AVX': 'required' },
      description: null,
      created_at: CREATED,
      updated_at: null,
      deleted_at: null,
      deleted: false,
    }),
    num_instances: 1,
    ignore_hosts: null,
    force_hosts: null,
    force_nodes: null,
    requested_destination: null,
    retry: null,
    limits: NO_LIMITS,
    instance_group: null,
    scheduler_hints: {},
    instance_uuid: INSTANCE,
    security_groups: novaObject('SecurityGroupList', '1.1', {
      objects: [novaObject('SecurityGroup', '1.2', { name: 'default' })],
    }),
    is_bfv: false,
    requested_resources: [],
    request_level_params: novaObject('RequestLevelParams', '1.1', {}),
    requested_networks: novaObject('NetworkRequestList', '1.1', {
      objects: [novaObject('NetworkRequest', '1.3', { network_id: 'none', port_id: null, device_profile: null })],
    }),
    ...data,
  });

/** The message of a boot, with its context. */
export const bootCall = (spec: Json = bootSpec()): Json => ({
  method: 'select_destinations',
  args: { instance_uuids: [INSTANCE], spec_obj: spec, return_objects: true, return_alternates: true },
  version: '4.5',
  _msg_id: '8f6ecb59b55c486196ca552eb22eee81',
  _reply_q: 'reply_534dd34602ea4b27841d13708071a7e0',
  _timeout: 60,
  _unique_id: '6a7a5dcfbd08484c96ca758015de271e',
  _context_user_id: USER,
  _context_project_id: PROJECT,
  _context_auth_token: TOKEN,
  _context_request_id: 'req-2b9a288a-715d-4463-b513-57a6d673e9e4',
  _context_global_request_id: null,
  _context_roles: ['member', 'reader', 'admin'],
  _context_is_admin: true,
  _context_service_catalog: [],
});

/** The first selection of the answer to that call. */
export const BOOT_SELECTION = novaObject('Selection', '1.1', {
  compute_node_uuid: HOST,
  service_host: 'compute1',
  nodename: 'compute1',
  cell_uuid: CELL,
  limits: NO_LIMITS,
  allocation_request: `{"allocations": {"${HOST}": {"resources": {"DISK_GB": 1, "MEMORY_MB": 256, "VCPU": 1}}}, "mappings": {"": ["${HOST}"]}}`,
  allocation_request_version: '1.36',
  availability_zone: 'nova',
});

/** The failure of a call, as nova's scheduler writes it without a traceback. */
export const NO_VALID_HOST = {
  class: 'NoValidHost',
  module: 'nova.exception',
  message: 'No valid host was found. ',
  tb: [],
  args: ['No valid host was found. '],
  kwargs: { reason: '', code: 500 },
};
