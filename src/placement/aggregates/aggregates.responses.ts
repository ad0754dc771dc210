// Response schema for aggregates.presenter.ts, with the fields of each version.
import { GENERATION, listOf, UUID } from '../../platform/http/answer-schemas';
import { closed, named, since } from '../../platform/microversion/versioned-schema';

export const AGGREGATES = named(
  'Aggregates',
  closed({ aggregates: listOf(UUID), resource_provider_generation: since('aggregateGeneration', GENERATION) }),
);
