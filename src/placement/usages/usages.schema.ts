// Query schema of GET /usages, with the parameters of each version.
import type { QueryParams } from '../../platform/http/query-params';
import { querySchema } from '../../platform/http/schema-validator';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { closed, since } from '../../platform/microversion/versioned-schema';
import { ALL_CONSUMER_TYPES, MAX_NAME_LENGTH, UNKNOWN_CONSUMER_TYPE } from '../../platform/values/names';
import type { ConsumerTypes, UsageQuestion } from './usages.repository';

const EXTERNAL_ID = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH };

const CONSUMER_TYPE = since('consumerType', {
  type: 'string',
  pattern: `^(?:[A-Z0-9_]+|${ALL_CONSUMER_TYPES}|${UNKNOWN_CONSUMER_TYPE})$`,
  maxLength: MAX_NAME_LENGTH,
});

export const PROJECT_USAGES = querySchema(
  closed({ project_id: EXTERNAL_ID, user_id: EXTERNAL_ID, consumer_type: CONSUMER_TYPE }, ['user_id', 'consumer_type']),
);

export function usageQuestion(query: QueryParams, api: ApiVersion): UsageQuestion {
  const user = query.last('user_id');
  return {
    project: query.last('project_id') ?? '',
    ...(user !== undefined && { user }),
    // Versions without consumer types have a single sum.
    types: api.has('consumerType') ? consumerTypes(query.last('consumer_type')) : { kind: 'together' },
  };
}

function consumerTypes(text: string | undefined): ConsumerTypes {
  switch (text) {
    case undefined:
      return { kind: 'each' };
    case ALL_CONSUMER_TYPES:
      return { kind: 'together' };
    case UNKNOWN_CONSUMER_TYPE:
      return { kind: 'untyped' };
    default:
      return { kind: 'one', name: text };
  }
}
