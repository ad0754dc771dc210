// Traits as clients see them: names, nothing else.
import { newestOf } from '../domain/newest';
import type { Trait } from './traits.repository';

/** Path of a trait, without the mount prefix. */
export function traitPath(name: string): string {
  return `/traits/${name}`;
}

export function presentTraits(traits: readonly Trait[]): { readonly traits: readonly string[] } {
  return { traits: traits.map((trait) => trait.name) };
}

/** Newest change among the traits; now when there is none. */
export function newestChange(traits: readonly Trait[]): number | 'now' {
  return newestOf(traits, 'now');
}
