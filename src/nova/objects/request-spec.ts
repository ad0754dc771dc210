// Reads a RequestSpec of nova. Fields that are not set have the defaults of nova's scheduler. Parts that no other code
// reads have the form of the scheduler's request.

import type { Flavor, RequestedDestination, Retry } from '../../scheduling-rules/request-spec/request-spec';
import { FieldReader, scalarText, textValuesOf } from './field-reader';
import { imageOf } from './image-view';
import type { NovaDictionary, NovaObject } from './versioned-object';
import { isList, NovaObjectError } from './versioned-object';

const words = (text: string): readonly string[] => text.split(/\s+/);
const TIMES = ['created_at', 'updated_at', 'deleted_at', 'deleted'];

/** Known fields that change no decision, by object: identifiers, results that nova stores, parts of other services. */
const WITHOUT_EFFECT = {
  RequestSpec: [...TIMES, 'id', 'instance_uuid', 'num_instances', 'limits', 'security_groups'],
  Flavor: words('id flavorid rxtx_factor vcpu_weight disabled is_public projects description').concat(TIMES),
  ImageMeta: words(
    'status visibility protected checksum owner size virtual_size container_format tags direct_url min_ram min_disk',
  ).concat(TIMES),
  InstanceGroup: [...TIMES, 'id', 'user_id', 'project_id'],
  InstanceNUMATopology: [...TIMES, 'id', 'instance_uuid'],
  InstanceNUMACell: [...TIMES, 'cpuset_reserved', 'cpu_topology', 'cpu_pinning_raw'],
  InstancePCIRequests: [...TIMES, 'instance_uuid'],
  InstancePCIRequest: [...TIMES, 'is_new', 'requester_id'],
  RequestGroup: ['provider_uuids'],
  NetworkRequest: ['address', 'pci_request_id', 'tag', 'arq_uuid', 'device_profile'],
};

/** A hint that nova adds for checks of a host. */
const CHECK_TYPE = '_nova_check_type';
/** A rule of a server group. nova writes its number as text. */
const MAX_SERVER_PER_HOST = 'max_server_per_host';

export type NovaRequestSpec = ReturnType<typeof requestSpecOf>;

/** Throws a NovaObjectError for a value of another type. */
export function requestSpecOf(object: NovaObject) {
  const spec = new FieldReader(object, 'spec_obj', WITHOUT_EFFECT);
  const flavor = spec.object('flavor');
  if (flavor === null) throw new NovaObjectError('Field spec_obj.flavor is required.');
  const { [CHECK_TYPE]: checkType, ...schedulerHints } = hintsOf(spec.dictionary('scheduler_hints'));
  const groups = spec.objects('requested_resources');
  const view = {
    /** Null: the caller's, from the context. */
    projectId: spec.text('project_id'),
    /** Null: the caller's, from the context. */
    userId: spec.text('user_id'),
    flavor: flavorOf(flavor),
    image: read(spec, 'image', imageOf),
    isBfv: spec.flag('is_bfv') ?? false,
    availabilityZone: spec.text('availability_zone'),
    ignoreHosts: spec.texts('ignore_hosts'),
    forceHosts: spec.texts('force_hosts'),
    forceNodes: spec.texts('force_nodes'),
    /** Every hint is a list of texts. */
    schedulerHints,
    /** `rebuild`: the request checks a host and claims nothing; null: an ordinary request. */
    checkType: checkType?.[0] ?? null,
    requestedDestination: read(spec, 'requested_destination', destinationOf),
    retry: read(spec, 'retry', retryOf),
    instanceGroup: read(spec, 'instance_group', groupOf),
    numaTopology: read(spec, 'numa_topology', numaTopologyOf),
    pciRequests: spec.object('pci_requests')?.objects('requests').map(pciRequestOf) ?? [],
    requestedResources: groups.map(requestGroupOf),
    /** Positions of requested resources that several providers together can have. */
    shared: groups.flatMap((group, at) => (group.flag('use_same_provider') === false ? at : [])),
    requestLevelParams: read(spec, 'request_level_params', levelParamsOf),
    requestedNetworks: spec.objects('requested_networks').flatMap(networksOf),
    networkMetadata: read(spec, 'network_metadata', (metadata) => ({
      physnets: metadata.textSet('physnets'),
      tunneled: metadata.flag('tunneled') ?? false,
    })),
  };
  /** Paths of the fields that are set and that this version of Berth does not know, sorted. */
  return { ...view, unknownFields: spec.unknownFields() };
}

/** Reads a nested object; null if it is not set. */
function read<T>(parent: FieldReader, name: string, view: (object: FieldReader) => T): T | null {
  const object = parent.object(name);
  return object === null ? null : view(object);
}

export const flavorOf = (flavor: FieldReader): Flavor => ({
  name: flavor.text('name'),
  vcpus: flavor.number('vcpus') ?? 0,
  memoryMb: flavor.number('memory_mb') ?? 0,
  rootGb: flavor.number('root_gb') ?? 0,
  ephemeralGb: flavor.number('ephemeral_gb') ?? 0,
  swapMb: flavor.number('swap') ?? 0,
  extraSpecs: textValuesOf(flavor.dictionary('extra_specs')),
});

