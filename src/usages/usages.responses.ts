// The documents that usages.presenter.ts writes, since when.
import { COUNT, GENERATION, byName } from '../http/answer-schemas';
import { closed, firstOf, named, since, until } from '../microversion/versioned-schema';

const AMOUNTS = byName(COUNT);

export const PROVIDER_USAGES = named(
  'ProviderUsages',
  closed({ resource_provider_generation: GENERATION, usages: AMOUNTS }),
);

/** Of consumers of one type: how many they are, and what they use by resource class. */
const TYPE_USAGES = named('ConsumerTypeUsages', {
  type: 'object',
  properties: { consumer_count: COUNT },
  required: ['consumer_count'],
  additionalProperties: COUNT,
});

export const PROJECT_USAGES_SHOWN = named(
  'ProjectUsages',
  closed({ usages: firstOf(until('consumerType', AMOUNTS), since('consumerType', byName(TYPE_USAGES))) }),
);
