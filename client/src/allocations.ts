// Allocations of consumers. If the answer to a claim is lost, its outcome is unknown. A claim with a consumer
// generation can be repeated, because the service applies it at most once.
import type { Calls } from './calls.ts';
import { GenerationConflict } from './errors.ts';
import type { Body } from './routes.ts';
import type { CallOptions } from './session.ts';

const CLAIM = '/allocations/{consumer_uuid}';

type Claim = Body<typeof CLAIM, 'put'>;

/**
 * Replaces the allocations of a consumer. A `consumer_generation` makes the call repeatable. If a repetition after a
 * lost answer meets another generation, the call succeeds if the consumer has exactly these allocations. Otherwise it
 * throws GenerationConflict.
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

/** The common part of a claim and of a consumer's current allocations. */
interface Loose {
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_type?: string;
  readonly consumer_generation?: number | null;
}

/**
 * Whether the consumer has exactly these allocations. A consumer without allocations does not exist and has no owner.
 */
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
