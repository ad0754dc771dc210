// The traits of a provider as clients see them.
import type { ProviderTraits } from './provider-traits.repository';
import { presentTraits } from '../traits/traits.presenter';

export function presentProviderTraits({ traits, generation }: ProviderTraits): object {
  return { ...presentTraits(traits), resource_provider_generation: generation };
}
