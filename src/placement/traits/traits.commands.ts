// Queries and results of the traits slice.
import type { StoredTrait } from './trait.entity';

export type Trait = Pick<StoredTrait, 'id' | 'name' | 'changedAt'>;

/** A trait must match all conditions. An absent condition matches every trait. */
export interface TraitFilter {
  readonly names?: readonly string[];
  /** Matched literally and case-sensitively. */
  readonly prefix?: string;
  /** True: at least one provider has it. False: no provider has it. */
  readonly isAssociated?: boolean;
}

export interface EnsuredTrait {
  readonly outcome: 'created' | 'existed';
  readonly trait: Pick<Trait, 'name' | 'changedAt'>;
}
