// Allocations as clients see them, since when.
import { UNKNOWN_CONSUMER_TYPE } from '../domain/names';
import type { ApiVersion } from '../microversion/api-version';
import type { ConsumerAllocations, ProviderAllocations } from './allocations.commands';

export function presentConsumerAllocations(found: ConsumerAllocations | undefined, api: ApiVersion): object {
  if (found === undefined) return { allocations: {} };
  const allocations = Object.fromEntries(
    found.shares.map((share) => [
      share.providerUuid,
      { resources: Object.fromEntries(share.resources), generation: share.providerGeneration },
    ]),
  );
  return {
    allocations,
    ...(api.has('consumerOwnerShown') && { project_id: found.projectId, user_id: found.userId }),
    ...(api.has('consumerGeneration') && { consumer_generation: found.generation }),
    ...(api.has('consumerType') && { consumer_type: found.consumerType ?? UNKNOWN_CONSUMER_TYPE }),
  };
}

export function presentProviderAllocations(found: ProviderAllocations, api: ApiVersion): object {
  const allocations = Object.fromEntries(
    found.shares.map((share) => [
      share.consumerUuid,
      {
        resources: Object.fromEntries(share.resources),
        ...(api.has('consumerGeneration') && { consumer_generation: share.consumerGeneration }),
      },
    ]),
  );
  return { allocations, resource_provider_generation: found.generation };
}
