// Commands and results of the resource-providers slice, independent of API versions.
import type { Uuid } from '../../platform/values/uuid';
import type { StoredProvider } from './resource-provider.entity';

export type ResourceProvider = Pick<StoredProvider, 'uuid' | 'name' | 'generation' | 'changedAt'> & {
  readonly parentUuid: Uuid | null;
  readonly rootUuid: Uuid;
};

export interface UpdatedProvider {
  readonly provider: ResourceProvider;
  /** The name before the update. */
  readonly nameBefore: string;
}

export interface CreateProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parentUuid: Uuid | null;
  /** The report of a compute host creates it. */
  readonly isOfReport?: boolean;
}

export type ParentChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'none' }
  | { readonly kind: 'under'; readonly uuid: Uuid };

export interface UpdateProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parent: ParentChange;
  /** False: only a root can get a parent, and a child cannot leave its parent. */
  readonly mayMoveAnywhere: boolean;
}

/** A provider must match all conditions. An absent condition matches every provider. */
export interface ProviderFilter {
  readonly name?: string;
  readonly uuid?: Uuid;
  /** Any provider of the requested tree. */
  readonly inTree?: Uuid;
  /** The provider itself must have capacity for each amount. */
  readonly resources?: ReadonlyMap<string, number>;
  /** At least one trait of each set. */
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  /** In at least one aggregate of each set. */
  readonly memberOf: readonly (readonly Uuid[])[];
  readonly forbiddenAggregates: readonly Uuid[];
}
