// Presents the aggregates of a provider, with the fields of each version.
import type { ApiVersion } from '../../platform/microversion/api-version';
import type { ReplacedAggregates } from './aggregates.service';

export function presentAggregates(
  { aggregates, generation }: Pick<ReplacedAggregates, 'aggregates' | 'generation'>,
  api: ApiVersion,
): object {
  return { aggregates, ...(api.has('aggregateGeneration') && { resource_provider_generation: generation }) };
}
