// Presents usage, with the fields of each version.
import type { ApiVersion } from '../../platform/microversion/api-version';
import { ALL_CONSUMER_TYPES, UNKNOWN_CONSUMER_TYPE } from '../../platform/values/names';
import type { ProviderUsages, TypeUsages, UsageQuestion } from './usages.repository';

export function presentProviderUsages({ generation, used }: ProviderUsages): object {
  return { resource_provider_generation: generation, usages: Object.fromEntries(used) };
}

export function presentProjectUsages(
  groups: readonly TypeUsages[],
  { types }: UsageQuestion,
  api: ApiVersion,
): { readonly usages: object } {
  if (!api.has('consumerType')) return { usages: Object.fromEntries(groups[0]?.used ?? []) };
  const nameless = types.kind === 'together' ? ALL_CONSUMER_TYPES : UNKNOWN_CONSUMER_TYPE;
  const entries = groups.map(({ type, consumerCount, used }): [string, object] => [
    type ?? nameless,
    { consumer_count: consumerCount, ...Object.fromEntries(used) },
  ]);
  return { usages: Object.fromEntries(entries) };
}
