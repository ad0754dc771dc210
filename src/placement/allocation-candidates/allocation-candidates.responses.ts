// Response schemas for allocation-candidates.presenter.ts, with the fields of each version.
import { byName, COUNT, listOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed, firstOf, named, since, until } from '../../platform/microversion/versioned-schema';
import { AMOUNTS } from '../allocations/allocations.responses';

const ALLOCATED = named('CandidateAllocation', closed({ resources: AMOUNTS }));

const ALLOCATED_AS_LIST = named(
  'CandidateAllocationItem',
  closed({ resource_provider: closed({ uuid: UUID }), resources: AMOUNTS }),
);

/** Request groups by suffix, with the providers that serve them. */
export const MAPPINGS = byName(listOf(UUID));

/** With an owner added, this is the body of PUT /allocations/{consumer_uuid}. */
const ALLOCATION_REQUEST = named(
  'AllocationRequest',
  closed({
    allocations: firstOf(
      until('allocationsAsDict', listOf(ALLOCATED_AS_LIST)),
      since('allocationsAsDict', byName(ALLOCATED)),
    ),
    mappings: since('mappings', MAPPINGS),
  }),
);

const PROVIDER_SUMMARY = named(
  'ProviderSummary',
  closed({
    resources: byName(named('ProviderSummaryResource', closed({ capacity: COUNT, used: COUNT }))),
    traits: since('candidatesTraits', listOf(TEXT)),
    parent_provider_uuid: since('nestedCandidates', orNull(UUID)),
    root_provider_uuid: since('nestedCandidates', UUID),
  }),
);

export const ALLOCATION_CANDIDATES = named(
  'AllocationCandidates',
  closed({ allocation_requests: listOf(ALLOCATION_REQUEST), provider_summaries: byName(PROVIDER_SUMMARY) }),
);
