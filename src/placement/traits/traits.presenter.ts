// Presents traits as a list of names.
import type { Trait } from './traits.commands';

/** Path of a trait, without the mount prefix. */
export function traitPath(name: string): string {
  return `/traits/${name}`;
}

export function presentTraits(traits: readonly Trait[]): { readonly traits: readonly string[] } {
  return { traits: traits.map((trait) => trait.name) };
}
