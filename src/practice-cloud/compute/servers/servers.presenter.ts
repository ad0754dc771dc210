// Servers as clients see them. Only administrators see the host.
import { createHash } from 'node:crypto';
import { serviceStateOf } from '../../../compute/services/service-liveness';
import { queryFault, shown } from '../../../platform/values/field-fault';
import type { HostState } from '../../../scheduling-rules/host-state/host-state';
import { zoneOf } from '../../../scheduling-rules/host-state/host-state';
import { toTheMicrosecond, toTheSecond } from '../../times';
import type { ComputeCaller, ComputeRequest } from '../compute-request';
import { NETWORK } from '../practice-network';
import type { ServerRequest } from './placement-of-servers';
import type { ServerFlavor, VmState } from './server.entity';
import type { Server } from './servers.service';

export interface ServerView extends Pick<ComputeRequest, 'api' | 'caller' | 'links'> {
  readonly nowMs: number;
  readonly downSeconds: number;
  readonly defaultZone: string;
  /** States of the servers' hosts, keyed by the uuid of the root provider. */
  readonly hosts: ReadonlyMap<string, HostState>;
  /** The groups of the server, if the response shows a single server. */
  readonly groups?: readonly string[];
}

/** Status in the Compute API for each state. */
const STATUS_OF: Readonly<Record<VmState, string>> = {
  building: 'BUILD',
  active: 'ACTIVE',
  stopped: 'SHUTOFF',
  paused: 'PAUSED',
  suspended: 'SUSPENDED',
  resized: 'VERIFY_RESIZE',
  shelved_offloaded: 'SHELVED_OFFLOADED',
  error: 'ERROR',
};

/** Power states by number: 0 none, 1 running, 3 paused, 4 shut down. */
const POWER_OF: Readonly<Record<VmState, number>> = {
  building: 0,
  active: 1,
  stopped: 4,
  paused: 3,
  suspended: 4,
  resized: 1,
  shelved_offloaded: 4,
  error: 0,
};

export const powerOf = ({ vmState, details }: Server): number =>
  POWER_OF[vmState === 'resized' ? (details.stateBeforeResize ?? vmState) : vmState];

const NO_GUEST_CODE = 500;

/** Statuses of nova that no server has here. */
const NOT_HAD: ReadonlySet<string> = new Set(
  'DELETED HARD_REBOOT MIGRATING PASSWORD REBOOT REBUILD RESCUE RESIZE REVERT_RESIZE SHELVED SOFT_DELETED'.split(' '),
);

/** The states that have this status. Throws invalid_input if nova has no such status. */
export function statesOf(text: string): readonly VmState[] {
  const status = text.toUpperCase();
  const states = (Object.keys(STATUS_OF) as VmState[]).filter((state) => STATUS_OF[state] === status);
  if (states.length === 0 && !NOT_HAD.has(status))
    throw queryFault('status', `is no status of a server: ${shown(text)}`);
  return states;
}

export const presentServerName = ({ uuid, name }: Server, { links }: ServerView): object => ({
  id: uuid,
  name,
  links: links('servers', uuid),
});

export function presentServer(server: Server, view: ServerView): object {
  const { api, caller } = view;
  const { details, fault } = server;
  return {
    ...presentServerName(server, view),
    status: STATUS_OF[server.vmState],
    tenant_id: server.projectId,
    user_id: server.userId,
    metadata: server.metadata,
    hostId: hostIdOf(server.projectId, server.instance?.host ?? null),
    image:
      server.imageUuid === null ? '' : { id: server.imageUuid, links: view.links('images', server.imageUuid).slice(1) },
    flavor: presentFlavorOf(server.flavor, view),
    created: toTheSecond(server.createdAtMs),
    updated: toTheSecond(server.updatedAtMs ?? server.createdAtMs),
    addresses: addressesOf(server, { 'OS-EXT-IPS:type': 'fixed', 'OS-EXT-IPS-MAC:mac_addr': macOf(server) }),
    accessIPv4: details.accessIPv4,
    accessIPv6: details.accessIPv6,
    key_name: details.keyName,
    config_drive: details.configDrive,
    'OS-DCF:diskConfig': details.diskConfig,
    ...(server.vmState === 'active' && { progress: 0 }),
    'OS-EXT-AZ:availability_zone': zoneOfServer(server, view),
    'OS-EXT-STS:vm_state': server.vmState,
    'OS-EXT-STS:task_state': server.taskState,
    'OS-EXT-STS:power_state': powerOf(server),
    'OS-SRV-USG:launched_at': toTheMicrosecond(server.launchedAtMs),
    'OS-SRV-USG:terminated_at': null,
    'os-extended-volumes:volumes_attached': [],
    security_groups: details.securityGroups.map((name) => ({ name })),
    ...(fault !== null && server.vmState === 'error' && { fault: presentFault(fault, caller) }),
    ...presentPlace(server, view),
    ...(api.has('locked') && { locked: details.isLocked }),
    ...(api.has('serverDescription') && { description: details.description }),
    ...(api.has('serverTags') && { tags: details.tags }),
    ...(api.has('trustedCertificates') && { trusted_image_certificates: null }),
    ...(api.has('lockedReason') && { locked_reason: details.lockedReason }),
    ...(api.has('groupsOfServer') && view.groups !== undefined && { server_groups: view.groups }),
    ...(api.has('pinnedZone') && { pinned_availability_zone: requestedZone(server) }),
  };
}

