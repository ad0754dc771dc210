// From the wire format to the request spec: fills in defaults and replaces references by the objects that they name.
// Refuses contradictions and unknown references with the path of the field.

import { flavorFactsOf } from '../../compute/flavors/flavors.schema';
import { textsOf } from '../../compute/registry-schema';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { imagePropertyField } from '../../scheduling-rules/numa/cpu-policy';
import type { PciAliases } from '../../scheduling-rules/pci/alias';
import { groupsInPlacement } from '../../scheduling-rules/pci/in-placement';
import { invalid, unresolved } from '../../scheduling-rules/request-spec/request-refusal';
import type {
  Flavor,
  IgnoredField,
  Image,
  InstanceGroup,
  RequestSpec,
} from '../../scheduling-rules/request-spec/request-spec';
import type { ReadFields } from '../../scheduling-rules/request/fields-without-effect';
import { fieldsWithoutEffect, isRead } from '../../scheduling-rules/request/fields-without-effect';
import type { FlavorAndImage } from '../../scheduling-rules/request/flavor-image';
import { readImageProperties } from '../../scheduling-rules/request/image-properties';
import {
  checkTypeOf,
  groupReferenceOf,
  hintsOf,
  instanceGroupOf,
  refuseMalformedHints,
  refuseUnenforcedPolicy,
} from './normalize-hints';
import {
  destinationOf,
  networkMetadataOf,
  requestedNetworksOf,
  requestedResourcesOf,
  retryOf,
} from './normalize-placement';
import { numaTopologyOf, pciRequestsOf } from './numa-and-pci';
import type { FlavorDto, ImageDto, SelectDestinationsDto } from './request.schema';

/** The names in a body; null for an object that the body gives inline or does not have. */
export interface References {
  readonly flavor: string | null;
  readonly image: string | null;
  readonly group: string | null;
}

/** The registered objects with those names; null if there is none. */
export interface ResolvedReferences {
  readonly flavor: Flavor | null;
  readonly image: Image | null;
  readonly group: InstanceGroup | null;
  /** Hosts of the members of an affinity group without hosts in the request. */
  readonly memberHosts?: ReadonlySet<string>;
  /** References whose name matches several objects. */
  readonly ambiguous?: ReadonlySet<keyof References>;
}

export const NOTHING_RESOLVED: ResolvedReferences = Object.freeze({ flavor: null, image: null, group: null });

/** The environment of the normalisation. */
export interface NormalizeEnvironment {
  /** Generates uuids for `num_instances` and PCI requests. */
  readonly newUuid: () => string;
  /** The fields that the enabled parts read. */
  readonly reads: ReadFields;
  readonly resolved?: ResolvedReferences;
  /** The zone for requests that do not name one. */
  readonly defaultScheduleZone?: string | null;
  readonly pciAliases?: PciAliases;
  /** PCI requests by alias also become request groups of Placement. */
  readonly pciInPlacement?: boolean;
  readonly novaCompat?: boolean;
  /**
   * Names of the enabled filters and weighers; if given, server group policies without an enforcing part are refused.
   */
  readonly enabledParts?: ReadonlySet<string>;
}

export interface NormalizedRequest {
  readonly spec: RequestSpec;
  /** Fields of the request without effect on the decision. */
  readonly ignored: readonly IgnoredField[];
}

/** The names to look up before a body is normalised. */
export function referencesOf(body: SelectDestinationsDto): References {
  return {
    flavor: typeof body.flavor === 'string' ? body.flavor : null,
    image: typeof body.image === 'string' ? body.image : null,
    group: groupReferenceOf(body)?.name ?? null,
  };
}

/** Whether the request names a host or a node that it wants. */
export const namesHosts = ({ requested_destination: wanted, ...body }: SelectDestinationsDto): boolean =>
  [wanted?.host, wanted?.node, body.force_hosts?.[0], body.force_nodes?.[0]].some((name) => typeof name === 'string');

