// Presents the traits of a provider.
import { presentTraits } from '../traits/traits.presenter';
import type { ProviderTraits } from './provider-traits.repository';

export function presentProviderTraits({ traits, generation }: Pick<ProviderTraits, 'traits' | 'generation'>): object {
  return { ...presentTraits(traits), resource_provider_generation: generation };
}
