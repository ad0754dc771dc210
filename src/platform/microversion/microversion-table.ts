// All versions of the API, made from the table of microversions, and the negotiation of a version by header.
import type { Feature } from './api-version';
import { ApiVersion } from './api-version';

interface MicroversionRow {
  readonly version: string;
  /** The features that this version introduces. */
  readonly features: readonly Feature[];
  readonly summary: string;
}

type Negotiation =
  | { readonly kind: 'version'; readonly version: ApiVersion }
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'unacceptable'; readonly message: string };

const SERVICE = 'placement';

export class MicroversionTable {
  /** One version per row, oldest first. */
  readonly all: readonly ApiVersion[];
  readonly range: { readonly min_version: string; readonly max_version: string };
  /** The result for a header as nearly every client writes it, so that such a header is not parsed. */
  private readonly usual: ReadonlyMap<string, Negotiation>;

  /** The rows, oldest first. */
  constructor(readonly rows: readonly MicroversionRow[]) {
    const introduced = new Set<Feature>();
    this.all = rows.map(({ version, features }) => {
      for (const feature of features) introduced.add(feature);
      return new ApiVersion(version, new Set(introduced));
    });
    this.range = { min_version: this.oldest.text, max_version: this.newest.text };
    this.usual = new Map(this.all.map((version) => [`${SERVICE} ${version.text}`, { kind: 'version', version }]));
  }

  get oldest(): ApiVersion {
    return existing(this.all[0]);
  }

  get newest(): ApiVersion {
    return existing(this.all.at(-1));
  }

  find(text: string): ApiVersion | undefined {
    return this.all.find((version) => version.text === text);
  }

  /**
   * Reads the `OpenStack-API-Version` header (spec 1.2): the last `placement` entry wins, other services' entries are
   * ignored, absent means the oldest version, `latest` the newest. Two integers that name no version are
   * unacceptable (406); anything else is malformed (400). Blanks around the integers do not count.
   */
  negotiate(header: string | undefined): Negotiation {
    const usual = header === undefined ? undefined : this.usual.get(header);
    if (usual !== undefined) return usual;
    const requested = lastEntry(header);
    if (requested === undefined) return { kind: 'version', version: this.oldest };
    if (requested === 'latest') return { kind: 'version', version: this.newest };
    const parts = /^([+-]?\d+) ?\. ?([+-]?\d+)$/.exec(requested);
    if (parts === null) return { kind: 'malformed', message: `invalid version string: ${requested.slice(0, 64)}` };
    const version = this.find(`${Number(parts[1])}.${Number(parts[2])}`);
    if (version === undefined) {
      return { kind: 'unacceptable', message: `Unacceptable version header: ${requested.slice(0, 64)}` };
    }
    return { kind: 'version', version };
  }
}

function existing(version: ApiVersion | undefined): ApiVersion {
  if (version === undefined) throw new Error('the table of microversions is empty');
  return version;
}

function lastEntry(header: string | undefined): string | undefined {
  let found: string | undefined;
  for (const entry of (header ?? '').split(',')) {
    const [service, ...rest] = entry.trim().split(/\s+/);
    if (service?.toLowerCase() === SERVICE && rest.length > 0) found = rest.join(' ');
  }
  return found;
}
