// Response schemas for usages.presenter.ts, with the fields of each version.
import { byName, COUNT, GENERATION } from '../../platform/http/answer-schemas';
import { closed, firstOf, named, since, until } from '../../platform/microversion/versioned-schema';

const AMOUNTS = byName(COUNT);

export const PROVIDER_USAGES = named(
  'ProviderUsages',
  closed({ resource_provider_generation: GENERATION, usages: AMOUNTS }),
);

/** The number of consumers of one type, and their usage by resource class. */
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
