// Sets or unsets one trait of one provider. A write replaces all traits under the generation that was read, and claims
// change the generation too. So the traits are read just before the write, and once more after a conflict. Traits that
// other clients set meanwhile are kept.
import type { Client } from '@berth/client';
import { GenerationConflict } from '@berth/client';

export type TraitChange = 'set' | 'unset';

interface TraitOrder {
  readonly uuid: string;
  readonly trait: string;
  readonly change: TraitChange;
}

const TRIES = 2;

type ProviderTraits = Pick<Client['providers']['traits'], 'list' | 'replace'>;

/** Returns 'done', or 'already' if no write was needed. Throws GenerationConflict after the second conflict. */
export async function changeTrait(
  traits: ProviderTraits,
  { uuid, trait, change }: TraitOrder,
  signal?: AbortSignal,
): Promise<'done' | 'already'> {
  for (let tries = 1; ; tries += 1) {
    const { traits: present, resource_provider_generation: generation } = await traits.list(uuid, { signal });
    if (present.includes(trait) === (change === 'set')) return 'already';
    const wanted = change === 'set' ? [...present, trait] : present.filter((name) => name !== trait);
    try {
      // The write takes no signal: after an abort its result would be unknown.
      await traits.replace(uuid, { resource_provider_generation: generation, traits: wanted });
      return 'done';
    } catch (error) {
      if (!(error instanceof GenerationConflict) || tries >= TRIES) throw error;
    }
  }
}
