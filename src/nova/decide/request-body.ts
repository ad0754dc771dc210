// From nova's request spec to the scheduler's request. Their fields have nearly equal names. What the scheduler cannot
// use is listed with the reason.

import { flavorBody } from '../../compute/flavors/flavors.responses';
import { MAX_NAME_LENGTH } from '../../platform/values/names';
import { printableLine } from '../../platform/values/printable';
import { destinationBody } from '../../scheduler/decide/placement-documents';
import type { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import type { IgnoredField } from '../../scheduling-rules/request-spec/request-spec';
import type { NovaRequestSpec } from '../objects/request-spec';

/** The request without the arguments that the call has next to the request spec. */
export interface RequestBody {
  /** Not validated yet. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly ignored: readonly IgnoredField[];
}

/** The caller, for requests that do not name their owner. */
interface CallOwner {
  readonly userId: string | null;
  readonly projectId: string | null;
}

/** nova resolves the hint to the server group that it sends. */
const HINT_OF_GROUP = 'group';
const CHECK_TYPE = '_nova_check_type';

export function requestBody(spec: NovaRequestSpec, instances: readonly string[], owner: CallOwner): RequestBody {
  const { flavor, image, requestedNetworks: networks, instanceGroup: group } = spec;
  const { [HINT_OF_GROUP]: groupHint, ...hints } = spec.schedulerHints;
  const body = {
    instances,
    flavor: flavorBody(flavor),
    image: image && {
      id: image.id,
      // The Image service accepts any name.
      name: image.name && printableLine(image.name).slice(0, MAX_NAME_LENGTH),
      disk_format: image.diskFormat,
      properties: image.properties,
    },
    is_bfv: spec.isBfv,
    project_id: spec.projectId ?? owner.projectId,
    user_id: spec.userId ?? owner.userId,
    availability_zone: spec.availabilityZone,
    scheduler_hints: { ...hints, ...(spec.checkType !== null && { [CHECK_TYPE]: [spec.checkType] }) },
    ignore_hosts: spec.ignoreHosts,
    force_hosts: spec.forceHosts,
    force_nodes: spec.forceNodes,
    requested_destination: spec.requestedDestination && destinationBody(spec.requestedDestination),
    instance_group: group && groupOf(group),
    requested_resources: spec.requestedResources,
    request_level_params: spec.requestLevelParams,
    ...(networks.length > 0 && { requested_networks: networks }),
    network_metadata: spec.networkMetadata,
    numa_topology: spec.numaTopology,
    pci_requests: spec.pciRequests,
    retry: spec.retry && { num_attempts: spec.retry.numAttempts, hosts: spec.retry.hosts },
  } satisfies Record<keyof Omit<SelectDestinationsDto, NotFromNova>, unknown>;
  return { body, ignored: ignoredOf(spec, groupHint !== undefined && group === null) };
}

type NotFromNova =
  | 'instance_names'
  | 'num_instances'
  | 'min_count'
  | 'requested_networks'
  | 'return_alternates'
  | 'dry_run'
  | 'seed'
  | 'explain';

function ignoredOf({ unknownFields, shared }: NovaRequestSpec, hasLoneHint: boolean): IgnoredField[] {
  const unknown = unknownFields.map((field) => ({ field, why: 'this version does not know the field' }));
  const groups = shared.map((at) => ({
    field: `requested_resources.${at}.use_same_provider`,
    why: 'a group always has one provider',
  }));
  const hint = { field: `scheduler_hints.${HINT_OF_GROUP}`, why: 'nova sends the server group itself, and sent none' };
  return [...unknown, ...groups, ...(hasLoneHint ? [hint] : [])];
}

/**
 * Without `hosts`, the scheduler locates members by their allocations: nova knows the host of an instance only after its
 * build has begun.
 */
const groupOf = ({
  uuid,
  name,
  policy,
  maxServerPerHost,
  members,
  hosts,
}: NonNullable<NovaRequestSpec['instanceGroup']>): object => ({
  uuid,
  name,
  policy,
  ...(maxServerPerHost !== null && { rules: { max_server_per_host: maxServerPerHost } }),
  members,
  ...(hosts.length > 0 && { hosts }),
});
