// Resolves pasted names or uuids to providers of the cloud.
import type { Client } from '@berth/client';
import { eachOf } from '../service/each-of';
import { isUuid } from '../shown/uuid';
import type { Preview, Target } from './batch';
import { pastedNames } from './batch';

/** The maximum number of names in one lookup. */
export const NAMES_MAX = 2_000;

interface Found {
  readonly targets: readonly Target[];
  readonly cannot: Preview['cannot'];
}

export async function findByNames(list: Client['providers']['list'], pasted: string): Promise<Found> {
  const words = pastedNames(pasted);
  const asked = words.slice(0, NAMES_MAX);
  const targets = await eachOf(asked, async (word): Promise<readonly Target[]> => {
    const { resource_providers: found } = await list(isUuid(word) ? { uuid: word } : { name: word });
    return found.map(({ uuid, name }) => ({ uuid, name }));
  });
  const missing = asked.filter((_, at) => targets[at]?.length === 0);
  return {
    targets: targets.flat(),
    cannot: [
      ...missing.map((name) => ({ name, reason: 'There is no resource provider of this name.' })),
      ...words.slice(NAMES_MAX).map((name) => ({ name, reason: `Beyond the first ${NAMES_MAX} names.` })),
    ],
  };
}
