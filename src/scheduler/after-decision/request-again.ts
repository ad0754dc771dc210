// The request of a placed instance, to be scheduled again after a failed build or for a move. Pure.
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import type { ClaimedHost, OfferedHost } from '../ports';
import type { FlavorDto, SelectDestinationsDto } from '../request/request.schema';

export const MOVE_TYPES = ['resize', 'cold_migrate', 'live_migrate', 'evacuate', 'unshelve'] as const;
export type MoveType = (typeof MOVE_TYPES)[number];

/** A host on which a build failed, and why. */
export interface TriedHost extends ClaimedHost {
  readonly reason: string | null;
}

export interface WantedMove {
  readonly type: MoveType;
  readonly flavor: FlavorDto | string | null;
  readonly target: { readonly host: string; readonly node: string | null } | null;
  readonly ignoreHosts: readonly string[];
}

export const placeOf = ({ host, node, hostUuid: uuid, cell }: InstanceRecord): ClaimedHost => ({
  host,
  node,
  uuid,
  cell,
});

export const storedRequest = (instance: InstanceRecord): SelectDestinationsDto =>
  instance.request as SelectDestinationsDto;
export const alternatesOf = (instance: InstanceRecord): readonly OfferedHost[] =>
  instance.alternates as readonly OfferedHost[];
export const triedOf = (instance: InstanceRecord): readonly ClaimedHost[] => instance.tried as readonly ClaimedHost[];

/** A request that forces one host or node has no other target. */
export const isForcedToOne = ({ force_hosts: hosts, force_nodes: nodes }: SelectDestinationsDto): boolean =>
  hosts?.length === 1 || nodes?.length === 1;

/** The request without the hosts where builds failed. */
export function withoutHosts(instance: InstanceRecord, tried: readonly ClaimedHost[]): SelectDestinationsDto {
  const body = storedRequest(instance);
  const ignored = new Set([...(body.ignore_hosts ?? []), ...tried.map(({ host }) => host)]);
  return { ...body, instances: [instance.uuid], ignore_hosts: [...ignored] };
}

/** The request, restricted to one of the remembered alternates. */
export function onHost(body: SelectDestinationsDto, { host, node }: ClaimedHost): SelectDestinationsDto {
  return { ...body, requested_destination: { ...body.requested_destination, host, node } };
}

/** The request without the hosts that it forces, ignores or names, or has tried. */
export function withoutTarget({
  force_hosts: _hosts,
  force_nodes: _nodes,
  ignore_hosts: _ignored,
  requested_destination: _destination,
  retry: _retry,
  ...kept
}: SelectDestinationsDto): SelectDestinationsDto {
  return kept;
}

/** An instance can be unshelved on its host, and resized there if `allow_resize_to_same_host` is set, as in nova. */
export const canStay = (type: MoveType, allowResizeToSameHost: boolean): boolean =>
  type === 'unshelve' || (type === 'resize' && allowResizeToSameHost);

/**
 * A move keeps the properties of the instance and drops the original target: hosts forced, ignored and named. The
 * current host is ignored unless the instance can stay. A resize and a cold migration stay in the cell.
 */
export function moveRequest(
  instance: InstanceRecord,
  move: WantedMove,
  allowResizeToSameHost: boolean,
): SelectDestinationsDto {
  const body = withoutTarget(storedRequest(instance));
  const staysInCell = keepsAlternates(move.type) && instance.cell !== null;
  const destination = {
    ...(move.target !== null && { host: move.target.host, node: move.target.node }),
    ...(staysInCell && { cell: instance.cell }),
  };
  const ignored = [...(canStay(move.type, allowResizeToSameHost) ? [] : [instance.host]), ...move.ignoreHosts];
  return {
    ...body,
    ...(move.flavor !== null && { flavor: move.flavor }),
    instances: [instance.uuid],
    ignore_hosts: ignored,
    ...(Object.keys(destination).length > 0 && { requested_destination: destination }),
  };
}

/** Other moves schedule again instead. */
export const keepsAlternates = (type: MoveType): boolean => type === 'resize' || type === 'cold_migrate';
