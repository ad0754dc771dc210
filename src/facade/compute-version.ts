// THE table of what changed at which microversion of the Compute API, as far as the facade follows it, and the agreement
// on one by header. No number stands anywhere else: code asks for a feature.
import type { IncomingHttpHeaders } from 'node:http';
import type { MountedVersion, VersionRefusal } from '../http/mounted-api';

const MAJOR = 2;
const FIRST = 1;
const LAST = 96;

/** Name of what came, and the minor number that it came with. */
const FEATURES = {
  /** A key pair has a type; it is created with 201 and deleted with 204. */
  keypairType: 2,
  /** Administrators see the attributes of a server that a guest would see: host name, launch index, reservation. */
  guestAttributes: 3,
  /** Consoles are asked for by a route of their own. */
  remoteConsoles: 6,
  /** Servers are locked, and say so. */
  locked: 9,
  /** Administrators name the owner of a key pair. */
  keypairOwner: 10,
  /** A service can be forced down. */
  forcedDown: 11,
  /** A server group has a project and a user. */
  groupOwner: 13,
  /** Administrators see how a server's host is. */
  hostStatus: 16,
  /** A server has a description. */
  serverDescription: 19,
  /** A server has tags. */
  serverTags: 26,
  /** `cpu_info` of a hypervisor is an object. */
  cpuInfoObject: 28,
  /** Hypervisors are listed in pages. */
  hypervisorPages: 33,
  /** A live migration is judged behind its answer. */
  liveMigrationInBackground: 34,
  /** A host aggregate has a uuid. */
  aggregateUuid: 41,
  /** There are services and hypervisors, and no hosts besides. */
  noHosts: 43,
  /** A server shows its flavor as it was, not a link to it. */
  embeddedFlavor: 47,
  /** Services and hypervisors are called by uuids, and what were paths of theirs are parameters. */
  uuidsOfHosts: 53,
  /** Flavors have descriptions. */
  flavorDescription: 55,
  /** A cold migration names its host. */
  migrationHost: 56,
  /** An action of a server says when it last changed. */
  actionUpdated: 58,
  /** A flavor shows its extra specs. */
  extraSpecsInFlavor: 61,
  /** An event of an action names its host. */
  eventHost: 62,
  /** A server shows its certificates. */
  trustedCertificates: 63,
  /** A server group has one policy, with rules. */
  groupPolicy: 64,
  /** A server shows its groups. */
  groupsOfServer: 71,
  /** Why a server is locked. */
  lockedReason: 73,
  /** A server is asked for on a host or hypervisor, and filters are asked. */
  requestedHost: 74,
  /** Swap of a flavor is 0 where there is none. */
  zeroSwap: 75,
  /** Unshelving names a zone. */
  unshelveZone: 77,
  /** An event of an action has details. */
  eventDetails: 84,
  /** Hypervisors have an uptime instead of amounts, and no statistics. */
  leanHypervisors: 88,
  /** Unshelving names a host. */
  unshelveHost: 91,
  /** Key pairs are imported; the service makes none. */
  keypairImportOnly: 92,
  /** A server shows the zone that it was asked for in. */
  pinnedZone: 96,
} as const satisfies Readonly<Record<string, number>>;

export type ComputeFeature = keyof typeof FEATURES;

export const COMPUTE_VERSION_RANGE = { min_version: `${MAJOR}.${FIRST}`, version: `${MAJOR}.${LAST}` } as const;

/** A microversion that a client and the facade agreed on. */
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

/** Without a header it is the oldest. `OpenStack-API-Version` beats `X-OpenStack-Nova-API-Version`. */
export function negotiateCompute(headers: IncomingHttpHeaders): ComputeVersion | VersionRefusal {
  const wanted = ofServices(headers['openstack-api-version']) ?? oneText(headers['x-openstack-nova-api-version']);
  if (wanted === undefined) return OLDEST;
  if (wanted === 'latest') return NEWEST;
  const [, major, minor] = /^(\d{1,9})\.(\d{1,9})$/.exec(wanted) ?? [];
  if (major === undefined || minor === undefined) {
    return {
      kind: 'malformed',
      message: `API Version String ${wanted} is of invalid format. Must be of format MajorNum.MinorNum.`,
    };
  }
  const isKnown = Number(major) === MAJOR && Number(minor) >= FIRST && Number(minor) <= LAST;
  if (isKnown) return new ComputeVersion(Number(minor));
  const { min_version: min, version: max } = COMPUTE_VERSION_RANGE;
  return {
    kind: 'unacceptable',
    message: `Version ${wanted} is not supported by the API. Minimum is ${min} and maximum is ${max}.`,
  };
}

/** Of `compute 2.53, placement 1.6` the version of ours; the last one counts. */
function ofServices(header: string | readonly string[] | undefined): string | undefined {
  const parts = oneText(header)?.split(',') ?? [];
  return parts
    .map((part) => /^(\S+)\s+(.*)$/.exec(part.trim().toLowerCase()))
    .findLast((found) => found?.[1] === 'compute')?.[2];
}

const oneText = (header: string | readonly string[] | undefined): string | undefined =>
  (typeof header === 'string' ? header : header?.join(','))?.trim().toLowerCase();