/** Turns a body into a spec. Throws `RequestRefused`. */
export function normalizeRequest(body: SelectDestinationsDto, env: NormalizeEnvironment): NormalizedRequest {
  const resolved = env.resolved ?? NOTHING_RESOLVED;
  const instanceUuids = instancesOf(body, env.newUuid);
  const flavor = flavorOf(body.flavor, resolved.flavor);
  const { image, ignored } = imageOf(body.image ?? null, env);
  const schedulerHints = hintsOf(body.scheduler_hints);
  refuseMalformedHints(schedulerHints, (field) => isRead(env.reads, field));
  const instanceGroup = instanceGroupOf(body, resolved);
  if (env.enabledParts !== undefined) refuseUnenforcedPolicy(instanceGroup, env.enabledParts);
  const devicesAndGroups = devicesAndGroupsOf(body, { flavor, image }, env);
  const spec: RequestSpec = {
    instanceUuid: instanceUuids[0] ?? '',
    instanceUuids,
    minCount: minCountOf(body, instanceUuids.length),
    projectId: body.project_id,
    userId: body.user_id,
    flavor,
    image,
    isBfv: body.is_bfv ?? false,
    availabilityZone: body.availability_zone ?? env.defaultScheduleZone ?? null,
    schedulerHints,
    checkType: checkTypeOf(schedulerHints),
    ignoreHosts: [...(body.ignore_hosts ?? [])],
    forceHosts: oneAtMost('force_hosts', body.force_hosts),
    forceNodes: oneAtMost('force_nodes', body.force_nodes),
    requestedDestination: destinationOf(body.requested_destination),
    instanceGroup,
    requestedNetworks: requestedNetworksOf(body.requested_networks),
    networkMetadata: networkMetadataOf(body.network_metadata),
    numaTopology: numaTopologyOf(body, { flavor, image }),
    ...devicesAndGroups,
    retry: retryOf(body.retry),
    rootRequired: [...(body.request_level_params?.root_required ?? [])],
    rootForbidden: [...(body.request_level_params?.root_forbidden ?? [])],
    sameSubtree: (body.request_level_params?.same_subtree ?? []).map((suffixes) => [...suffixes]),
  };
  return { spec, ignored: [...ignored, ...fieldsWithoutEffect(spec, env.reads)] };
}

/**
 * PCI requests, and the request groups from outside the flavor. With PCI devices in Placement, each device by alias is
 * also a group.
 */
function devicesAndGroupsOf(
  body: SelectDestinationsDto,
  source: FlavorAndImage,
  { pciAliases, pciInPlacement, newUuid }: NormalizeEnvironment,
): Pick<RequestSpec, 'pciRequests' | 'requestedResources'> {
  const requestedResources = requestedResourcesOf(body.requested_resources);
  const pciRequests = pciRequestsOf(body, source, pciAliases ?? new Map());
  if (pciInPlacement !== true) return { pciRequests, requestedResources };
  const placementGroups = groupsInPlacement(pciRequests, requestedResources, newUuid);
  const count = placementGroups.requestedResources.length;
  if (count < SEARCH_LIMITS.requestGroups) return placementGroups;
  const why = `asks for ${count} request groups; Placement takes at most ${SEARCH_LIMITS.requestGroups - 1} of them`;
  throw invalid('pci_requests', why);
}

/** Only the first name would be looked up, so more than one is refused. */
function oneAtMost(field: string, names: readonly string[] | null | undefined): readonly string[] {
  if ((names?.length ?? 0) > 1) throw invalid(field, 'names more than one; an instance can be forced to one');
  return [...(names ?? [])];
}

/** The given uuids of the instances, or generated ones. */
function instancesOf(body: SelectDestinationsDto, newUuid: () => string): readonly string[] {
  const { instances, num_instances: count } = body;
  if (instances !== undefined && count !== undefined && count !== instances.length) {
    throw invalid('num_instances', `is ${count}, but ${instances.length} instances are listed`);
  }
  const uuids = instances ?? Array.from({ length: count ?? 0 }, newUuid);
  if (uuids.length === 0) throw invalid('instances', 'must name at least one instance, unless num_instances is set');
  if (new Set(uuids).size !== uuids.length) throw invalid('instances', 'names an instance twice');
  return uuids;
}

/** The minimum number of instances to place; defaults to all. */
function minCountOf({ min_count: least }: SelectDestinationsDto, count: number): number {
  if (least === undefined || least === null) return count;
  if (least > count) throw invalid('min_count', `is ${least}, but there are ${count} instances`);
  return least;
}

function flavorOf(given: FlavorDto | string, resolved: Flavor | null): Flavor {
  if (typeof given === 'string') {
    if (resolved === null) throw unresolved('flavor', 'flavor', given);
    return resolved;
  }
  return flavorOfBody(given);
}

/** The flavor in wire format, with defaults filled in. */
function flavorOfBody(flavor: FlavorDto): Flavor {
  return { name: flavor.name ?? null, ...flavorFactsOf(flavor) };
}

/** The image with its properties under their current names; unknown properties are reported. */
function imageOf(
  given: ImageDto | string | null,
  env: NormalizeEnvironment,
): { readonly image: Image | null; readonly ignored: readonly IgnoredField[] } {
  if (given === null) return { image: null, ignored: [] };
  const raw = typeof given === 'string' ? (env.resolved?.image ?? null) : imageOfBody(given);
  if (raw === null) throw unresolved('image', 'image', given as string, env.resolved?.ambiguous?.has('image'));
  const { properties, ignored } = readImageProperties(raw.properties, {
    isRead: (name) => isRead(env.reads, imagePropertyField(name)),
    novaCompat: env.novaCompat ?? false,
  });
  return { image: { ...raw, properties }, ignored };
}

/** The image in wire format, with its properties unchanged. */
function imageOfBody(image: ImageDto): Image {
  return {
    id: image.id ?? null,
    name: image.name ?? null,
    diskFormat: image.disk_format ?? null,
    properties: textsOf(image.properties ?? {}),
  };
}
