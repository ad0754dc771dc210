// Presents allocations, with the fields of each version.
import type { LongBody } from '../../platform/http/body-bytes';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { UNKNOWN_CONSUMER_TYPE } from '../../platform/values/names';
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

/** A provider can have very many consumers. */
export class ProviderAllocationsBody implements LongBody {
  constructor(
    private readonly found: ProviderAllocations,
    private readonly api: ApiVersion,
  ) {}

  *pieces(): Iterable<string> {
    const { generation, shares } = this.found;
    yield '{"allocations":{';
    for (const [at, { consumerUuid, consumerGeneration, resources }] of shares.entries()) {
      const share = {
        resources: Object.fromEntries(resources),
        ...(this.api.has('consumerGeneration') && { consumer_generation: consumerGeneration }),
      };
      yield `${at === 0 ? '' : ','}"${consumerUuid}":${JSON.stringify(share)}`;
    }
    yield `},"resource_provider_generation":${generation}}`;
  }
}
