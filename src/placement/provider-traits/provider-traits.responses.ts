// Response schema for provider-traits.presenter.ts.
import { GENERATION, listOf, TEXT } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

export const PROVIDER_TRAITS = named(
  'ProviderTraits',
  closed({ traits: listOf(TEXT), resource_provider_generation: GENERATION }),
);
