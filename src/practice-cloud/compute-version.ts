// The microversions of the Compute API that the practice cloud supports, and their negotiation by header. All version
// numbers are here: other code asks for a feature.
import type { IncomingHttpHeaders } from 'node:http';
import type { MountedVersion, VersionRefusal } from '../platform/http/mounted-api';

const MAJOR = 2;
const FIRST = 1;
const LAST = 96;

/** Features by name, each with the minor version that introduced it. */
const FEATURES = {
  /** A key pair has a type. Creation responds 201, deletion 204. */
  keypairType: 2,
  /** Administrators see the attributes of a server that a guest would see: host name, launch index, reservation. */
  guestAttributes: 3,
  /** Consoles have a route of their own. */
  remoteConsoles: 6,
  /** Servers can be locked, and show it. */
  locked: 9,
  /** Administrators can name the owner of a key pair. */
  keypairOwner: 10,
  /** A service can be forced down. */
  forcedDown: 11,
  /** A server group has a project and a user. */
  groupOwner: 13,
  /** The response to an evacuation is empty. */
  noEvacuationPassword: 14,
  /** Administrators see the status of a server's host. */
  hostStatus: 16,
  /** A server has a description. */
  serverDescription: 19,
  /** A server lists its migrations. */
  migrationsOfServer: 23,
  /** A server has tags. */
  serverTags: 26,
  /** `cpu_info` of a hypervisor is an object. */
  cpuInfoObject: 28,
  /** A live migration is checked after the response. */
  liveMigrationInBackground: 34,
  /** Quotas and limits of networks are gone. */
  noNetworks: 36,
  /** The limit of image metadata is gone. */
  noImageProxies: 39,
  /** A host aggregate has a uuid. */
  aggregateUuid: 41,
  /** A server shows a copy of its flavor instead of a link. */
  embeddedFlavor: 47,
  /** Services and hypervisors have uuids as ids. Some of their routes become query parameters. */
  uuidsOfHosts: 53,
  /** A rebuilt server shows its key pair. */
  keyOfRebuild: 54,
  /** Flavors have descriptions. */
  flavorDescription: 55,
  /** A cold migration can name the target host. */
  migrationHost: 56,
  /** Quotas and limits of injected files are gone; a rebuilt server shows its user data. */
  noInjectedFiles: 57,
  /** An action of a server shows when it last changed. */
  actionUpdated: 58,
  /** A flavor shows its extra specs. */
  extraSpecsInFlavor: 61,
  /** An event of an action shows its host. */
  eventHost: 62,
  /** A server shows its certificates. */
  trustedCertificates: 63,
  /** A server group has one policy, with rules. */
  groupPolicy: 64,
  /** A server shows its groups. */
  groupsOfServer: 71,
  /** A server shows why it is locked. */
  lockedReason: 73,
  /** A request for a server can name a host or hypervisor, which the filters check. */
  requestedHost: 74,
  /** The swap of a flavor is 0 if it has none. */
  zeroSwap: 75,
  /** A changed or rebuilt server is shown as a whole. */
  wholeChangedServer: 75,
  /** Unshelving can name a zone. */
  unshelveZone: 77,
  /** An event of an action has details. */
  eventDetails: 84,
  /** Hypervisors show an uptime instead of amounts, and have no statistics. */
  leanHypervisors: 88,
  /** Unshelving can name a host. */
  unshelveHost: 91,
  /** Key pairs can only be imported; the service generates none. */
  keypairImportOnly: 92,
  /** A server shows the zone that its request named. */
  pinnedZone: 96,
} as const satisfies Readonly<Record<string, number>>;

export type ComputeFeature = keyof typeof FEATURES;

export const COMPUTE_VERSION_RANGE = { min_version: `${MAJOR}.${FIRST}`, version: `${MAJOR}.${LAST}` } as const;

/** The negotiated microversion. */
export class ComputeVersion implements MountedVersion {
  constructor(private readonly minor: number) {}

  get text(): string {
    return `${MAJOR}.${this.minor}`;
  }

  has(feature: ComputeFeature): boolean {
    return this.minor >= FEATURES[feature];
  }
}

const OLDEST = new ComputeVersion(FIRST);
const NEWEST = new ComputeVersion(LAST);

/** Default: the oldest version. `OpenStack-API-Version` takes precedence over `X-OpenStack-Nova-API-Version`. */
export function negotiateCompute(headers: IncomingHttpHeaders): ComputeVersion | VersionRefusal {
  const requestedVersion =
    ofServices(headers['openstack-api-version']) ?? oneText(headers['x-openstack-nova-api-version']);
  if (requestedVersion === undefined) return OLDEST;
  if (requestedVersion === 'latest') return NEWEST;
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(requestedVersion) ?? [];
  if (major === undefined || minor === undefined) {
    return {
      kind: 'malformed',
      message: `API Version String ${requestedVersion} is of invalid format. Must be of format MajorNum.MinorNum.`,
    };
  }
  const isKnown = Number(major) === MAJOR && Number(minor) >= FIRST && Number(minor) <= LAST;
  if (isKnown) return new ComputeVersion(Number(minor));
  const { min_version: min, version: max } = COMPUTE_VERSION_RANGE;
  return {
    kind: 'unacceptable',
    message: `Version ${requestedVersion} is not supported by the API. Minimum is ${min} and maximum is ${max}.`,
  };
}

/** The version for `compute` in a header such as `compute 2.53, placement 1.6`. The last entry takes precedence. */
function ofServices(header: string | readonly string[] | undefined): string | undefined {
  const parts = oneText(header)?.split(',') ?? [];
  return parts
    .map((part) => /^(\S+)\s+(.*)$/.exec(part.trim().toLowerCase()))
    .findLast((found) => found?.[1] === 'compute')?.[2];
}

const oneText = (header: string | readonly string[] | undefined): string | undefined =>
  (typeof header === 'string' ? header : header?.join(','))?.trim().toLowerCase();
