// The version of the contract that one request speaks, asked by feature, never by number.
import { FEATURE_POSITION, MAX_VERSION, MICROVERSIONS, MIN_VERSION } from '../../placement/microversions';
import type { Feature } from '../../placement/microversions';

export class ApiVersion {
  /** One object per row of the table, oldest first. */
  static readonly all: readonly ApiVersion[] = MICROVERSIONS.map((entry, i) => new ApiVersion(entry.version, i));

  static get oldest(): ApiVersion {
    return versionAt(0);
  }

  static get newest(): ApiVersion {
    return versionAt(MICROVERSIONS.length - 1);
  }

  private constructor(
    /** As sent on the wire, for example in `openstack-api-version`. */
    readonly text: string,
    private readonly position: number,
  ) {}

  has(feature: Feature): boolean {
    return this.position >= (FEATURE_POSITION.get(feature) ?? Number.POSITIVE_INFINITY);
  }

  /** The first version that has the feature. */
  static first(feature: Feature): ApiVersion {
    return versionAt(FEATURE_POSITION.get(feature) ?? 0);
  }

  static find(text: string): ApiVersion | undefined {
    return ApiVersion.all.find((version) => version.text === text);
  }
}

function versionAt(position: number): ApiVersion {
  const version = ApiVersion.all[position];
  if (version === undefined) throw new Error(`no microversion at position ${position}`);
  return version;
}

type Negotiation =
  | { readonly kind: 'version'; readonly version: ApiVersion }
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'unacceptable'; readonly message: string };

const SERVICE = 'placement';

/** As nearly every client writes it: a header is not taken apart for each of its requests. */
const AS_USUAL: ReadonlyMap<string, Negotiation> = new Map(
  ApiVersion.all.map((version) => [`${SERVICE} ${version.text}`, { kind: 'version', version }]),
);

/**
 * Reads the `OpenStack-API-Version` header (spec 1.2): the last `placement` entry wins, other services' entries are
 * ignored, absent means the oldest version, `latest` the newest. Two integers that name no version are
 * unacceptable (406); anything else is malformed (400). Blanks around the integers do not count.
 */
export function negotiate(header: string | undefined): Negotiation {
  const usual = header === undefined ? undefined : AS_USUAL.get(header);
  if (usual !== undefined) return usual;
  const wanted = lastEntry(header);
  if (wanted === undefined) return { kind: 'version', version: ApiVersion.oldest };
  if (wanted === 'latest') return { kind: 'version', version: ApiVersion.newest };
  const parts = /^([+-]?\d+) ?\. ?([+-]?\d+)$/.exec(wanted);
  if (parts === null) return { kind: 'malformed', message: `invalid version string: ${wanted.slice(0, 64)}` };
  const version = ApiVersion.find(`${Number(parts[1])}.${Number(parts[2])}`);
  if (version === undefined) {
    return { kind: 'unacceptable', message: `Unacceptable version header: ${wanted.slice(0, 64)}` };
  }
  return { kind: 'version', version };
}

function lastEntry(header: string | undefined): string | undefined {
  let found: string | undefined;
  for (const entry of (header ?? '').split(',')) {
    const [service, ...rest] = entry.trim().split(/\s+/);
    if (service?.toLowerCase() === SERVICE && rest.length > 0) found = rest.join(' ');
  }
  return found;
}

export const VERSION_RANGE = { min_version: MIN_VERSION, max_version: MAX_VERSION } as const;
