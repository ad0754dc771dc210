// Converts a client's request for servers into server records and a scheduler request.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RegisteredImage } from '../../../compute/images/image.entity';
import { ImagesService } from '../../../compute/images/images.service';
import { textsOf } from '../../../compute/registry-schema';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import { DomainError } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES, shown } from '../../../platform/values/field-fault';
import type { Uuid } from '../../../platform/values/uuid';
import { canonicalUuid } from '../../../platform/values/uuid';
import type { ComputeCaller } from '../compute-request';
import { maySee } from '../compute-request';
import type { ComputeFlavor } from '../flavors/compute-flavors.service';
import { ComputeFlavorsService } from '../flavors/compute-flavors.service';
import { Keypairs } from '../keypairs/keypairs.repository';
import { isNetwork, isSecurityGroup, SECURITY_GROUP } from '../networks.controller';
import type { ServerRequest } from './placement-of-servers';
import type { RequestedServer, ServerFlavor } from './server.entity';
import type { ComputeNewServerDto, NewServerBody } from './servers.schema';

interface NewServers {
  readonly servers: readonly RequestedServer[];
  /** How many of the servers must find a host. */
  readonly minCount: number;
}

/** Internal hint of the scheduler that requests a placement without a claim. Clients must not send it. */
const INTERNAL_HINT = '_nova_check_type';

/** Body fields for hints and for the host, as error messages name them. */
const HINTS = 'os:scheduler_hints';
const ZONE = 'server.availability_zone';

@Injectable()
export class NewServersService {
  constructor(
    private readonly flavors: ComputeFlavorsService,
    private readonly images: ImagesService,
    private readonly groups: ServerGroupsService,
    private readonly keypairs: Keypairs,
  ) {}

  /** Throws invalid_input with the name of the field. */
  async of(body: NewServerBody, caller: ComputeCaller): Promise<NewServers> {
    const { server } = body;
    refuseInvalidNetworks(server);
    const [minCount, maxCount] = countsOf(server);
    const flavor = await this.flavorOf('server.flavorRef', server.flavorRef, caller);
    const imageUuid = await this.imageOf(server);
    await this.refuseUnknownKey('server.key_name', server.key_name, caller);
    const request: ServerRequest = {
      flavor: flavor.id,
      image: imageUuid,
      is_bfv: isVolumeBacked(server),
      project_id: caller.projectId,
      user_id: caller.userId,
      ...zoneAndHost(server, caller),
      scheduler_hints: await this.hintsOf(body, caller),
    };
    const reservationId = `r-${randomUUID().slice(0, 8)}`;
    const createdAtMs = Date.now();
    const servers = Array.from({ length: maxCount }, (_, at): RequestedServer => {
      const name = maxCount === 1 ? server.name : `${server.name}-${at + 1}`;
      return {
        uuid: randomUUID(),
        name,
        projectId: caller.projectId,
        userId: caller.userId,
        flavor: flavorSnapshot(flavor),
        oldFlavor: null,
        imageUuid: isVolumeBacked(server) ? null : imageUuid,
        request,
        metadata: textsOf(server.metadata ?? {}),
        details: { ...detailsOf(server, name), reservationId, launchIndex: at },
        createdAtMs,
      };
    });
    return { servers, minCount };
  }

  /** A flavor that the caller can see, by its id or by a URL that ends with it. Throws invalid_input with `field`. */
  async flavorOf(field: string, reference: string, caller: ComputeCaller): Promise<ComputeFlavor> {
    const id = lastSegment(reference);
    const flavor = await orUndefined(this.flavors.get(id, caller));
    if (flavor === undefined) throw bodyFault(field, `names the flavor ${shown(id)}, which does not exist`);
    return flavor;
  }

  /** An image by its uuid or by a URL that ends with the uuid. Throws invalid_input that names `field`. */
  async existingImage(field: string, reference: string): Promise<RegisteredImage> {
    const uuid = canonicalUuid(lastSegment(reference));
    const image = uuid === undefined ? undefined : await orUndefined(this.images.get(uuid));
    if (image === undefined)
      throw bodyFault(field, `names the image ${shown(lastSegment(reference))}, which does not exist`);
    return image;
  }

  /** Throws invalid_input unless the name is absent or the caller has a key pair with this name. */
  async refuseUnknownKey(field: string, name: string | null | undefined, { userId }: ComputeCaller): Promise<void> {
    if (name === null || name === undefined || (await this.keypairs.find(userId, name)) !== undefined) return;
    throw bodyFault(field, `names the key pair ${shown(name)}, which does not exist`);
  }

  private async imageOf(server: ComputeNewServerDto): Promise<Uuid | null> {
    const fromDevice = bootDevice(server)?.source_type === 'image' ? bootDevice(server)?.uuid : undefined;
    const reference = [server.imageRef, fromDevice].find((text) => (text ?? '') !== '');
    if (reference !== undefined && reference !== null)
      return (await this.existingImage('server.imageRef', reference)).uuid;
    if (bootDevice(server) !== undefined) return null;
    throw bodyFault('server.imageRef', 'is required, or a block device that the server starts from');
  }

