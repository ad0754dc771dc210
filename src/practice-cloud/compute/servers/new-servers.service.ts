// Converts a client's request for servers into server records and a scheduler request.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { textsOf } from '../../../compute/registry-schema';
import { MIB } from '../../../platform/config/limits/units';
import { InvalidInput } from '../../../platform/values/errors';
import { bodyFault, FIELD_RULES, shown } from '../../../platform/values/field-fault';
import type { Uuid } from '../../../platform/values/uuid';
import type { ShownImage } from '../../image/image-document';
import { imageRecordOf } from '../../image/image-document';
import type { ComputeCaller } from '../compute-request';
import { forAdministrators } from '../compute-request';
import type { ComputeFlavor } from '../flavors/compute-flavors.service';
import { isNetwork, isSecurityGroup, SECURITY_GROUP } from '../practice-network';
import type { ServerRequest } from './placement-of-servers';
import type { RequestedServer, ServerFlavor } from './server.entity';
import type { ComputeNewServerDto, NewServerBody } from './servers.schema';
import { VisibleReferences } from './visible-references';

interface NewServers {
  readonly servers: readonly RequestedServer[];
  /** How many of the servers must find a host. */
  readonly minCount: number;
}

/** Internal hint of the scheduler that requests a placement without a claim. Clients must not send it. */
const INTERNAL_HINT = '_nova_check_type';
/** Hints that name servers. */
const SERVER_HINTS = ['same_host', 'different_host'];

/** Body fields for hints and for the host, as error messages name them. */
const HINTS = 'os:scheduler_hints';
const ZONE = 'server.availability_zone';

@Injectable()
export class NewServersService {
  constructor(private readonly references: VisibleReferences) {}

  /** Throws invalid_input with the name of the field. */
  async of(body: NewServerBody, caller: ComputeCaller): Promise<NewServers> {
    const { server } = body;
    refuseInvalidNetworks(server);
    const [minCount, maxCount] = countsOf(server);
    const flavor = await this.references.flavor('server.flavorRef', server.flavorRef, caller);
    const imageUuid = await this.imageOf(server, flavor, caller);
    if (typeof server.key_name === 'string') await this.references.keypair('server.key_name', server.key_name, caller);
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

  /** The image that the server boots; null: it boots from a volume. */
  private async imageOf(
    server: ComputeNewServerDto,
    flavor: ServerFlavor,
    caller: ComputeCaller,
  ): Promise<Uuid | null> {
    const { imageRef, block_device_mapping_v2: devices = [] } = server;
    const boot = bootDevice(server);
    const uuidOf = async (field: string, reference: string, isBoot: boolean): Promise<Uuid> => {
      const image = await this.references.image(field, reference, caller);
      if (isBoot) refuseSmallFlavor(flavor, image, isVolumeBacked(server));
      return image.uuid;
    };
    let fromDevice: Uuid | null = null;
    for (const device of devices) {
      if (device.source_type !== 'image' || !device.uuid) continue;
      const uuid = await uuidOf('server.block_device_mapping_v2', device.uuid, device === boot);
      if (device === boot) fromDevice = uuid;
    }
    if (imageRef) return uuidOf('server.imageRef', imageRef, true);
    if (boot !== undefined) return fromDevice;
    throw bodyFault('server.imageRef', 'is required, or a block device that the server starts from');
  }

  /** Resolves the server group and the servers in the hints to uuids. The scheduler refuses several groups. */
  private async hintsOf(body: NewServerBody, caller: ComputeCaller): Promise<Readonly<Record<string, unknown>>> {
    const hints = { ...(body['os:scheduler_hints'] ?? body['OS-SCH-HNT:scheduler_hints']) };
    if (INTERNAL_HINT in hints) throw bodyFault(`${HINTS}.${INTERNAL_HINT}`, 'is no hint for clients');
    for (const hint of SERVER_HINTS) {
      const texts = textsOfHint(hints[hint]);
      if (texts.length > 0) hints[hint] = await this.references.serversOf(`${HINTS}.${hint}`, texts, caller);
    }
    const [group, ...others] = textsOfHint(hints['group']);
    if (group === undefined || others.length > 0) return hints;
    return { ...hints, group: (await this.references.serverGroup(`${HINTS}.group`, group, caller)).uuid };
  }
}

/** The scheduler accepts a text, a number or a boolean, or a list of them, and ignores empty texts. */
const textsOfHint = (hint: unknown): readonly string[] =>
  [hint].flat().flatMap((value) => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) || [] : []));

const TOO_SMALL = "Flavor's disk is smaller than the";

/** Throws invalid_input if the image needs more than the flavor has. The disk of a volume is not that of the flavor. */
export function refuseSmallFlavor(
  { memoryMb, rootGb }: ServerFlavor,
  image: ShownImage,
  isVolumeBackedServer: boolean,
): void {
  const { minRamMb, minDiskGb, sizeBytes } = imageRecordOf(image);
  if (memoryMb < minRamMb) throw new InvalidInput("Flavor's memory is too small for requested image.");
  if (isVolumeBackedServer || rootGb === 0) return;
  if ((sizeBytes ?? 0) > rootGb * 1_024 * MIB) throw new InvalidInput(`${TOO_SMALL} image: ${rootGb} GiB.`);
  if (rootGb < minDiskGb) throw new InvalidInput(`${TOO_SMALL} minimum of the image: ${rootGb} < ${minDiskGb} GiB.`);
}

export const flavorSnapshot = (flavor: ComputeFlavor): ServerFlavor => {
  const { id, name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs } = flavor;
  return { id, name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs };
};

const bootDevice = ({ block_device_mapping_v2: devices }: ComputeNewServerDto) =>
  devices?.find(({ boot_index: index }) => String(index) === '0');

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
  if (isNamed && !isAdmin) throw forAdministrators('To choose a host');
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
  const listed = typeof networks === 'string' || networks === undefined ? [] : networks;
  if (listed.some(({ port = null }) => port !== null))
    throw bodyFault('server.networks', 'names a port, and there are none');
  const unknown = listed.flatMap(({ uuid }) => uuid ?? []).find((uuid) => !isNetwork(uuid));
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
    lockedBy: null,
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
