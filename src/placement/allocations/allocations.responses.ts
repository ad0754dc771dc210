// Response schemas for allocations.presenter.ts, with the fields of each version.
import { byName, GENERATION, TEXT } from '../../platform/http/answer-schemas';
import { closed, named, since } from '../../platform/microversion/versioned-schema';

/** Amounts by resource class. */
export const AMOUNTS = named('ResourceAmounts', byName({ type: 'integer', minimum: 1 }));

/** If a consumer has no allocations, `allocations` is empty and the other fields are absent. */
export const CONSUMER_ALLOCATIONS = named(
  'ConsumerAllocations',
  closed(
    {
      allocations: byName(named('ConsumerAllocation', closed({ resources: AMOUNTS, generation: GENERATION }))),
      project_id: since('consumerOwnerShown', TEXT),
      user_id: since('consumerOwnerShown', TEXT),
      consumer_generation: since('consumerGeneration', GENERATION),
      consumer_type: since('consumerType', TEXT),
    },
    ['project_id', 'user_id', 'consumer_generation', 'consumer_type'],
  ),
);

export const PROVIDER_ALLOCATIONS = named(
  'ProviderAllocations',
  closed({
    allocations: byName(
      named(
        'ProviderAllocation',
        closed({ resources: AMOUNTS, consumer_generation: since('consumerGeneration', GENERATION) }),
      ),
    ),
    resource_provider_generation: GENERATION,
  }),
);
