// What the traits slice can be asked, and what it answers.
import type { StoredTrait } from './trait.entity';

export type Trait = Pick<StoredTrait, 'id' | 'name' | 'changedAt'>;

/** All conditions must hold; an absent one holds for every trait. */
export interface TraitFilter {
  readonly names?: readonly string[];
  /** Taken literally, case included. */
  readonly prefix?: string;
  /** True: on at least one provider; false: on none. */
  readonly isAssociated?: boolean;
}

export interface EnsuredTrait {
  readonly outcome: 'created' | 'existed';
  readonly trait: Pick<Trait, 'name' | 'changedAt'>;
}
