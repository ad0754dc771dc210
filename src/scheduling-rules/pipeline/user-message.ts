// The sentence of a decision for tenants. It names their own conditions: zone, named host, server group, image, hints, and
// the number of instances that fit. It names no host, filter or amount of the cloud.

import type { Condition, Refusal, Wording } from '../../placement/candidate-search';
import { describeCondition } from '../../placement/candidate-search';
import type { RequestSpec } from '../request-spec/request-spec';
import { wantedTarget } from '../request-spec/target-host';

interface UserMessageFacts {
  readonly code: string | null;
  /** Null: the request was refused before it was parsed. */
  readonly request: RequestSpec | null;
  /** Placement or the filters judged hosts. */
  readonly hasSearched: boolean;
  readonly refusal: Refusal | null;
  /** Instances that found a host before the refusal. */
  readonly placed: number;
  readonly wording: Wording;
}

const MESSAGES: Readonly<Record<string, string>> = {
  'scheduler.invalid_request': 'The request cannot be scheduled as it is.',
  'scheduler.unsupported': 'The request cannot be scheduled as it is.',
  'scheduler.claims_lost': 'The capacity was taken by other requests at the same time. Try again.',
  'scheduler.generation_conflict':
    'Another request changed the instance at the same time, or it has resources on another host.',
  'scheduler.search_gave_up': 'The search for a host reached its bound before it found one.',
  'scheduler.too_many_requests': 'The service is busy or not reachable. Try again later.',
  'scheduler.unavailable': 'The service is busy or not reachable. Try again later.',
};

const ZONE = 'the availability zone';
const IMAGE = 'the properties of the image';
const GROUP = 'the policy of the server group';
const HINTS = 'the scheduler hints';
const ROOM = 'room for the flavor';

const OF_FILTERS: Readonly<Record<string, string>> = {
  ImagePropertiesFilter: IMAGE,
  AggregateImagePropertiesIsolation: IMAGE,
  SameHostFilter: HINTS,
  DifferentHostFilter: HINTS,
  SimpleCIDRAffinityFilter: HINTS,
  JsonFilter: HINTS,
};

export function userMessageOf(facts: UserMessageFacts): string {
  const { code, request, placed } = facts;
  if (code === null) return 'Placed.';
  const known = MESSAGES[code];
  if (known !== undefined || request === null) return known ?? NO_HOST;
  const instances = request.instanceUuids.length;
  if (placed > 0) return `Only ${placed} of ${instances} instances ${placed === 1 ? 'fits' : 'fit'}.`;
  const conditions = conditionsOf(facts);
  if (wantedTarget(request) !== null) return ofNamedHost(conditions, facts);
  if (conditions.length > 0) return `No host satisfies ${conditions.join(' and ')}.`;
  return code === 'scheduler.no_candidates'
    ? 'There is not enough capacity for what was asked, or nothing satisfies its conditions.'
    : NO_HOST;
}

const NO_HOST = 'No host satisfies all conditions of the request.';

function ofNamedHost(conditions: readonly string[], { hasSearched }: UserMessageFacts): string {
  if (!hasSearched) return 'The host that the request names does not exist or is not available.';
  if (conditions.length === 0) return 'The host that the request names does not satisfy its conditions.';
  if (conditions.includes(ZONE)) return 'The host that the request names is not in its availability zone.';
  const [first = '', ...others] = conditions;
  if (others.length === 0 && first === ROOM) return `The host that the request names has no ${ROOM}.`;
  return `The host that the request names does not satisfy ${conditions.join(' and ')}.`;
}

/** The conditions of the tenant that are the cause; none if another condition is part of it. */
function conditionsOf({ refusal, wording }: UserMessageFacts): readonly string[] {
  const named = (refusal?.cause ?? []).map((condition) => nameOf(condition, wording));
  if (named.includes(null)) return [];
  const names = [...new Set(named.flatMap((name) => name ?? []))];
  // Amounts alone are not a condition that the tenant can tell apart from a full cloud.
  return names.length === 1 && names[0] === ROOM && refusal?.hosts !== 1 ? [] : names;
}

function nameOf(condition: Condition, wording: Wording): string | null {
  const { kind, names } = condition;
  const { what, origins } = describeCondition(condition, wording);
  switch (kind) {
    case 'resource':
      return ROOM;
    case 'aggregate':
    case 'forbidden_aggregate':
      return /\bzone\b/.test(what) ? ZONE : null;
    case 'group_policy':
      return GROUP;
    case 'filter':
      return OF_FILTERS[names[0] ?? ''] ?? null;
    case 'trait':
      return origins.length > 0 && origins.every(({ by }) => by === 'image') ? IMAGE : null;
    default:
      return null;
  }
}
