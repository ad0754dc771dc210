// Presents allocations, with the fields of each version.
import { UNKNOWN_CONSUMER_TYPE } from '../domain/names';
import type { Walk } from '../domain/walk';
import type { BodyWriter, LongBody } from '../http/body-bytes';
import type { ApiVersion } from '../microversion/api-version';
import type { ConsumerAllocations, ConsumerShare, ProviderAllocations } from './allocations.commands';

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

/** Consumers written between two yields. */
const SHARES_PER_STEP = 200;
/** Approximate size of the JSON of one consumer without its amounts, and of one amount. */
const SHARE_BYTES = 90;
const AMOUNT_BYTES = 20;

/** Written as text, because a provider can have very many consumers. No value needs escaping. */
export class ProviderAllocationsBody implements LongBody {
  readonly isAscii = true;

  constructor(
    private readonly found: ProviderAllocations,
    private readonly api: ApiVersion,
  ) {}

  *size(): Walk<number> {
    yield* [];
    const { shares } = this.found;
    return shares.length * (SHARE_BYTES + AMOUNT_BYTES * (shares[0]?.resources.size ?? 0));
  }

  *write(out: BodyWriter): Walk<void> {
    const { generation, shares } = this.found;
    const hasGeneration = this.api.has('consumerGeneration');
    out.add('{"allocations":{');
    for (let at = 0; at < shares.length; at += 1) {
      if (at % SHARES_PER_STEP === SHARES_PER_STEP - 1) yield;
      const { consumerUuid, consumerGeneration, resources } = shares[at] as ConsumerShare;
      let amounts = '';
      for (const [name, used] of resources) amounts += `${amounts === '' ? '' : ','}"${name}":${used}`;
      const behind = hasGeneration ? `,"consumer_generation":${consumerGeneration}` : '';
      out.add(`${at === 0 ? '' : ','}"${consumerUuid}":{"resources":{${amounts}}${behind}}`);
    }
    out.add(`},"resource_provider_generation":${generation}}`);
  }
}
