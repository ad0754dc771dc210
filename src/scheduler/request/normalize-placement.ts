// The parts of a request about placement: destination, groups from outside the flavor, networks, earlier attempts.

import type { RequestGroup } from '../../placement/candidate-search';
import { MAX_INT } from '../../placement/domain/inventory';
import { FIELD_RULES } from '../../platform/values/field-fault';
import { canonicalUuid } from '../../platform/values/uuid';
import { invalid } from '../../scheduling-rules/request-spec/request-refusal';
import type {
  NetworkMetadata,
  RequestedDestination,
  RequestedNetwork,
  Retry,
} from '../../scheduling-rules/request-spec/request-spec';
import { resourceClassProblem } from '../../scheduling-rules/request/placement-extra-specs';
import type { RequestedNetworkDto, RequestedResourcesDto, SelectDestinationsDto } from './request.schema';

const SUFFIX = /^[A-Za-z0-9_-]{1,64}$/;

/** Null if the destination restricts nothing. */
export function destinationOf(body: SelectDestinationsDto['requested_destination']): RequestedDestination | null {
  const field = 'requested_destination';
  const destination: RequestedDestination = {
    host: body?.host ?? null,
    node: body?.node ?? null,
    cell: body?.cell ?? null,
    allowCrossCellMove: body?.allow_cross_cell_move ?? false,
    aggregates: aggregateSets(body?.aggregates, `${field}.aggregates`),
    forbiddenAggregates: uuids(body?.forbidden_aggregates, `${field}.forbidden_aggregates`),
  };
  const { host, node, cell, allowCrossCellMove, aggregates, forbiddenAggregates } = destination;
  const isNamed = host !== null || node !== null || cell !== null || allowCrossCellMove;
  return isNamed || aggregates.length + forbiddenAggregates.length > 0 ? destination : null;
}

/** Groups from outside the flavor; each is complete and has its own suffix. */
export function requestedResourcesOf(body: SelectDestinationsDto['requested_resources']): readonly RequestGroup[] {
  return (body ?? []).map((group, at) => requestedGroupOf(group, `requested_resources.${at}`));
}

function requestedGroupOf(group: RequestedResourcesDto, field: string): RequestGroup {
  if (!SUFFIX.test(group.requester_id)) {
    throw invalid(`${field}.requester_id`, 'must be 1 to 64 letters, digits, underscores or dashes');
  }
  const resources = Object.entries(group.resources);
  if (resources.length === 0) throw invalid(`${field}.resources`, 'asks for no resources');
  for (const [name, amount] of resources) {
    const problem = resourceClassProblem(name);
    if (problem !== null) throw invalid(`${field}.resources.${name}`, problem);
    if (!Number.isInteger(amount) || amount < 1 || amount > MAX_INT) {
      throw invalid(`${field}.resources.${name}`, `must be an integer from 1 to ${MAX_INT}`);
    }
  }
  return {
    suffix: group.requester_id,
    resources: new Map(resources),
    requiredTraits: (group.required_traits ?? []).map((trait) => [trait]),
    forbiddenTraits: [...(group.forbidden_traits ?? [])],
    memberOf: aggregateSets(group.aggregates, `${field}.aggregates`),
    forbiddenAggregates: uuids(group.forbidden_aggregates, `${field}.forbidden_aggregates`),
    inTree: (group.in_tree ?? null) === null ? null : uuidOf(group.in_tree ?? '', `${field}.in_tree`),
  };
}

/** Null: the networks are not known yet. */
export function requestedNetworksOf(
  body: SelectDestinationsDto['requested_networks'],
): readonly RequestedNetwork[] | null {
  return body?.map((network, at) => requestedNetworkOf(network, `requested_networks.${at}`)) ?? null;
}

function requestedNetworkOf(network: RequestedNetworkDto, field: string): RequestedNetwork {
  const { aggregates } = network;
  return {
    networkId: network.network_id ?? null,
    portId: network.port_id ?? null,
    vnicType: network.vnic_type ?? null,
    aggregates: aggregates === null || aggregates === undefined ? aggregates : uuids(aggregates, `${field}.aggregates`),
  };
}

export function networkMetadataOf(body: SelectDestinationsDto['network_metadata']): NetworkMetadata | null {
  const physnets = [...new Set(body?.physnets)];
  const tunneled = body?.tunneled ?? false;
  return physnets.length > 0 || tunneled ? { physnets, tunneled } : null;
}

/** The number of earlier attempts and their hosts; null if there were none. */
export function retryOf(body: SelectDestinationsDto['retry']): Retry | null {
  if (body === null || body === undefined) return null;
  const hosts = (body.hosts ?? []).map((pair, at): readonly [string, string] => {
    const [host, node] = pair;
    if (pair.length !== 2 || host === undefined || node === undefined) {
      throw invalid(`retry.hosts.${at}`, 'must be a host and its node');
    }
    return [host, node];
  });
  const numAttempts = body.num_attempts ?? 0;
  return numAttempts === 0 && hosts.length === 0 ? null : { numAttempts, hosts };
}

function aggregateSets(
  sets: readonly (readonly string[])[] | undefined,
  field: string,
): readonly (readonly string[])[] {
  return (sets ?? []).map((set, at) => {
    if (set.length === 0) throw invalid(`${field}.${at}`, 'names no aggregate');
    return uuids(set, `${field}.${at}`);
  });
}

const uuids = (texts: readonly string[] | undefined, field: string): readonly string[] => [
  ...new Set((texts ?? []).map((text) => uuidOf(text, field))),
];

function uuidOf(text: string, field: string): string {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw invalid(field, FIELD_RULES.uuid);
  return uuid;
}
