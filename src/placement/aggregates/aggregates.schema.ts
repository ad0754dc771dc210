// Request schema for a provider's aggregates: a list in old versions, later an object with the provider's generation.
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { bodySchema } from '../../platform/http/schema-validator';
import { firstOf, named, since, until } from '../../platform/microversion/versioned-schema';
import { bodyFault, FIELD_RULES } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import { checkedUuid } from '../resource-providers/resource-providers.schema';
import type { ReplaceAggregates } from './aggregates.service';

interface AggregatesWithGeneration {
  readonly aggregates: readonly string[];
  readonly resource_provider_generation: number;
}

export type ReplaceAggregatesBody = readonly string[] | AggregatesWithGeneration;

const UUID = { type: 'string', format: 'uuid-like' };
const { aggregatesPerProvider: maxItems } = WRITE_LIMITS;

export const REPLACE_AGGREGATES = bodySchema<ReplaceAggregatesBody>(
  named('ReplaceAggregates', {
    type: firstOf(since('aggregateGeneration', 'object'), until('aggregateGeneration', 'array')),
    items: until('aggregateGeneration', UUID),
    maxItems: until('aggregateGeneration', maxItems),
    uniqueItems: until('aggregateGeneration', true),
    properties: since('aggregateGeneration', {
      aggregates: { type: 'array', items: UUID, maxItems, uniqueItems: true },
      resource_provider_generation: { type: 'integer' },
    }),
    required: since('aggregateGeneration', ['aggregates', 'resource_provider_generation']),
    additionalProperties: since('aggregateGeneration', false),
  }),
);

/** Throws InvalidInput if two spellings name the same aggregate. */
export function replaceCommand(provider: Uuid, body: ReplaceAggregatesBody): ReplaceAggregates {
  if (!('aggregates' in body)) {
    return { provider, aggregates: distinct(body, ''), generation: { kind: 'unchecked' } };
  }
  const generation = { kind: 'expected', value: body.resource_provider_generation } as const;
  return { provider, aggregates: distinct(body.aggregates, 'aggregates'), generation };
}

function distinct(texts: readonly string[], field: string): readonly Uuid[] {
  const uuids = new Set(texts.map(checkedUuid));
  if (uuids.size !== texts.length) throw bodyFault(field, FIELD_RULES.twice);
  return [...uuids];
}
