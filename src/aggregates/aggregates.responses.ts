// The document that aggregates.presenter.ts writes, since when.
import { GENERATION, UUID, listOf } from '../http/answer-schemas';
import { closed, named, since } from '../microversion/versioned-schema';

export const AGGREGATES = named(
  'Aggregates',
  closed({ aggregates: listOf(UUID), resource_provider_generation: since('aggregateGeneration', GENERATION) }),
);
