// Sets or unsets one trait of one provider. A write replaces all traits under the generation that was read, and claims
// change the generation too. So the traits are read just before the write, and once more after a conflict. Traits that
// other clients set meanwhile are kept.
import type { Client } from '@berth/client';
import { GenerationConflict } from '@berth/client';
import type { Undo } from '../shown/use-change';

export type TraitChange = 'set' | 'unset';

interface TraitOrder {
  readonly uuid: string;
  readonly trait: string;
  readonly change: TraitChange;
}

const TRIES = 2;

type ProviderTraits = Pick<Client['providers']['traits'], 'list' | 'replace'>;

/**
 * Returns the function that reverts the change, or undefined if no write was needed. Throws GenerationConflict after the
 * second conflict.
 */
export async function changeTrait(
  traits: ProviderTraits,
  { uuid, trait, change }: TraitOrder,
  signal?: AbortSignal,
): Promise<Undo | undefined> {
  for (let tries = 1; ; tries += 1) {
    const { traits: present, resource_provider_generation: generation } = await traits.list(uuid, { signal });
    if (present.includes(trait) === (change === 'set')) return undefined;
    const wanted = change === 'set' ? [...present, trait] : present.filter((name) => name !== trait);
    try {
      // The write takes no signal: after an abort its result would be unknown.
      await traits.replace(uuid, { resource_provider_generation: generation, traits: wanted });
      return () => putBack(traits, uuid, wanted, present);
    } catch (error) {
      if (!(error instanceof GenerationConflict) || tries >= TRIES) throw error;
    }
  }
}

/** Claims raise the generation too, so the traits decide whether the provider was changed since. */
async function putBack(
  providerTraits: ProviderTraits,
  uuid: string,
  written: readonly string[],
  before: string[],
): Promise<unknown> {
  const { traits, resource_provider_generation: generation } = await providerTraits.list(uuid);
  if (traits.length !== written.length || !traits.every((trait) => written.includes(trait))) {
    throw new Error('Another request changed its traits meanwhile.');
  }
  return providerTraits.replace(uuid, { resource_provider_generation: generation, traits: before });
}
