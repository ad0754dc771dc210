// THE table of what changed at which microversion of the Compute API, as far as the facade follows it, and the agreement
// on one by header. No number stands anywhere else: code asks for a feature.
import type { IncomingHttpHeaders } from 'node:http';
import type { MountedVersion, VersionRefusal } from '../http/mounted-api';

const MAJOR = 2;
const FIRST = 1;
const LAST = 96;

/** Name of what came, and the minor number that it came with. */
const FEATURES = {
  /** The bodies of `GET /flavors` and `GET /flavors/{id}` have descriptions. */
  flavorDescription: 55,
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
