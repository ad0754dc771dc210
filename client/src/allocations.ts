// What consumers hold. A claim whose answer is lost may have been made; with the consumer's generation in it, it can be
// sent again, since it is made once at most.
import type { Calls } from './calls.ts';
import { GenerationConflict } from './errors.ts';
import type { Body } from './routes.ts';
import type { CallOptions } from './session.ts';

const CLAIM = '/allocations/{consumer_uuid}';

type Claim = Body<typeof CLAIM, 'put'>;

/**
 * Replaces what the consumer holds. Stating a `consumer_generation` makes it repeatable: where an answer was lost and
 * the repetition finds another generation, it has succeeded if the consumer holds what was asked for, and throws
 * GenerationConflict if not.
 */
export const replaceAllocations = (calls: Calls) => {
  const get = calls.plain('get', CLAIM);
  const put = calls.write('put', CLAIM);
  return async (consumer: string, claim: Claim, options?: CallOptions): Promise<void> => {
    const repeatable = (claim as Loose).consumer_generation !== undefined;
    try {
      await put(consumer, claim, { repeatable, ...options });
    } catch (error) {
      if (!(error instanceof GenerationConflict) || !error.isOfConsumer || error.tries === 1) throw error;
      if (!holds(await get(consumer, options), claim)) throw error;
    }
  };
};

/** As far as a claim and what is held have something in common. */
interface Loose {
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_type?: string;
  readonly consumer_generation?: number | null;
}

/** Whether the consumer holds exactly what is claimed. Without allocations there is no consumer, and no owner. */
function holds(held: unknown, claim: Claim): boolean {
  const [is, asked] = [held as Loose, claim as Loose];
  const same = amounts(is) === amounts(asked);
  if (!same || Object.keys(is.allocations).length === 0) return same;
  return (['project_id', 'user_id', 'consumer_type'] as const).every((name) => is[name] === asked[name]);
}

/** Equal texts for equal amounts. */
const amounts = ({ allocations }: Loose): string =>
  Object.entries(allocations)
    .flatMap(([provider, { resources }]) =>
      Object.entries(resources).map(([name, amount]) => `${provider.toLowerCase()} ${name} ${amount}`),
    )
    .sort()
    .join('\n');