const hintsOf = (hints: NovaDictionary): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(hints).map(([name, value]) => {
      const items = isList(value) ? value : [value];
      return [name, items.map(scalarText).filter((text) => text !== null)];
    }),
  );

const destinationOf = (destination: FieldReader): RequestedDestination => ({
  host: destination.text('host'),
  node: destination.text('node'),
  cell: destination.object('cell')?.text('uuid') ?? null,
  allowCrossCellMove: destination.flag('allow_cross_cell_move') ?? false,
  // Each text is a comma-separated list of alternatives.
  aggregates: destination.texts('aggregates').map((alternatives) => alternatives.split(',')),
  forbiddenAggregates: destination.textSet('forbidden_aggregates'),
});

const retryOf = (retry: FieldReader): Retry => ({
  numAttempts: retry.number('num_attempts') ?? 0,
  hosts: retry
    .objects('hosts')
    .map((node) => [node.text('host') ?? '', node.text('hypervisor_hostname') ?? ''] as const),
});

function groupOf(group: FieldReader) {
  const maximum = textValuesOf(group.dictionary('_rules'))[MAX_SERVER_PER_HOST];
  // Groups of old releases have a list with one policy.
  const [legacyPolicy = null] = group.texts('policies');
  return {
    uuid: group.text('uuid'),
    name: group.text('name'),
    policy: group.text('policy') ?? legacyPolicy,
    maxServerPerHost: maximum === undefined ? null : wholeNumber(maximum),
    /** Uuids of instances. */
    members: group.texts('members'),
    /** Service hosts of all members, as the conductor found them before the call. */
    hosts: group.texts('hosts'),
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new NovaObjectError(`Field spec_obj.instance_group._rules.${MAX_SERVER_PER_HOST} must be a whole number.`);
  }
  return Number(text);
}

const numaTopologyOf = (topology: FieldReader) => ({
  cells: topology.objects('cells').map(numaCellOf),
  emulator_threads_policy: topology.text('emulator_threads_policy'),
});

const numaCellOf = (cell: FieldReader, index: number) => ({
  id: cell.number('id') ?? index,
  ...cpusOf(cell),
  memory: cell.number('memory') ?? 0,
  pagesize: pageSizeOf(cell.number('pagesize')),
  cpu_policy: cell.text('cpu_policy'),
  cpu_thread_policy: cell.text('cpu_thread_policy'),
});

/** Numbers of guest CPUs. Before release 22, the dedicated CPUs of an instance were in `cpuset`. */
function cpusOf(cell: FieldReader) {
  const [cpuset, pcpuset] = [cell.numberSet('cpuset'), cell.numberSet('pcpuset')];
  const isOld = cell.text('cpu_policy') === 'dedicated' && pcpuset.length === 0;
  return isOld ? { cpuset: [], pcpuset: cpuset } : { cpuset, pcpuset };
}

/** nova's numbers for sizes that the host chooses. */
const PAGE_SIZE_WORDS: ReadonlyMap<number, string> = new Map([
  [-1, 'small'],
  [-2, 'large'],
  [-3, 'any'],
]);

/** KiB or a word; null: not requested. */
const pageSizeOf = (size: number | null) => (size === null ? null : (PAGE_SIZE_WORDS.get(size) ?? size));

const pciRequestOf = (request: FieldReader) => ({
  request_id: request.text('request_id'),
  alias_name: request.text('alias_name'),
  count: request.number('count') ?? 0,
  /** Alternatives: each is a set of properties that a device must have; null: the device must not have it. */
  spec: request
    .dictionaries('spec')
    .map((alternative) =>
      Object.fromEntries(Object.entries(alternative).map(([name, value]) => [name, scalarText(value)])),
    ),
  numa_policy: request.text('numa_policy'),
});

const requestGroupOf = (group: FieldReader) => ({
  /** The suffix of the group in the query, and its key in the `mappings` of the answer. */
  requester_id: group.text('requester_id'),
  resources: amountsOf(group.dictionary('resources')),
  required_traits: group.textSet('required_traits'),
  forbidden_traits: group.textSet('forbidden_traits'),
  /** Each inner list is an OR set, and the sets are ANDed. */
  aggregates: group.textLists('aggregates'),
  forbidden_aggregates: group.textSet('forbidden_aggregates'),
  in_tree: group.text('in_tree'),
});

/** Words that nova sends instead of a network's uuid. */
const NO_NETWORKS: ReadonlySet<string | null> = new Set(['auto', 'none', null]);

/** nova does not send the aggregates of a network's segments. */
function networksOf(network: FieldReader) {
  const [named, port_id] = [network.text('network_id'), network.text('port_id')];
  const network_id = NO_NETWORKS.has(named) ? null : named;
  return network_id === null && port_id === null ? [] : { network_id, port_id };
}

const amountsOf = (resources: NovaDictionary): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(resources).map(([resourceClass, amount]) => [resourceClass, Number(amount)]));

const levelParamsOf = (params: FieldReader) => ({
  root_required: params.textSet('root_required'),
  root_forbidden: params.textSet('root_forbidden'),
  same_subtree: params.textLists('same_subtree'),
});