  /** Resolves the group in the hints to its uuid. The client names it by uuid, or by its name in the project. */
  private async hintsOf(body: NewServerBody, caller: ComputeCaller): Promise<Readonly<Record<string, unknown>>> {
    const hints = body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints'] ?? {};
    if (INTERNAL_HINT in hints) throw bodyFault(`${HINTS}.${INTERNAL_HINT}`, 'is no hint for clients');
    const given = hints['group'];
    const name: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    if (typeof name !== 'string') return hints;
    return { ...hints, group: await this.groupOf(name, caller) };
  }

  private async groupOf(text: string, caller: ComputeCaller): Promise<Uuid> {
    const uuid = canonicalUuid(text);
    const group = uuid === undefined ? undefined : await orUndefined(this.groups.get(uuid));
    if (group !== undefined && maySee(caller, group.projectId)) return group.uuid;
    const { items } = await this.groups.list(
      { name: text, projectId: caller.projectId },
      { limit: 2, marker: undefined },
    );
    const [found, another] = items;
    if (another !== undefined) throw bodyFault(`${HINTS}.group`, `names several server groups: ${shown(text)}`);
    if (found === undefined)
      throw bodyFault(`${HINTS}.group`, `names the server group ${shown(text)}, which does not exist`);
    return found.uuid;
  }
}

/** Turns a not-found error into undefined. */
async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DomainError && ['not_found', 'scheduler.not_found'].includes(error.code)) return undefined;
    throw error;
  }
}

const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export const flavorSnapshot = (flavor: ComputeFlavor): ServerFlavor => {
  const { id, name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs } = flavor;
  return { id, name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs };
};

const bootDevice = ({ block_device_mapping_v2: devices }: ComputeNewServerDto) =>
  devices?.find(({ boot_index: index }) => index === 0);

const isVolumeBacked = (server: ComputeNewServerDto): boolean => bootDevice(server)?.destination_type === 'volume';

function countsOf({ min_count: least, max_count: most }: ComputeNewServerDto): readonly [number, number] {
  const min = least ?? 1;
  const max = most ?? min;
  if (min > max) throw bodyFault('server.min_count', FIELD_RULES.bound('<=', 'max_count'));
  // If only one count is given, that many servers must find a host.
  return [least === undefined ? max : min, max];
}

type Place = Pick<ServerRequest, 'availability_zone' | 'force_hosts' | 'force_nodes' | 'requested_destination'>;

/** A host in `ZONE:HOST:NODE` bypasses the filters; `host` and `hypervisor_hostname` do not. */
function zoneAndHost(server: ComputeNewServerDto, { isAdmin }: ComputeCaller): Place {
  const [zone = '', host = '', node = '', ...rest] = (server.availability_zone ?? '').split(':');
  if (rest.length > 0) throw bodyFault(ZONE, 'must be ZONE, ZONE:HOST or ZONE:HOST:NODE');
  const { host: wantedHost, hypervisor_hostname: wantedNode } = server;
  const isNamed = host !== '' || node !== '' || wantedHost !== undefined || wantedNode !== undefined;
  if (isNamed && !isAdmin) throw bodyFault(ZONE, 'must not name a host: administrators choose one');
  const destination = {
    ...(wantedHost !== undefined && { host: wantedHost }),
    ...(wantedNode !== undefined && { node: wantedNode }),
  };
  return {
    availability_zone: zone === '' ? null : zone,
    ...(host !== '' && { force_hosts: [host] }),
    ...(node !== '' && { force_nodes: [node] }),
    ...(Object.keys(destination).length > 0 && { requested_destination: destination }),
  };
}

function refuseInvalidNetworks({ networks, security_groups: groups = [] }: ComputeNewServerDto): void {
  const named =
    typeof networks === 'string' || networks === undefined ? [] : networks.flatMap(({ uuid }) => uuid ?? []);
  const unknown = named.find((uuid) => !isNetwork(uuid));
  if (unknown !== undefined)
    throw bodyFault('server.networks', `names the network ${shown(unknown)}, which does not exist`);
  const other = groups.find(({ name }) => !isSecurityGroup(name));
  if (other !== undefined)
    throw bodyFault('server.security_groups', `names the group ${shown(other.name)}, which does not exist`);
}

function detailsOf(
  server: ComputeNewServerDto,
  name: string,
): Omit<RequestedServer['details'], 'reservationId' | 'launchIndex'> {
  return {
    description: server.description ?? null,
    hostname: server.hostname ?? hostNameOf(name),
    keyName: server.key_name ?? null,
    diskConfig: server['OS-DCF:diskConfig'] ?? 'MANUAL',
    configDrive: server.config_drive === true ? 'True' : '',
    accessIPv4: server.accessIPv4 ?? '',
    accessIPv6: server.accessIPv6 ?? '',
    hasNetwork: server.networks !== 'none',
    securityGroups: [SECURITY_GROUP],
    tags: [...new Set(server.tags)],
    isLocked: false,
    lockedReason: null,
  };
}

/** The lower-case letters, digits and dashes of the name. */
const hostNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63) || 'server';
