// What the resource-providers slice can be asked to do, free of versions, and what it answers.
import type { Uuid } from '../domain/uuid';
import type { StoredProvider } from './resource-provider.entity';

export type ResourceProvider = Pick<StoredProvider, 'uuid' | 'name' | 'generation' | 'changedAt'> & {
  readonly parentUuid: Uuid | null;
  readonly rootUuid: Uuid;
};

export interface UpdatedProvider {
  readonly provider: ResourceProvider;
  /** Its name until then. */
  readonly nameBefore: string;
}

export interface CreateProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parentUuid: Uuid | null;
}

export type ParentChange =
  { readonly kind: 'keep' } | { readonly kind: 'none' } | { readonly kind: 'under'; readonly uuid: Uuid };

export interface UpdateProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parent: ParentChange;
  /** False: only a root may be given a parent, and no child may leave its own. */
  readonly mayMoveAnywhere: boolean;
}

/** All conditions must hold; an absent one holds for every provider. */
export interface ProviderFilter {
  readonly name?: string;
  readonly uuid?: Uuid;
  /** Any provider of the tree. */
  readonly inTree?: Uuid;
  /** The provider itself has room for each amount. */
  readonly resources?: ReadonlyMap<string, number>;
  /** One of each set. */
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  /** In one aggregate of each set. */
  readonly memberOf: readonly (readonly Uuid[])[];
  readonly forbiddenAggregates: readonly Uuid[];
}