/** Fields that a changed server has since `wholeChangedServer` only. */
const OF_WHOLE =
  /^(OS-EXT-(AZ|STS|SRV-ATTR)|OS-SRV-USG|os-extended-volumes|(security_groups|config_drive|key_name|host_status)$)/;

/** The server in the response to its change. */
export function presentChangedServer(server: Server, view: ServerView): object {
  const whole = presentServer(server, view);
  if (view.api.has('wholeChangedServer')) return whole;
  const fields = Object.entries(whole).filter(([name]) => !OF_WHOLE.test(name));
  return { ...Object.fromEntries(fields), addresses: addressesOf(server) };
}

/** States in which a server has a host. */
const HAVE_ADDRESS: ReadonlySet<VmState> = new Set(['active', 'stopped', 'paused', 'suspended', 'resized']);
const BYTE = 256;

const bytesOf = (id: number): readonly number[] => [BYTE * BYTE, BYTE, 1].map((unit) => Math.floor(id / unit) % BYTE);

/**
 * An address in 10.0.0.0/8, computed from the row id of the server. Clients wait for an address, but none is reachable.
 */
export const addressOf = ({ id, vmState, details }: Server): string | undefined =>
  HAVE_ADDRESS.has(vmState) && details.hasNetwork ? ['10', ...bytesOf(id)].join('.') : undefined;

/** The addresses by network; `more`: attributes of each address. */
export function addressesOf(server: Server, more: object = {}): object {
  const addr = addressOf(server);
  return addr === undefined ? {} : { [NETWORK.label]: [{ version: 4, addr, ...more }] };
}

const macOf = ({ id }: Server): string =>
  ['fa', '16', '3e', ...bytesOf(id).map((byte) => byte.toString(16).padStart(2, '0'))].join(':');

function presentFault({ message, details, atMs }: NonNullable<Server['fault']>, { isAdmin }: ComputeCaller): object {
  return { code: NO_GUEST_CODE, created: toTheSecond(atMs), message, ...(isAdmin && { details }) };
}

/** Attributes for administrators only. */
function presentPlace(
  { instance, details, uuid }: Server,
  { api, caller, hosts, nowMs, downSeconds }: ServerView,
): object {
  if (!caller.isAdmin) return {};
  const host = instance === undefined ? undefined : hosts.get(instance.hostUuid);
  return {
    'OS-EXT-SRV-ATTR:host': instance?.host ?? null,
    'OS-EXT-SRV-ATTR:hypervisor_hostname': instance?.node ?? null,
    'OS-EXT-SRV-ATTR:instance_name': `instance-${uuid.slice(0, 8)}`,
    ...(api.has('guestAttributes') && {
      'OS-EXT-SRV-ATTR:reservation_id': details.reservationId,
      'OS-EXT-SRV-ATTR:launch_index': details.launchIndex,
      'OS-EXT-SRV-ATTR:hostname': details.hostname,
      'OS-EXT-SRV-ATTR:kernel_id': '',
      'OS-EXT-SRV-ATTR:ramdisk_id': '',
      'OS-EXT-SRV-ATTR:root_device_name': '/dev/vda',
      'OS-EXT-SRV-ATTR:user_data': null,
    }),
    ...(api.has('hostStatus') && { host_status: hostStatusOf(host, nowMs, downSeconds) }),
  };
}

function hostStatusOf(host: HostState | undefined, nowMs: number, downSeconds: number): string {
  if (host === undefined) return '';
  if (host.service === null) return 'UP';
  if (serviceStateOf(host.service, nowMs, downSeconds) === 'down') return 'DOWN';
  return host.service.disabled ? 'MAINTENANCE' : 'UP';
}

/** Equal for all servers of a project on one host. The hash does not reveal the host. */
export const hostIdOf = (projectId: string, host: string | null): string =>
  host === null ? '' : createHash('sha224').update(`${projectId}${host}`).digest('hex');

/** Of a placed server, the zone that it is bound to now. */
const requestedZone = ({ request, instance }: Server): string | null =>
  ((instance?.request ?? request) as ServerRequest).availability_zone ?? null;

function zoneOfServer(server: Server, { hosts, defaultZone }: ServerView): string {
  const { instance } = server;
  if (instance === undefined) return requestedZone(server) ?? '';
  return zoneOf(hosts.get(instance.hostUuid) ?? { aggregates: [] }, defaultZone);
}

function presentFlavorOf(flavor: ServerFlavor, { api, links }: ServerView): object {
  if (!api.has('embeddedFlavor')) return { id: flavor.id, links: links('flavors', flavor.id).slice(1) };
  return {
    original_name: flavor.name,
    vcpus: flavor.vcpus,
    ram: flavor.memoryMb,
    disk: flavor.rootGb,
    ephemeral: flavor.ephemeralGb,
    swap: flavor.swapMb,
    extra_specs: flavor.extraSpecs,
  };
}
