// Setting and unsetting one trait of one provider. Traits are written as a whole, under the generation that they were
// read at, and claims move the generation too: so they are read right before they are written, and once more when
// somebody else was in between. What others set meanwhile stays.
import { GenerationConflict } from '@berth/client';
import type { Client } from '@berth/client';

export type TraitChange = 'set' | 'unset';

interface TraitOrder {
  readonly uuid: string;
  readonly trait: string;
  readonly change: TraitChange;
}

const TRIES = 2;

type ProviderTraits = Pick<Client['providers']['traits'], 'list' | 'replace'>;

/** 'done', or 'already' where nothing had to be written. Throws the conflict when it lost twice. */
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
      // A write that has begun is brought to its end: nobody would know otherwise whether it was done.
      await traits.replace(uuid, { resource_provider_generation: generation, traits: wanted });
      return 'done';
    } catch (error) {
      if (!(error instanceof GenerationConflict) || tries >= TRIES) throw error;
    }
  }
}
