// One request group and the whole resource request, as the scheduler asks placement for them.
// The shape of a group is the candidate engine's own, so that an adapter only has to pass it on.

/** `none`: groups may share a provider. `isolate`: each suffixed group gets its own. */
export type GroupPolicy = 'none' | 'isolate';

/** What one group asks for. The unsuffixed group (suffix '') may spread over a tree; the others may not. */
export interface RequestGroup {
  readonly suffix: string;
  readonly resources: ReadonlyMap<string, number>;
  /** Every inner list must be met by at least one of its traits. */
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  /** Every inner list must be met by membership in at least one of its aggregates. */
  readonly memberOf: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
  readonly inTree: string | null;
}

/** Everything one placement query says. `limit` null means unlimited. */
export interface ResourceRequest {
  readonly groups: readonly RequestGroup[];
  readonly groupPolicy: GroupPolicy | null;
  readonly sameSubtree: readonly (readonly string[])[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly limit: number | null;
}
