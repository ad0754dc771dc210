// The version of the API that one request uses. Code asks for a feature by name, never for a version by number.

/**
 * The names of features, by where they are used. The table of microversions adds its names by declaration merging, thus
 * an unknown name does not compile.
 */
export interface MicroversionFeatures {
  readonly http: 'errorCodes' | 'lastModified';
}

/** Name of a change of the API. */
export type Feature = MicroversionFeatures[keyof MicroversionFeatures];

export class ApiVersion {
  constructor(
    /** As in the header `openstack-api-version`. */
    readonly text: string,
    private readonly features: ReadonlySet<Feature>,
  ) {}

  has(feature: Feature): boolean {
    return this.features.has(feature);
  }
}
