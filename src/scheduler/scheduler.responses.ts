// Response schemas for scheduler.presenter.ts, and of the enclosing documents.
import { CLAIM } from '../compute/instances/instances.responses';
import { MAPPINGS } from '../placement/allocation-candidates/allocation-candidates.responses';
import { COUNT, listOf, NUMBER, oneOf, orNull, TEXT, UUID } from '../platform/http/answer-schemas';
import { closed, named } from '../platform/microversion/versioned-schema';
import { MOVE_TYPES } from './after-decision/request-again';
import { DECISION, OUTCOME } from './decisions/decision.responses';

/** The limits that the compute host must check again. */
const LIMITS = named(
  'HostLimits',
  closed(
    {
      numa_topology: closed({ cpu_allocation_ratio: NUMBER, ram_allocation_ratio: NUMBER }),
      vcpu: NUMBER,
      memory_mb: NUMBER,
      disk_gb: NUMBER,
    },
    ['numa_topology', 'vcpu', 'memory_mb', 'disk_gb'],
  ),
);

const CLAIMABLE = {
  host: TEXT,
  node: TEXT,
  uuid: UUID,
  cell: orNull(TEXT),
  allocation_request: closed({ allocations: CLAIM, mappings: MAPPINGS }),
  /** The Placement microversion of the allocation request. */
  allocation_request_version: TEXT,
};
const WEIGHED = { availability_zone: TEXT, weight: NUMBER, limits: LIMITS };

const SELECTED_HOST = named('SelectedHost', closed({ ...CLAIMABLE, ...WEIGHED }));

/** A remembered alternate of an earlier decision has neither weight nor limits. */
const ALTERNATE = named('Alternate', closed({ ...CLAIMABLE, ...WEIGHED }, Object.keys(WEIGHED)));

/** `selected` is null only if fewer instances than requested can be placed. */
const SELECTION = named(
  'Selection',
  closed({ instance_uuid: UUID, selected: orNull(SELECTED_HOST), alternates: listOf(ALTERNATE) }),
);

/** One selection per instance, in order; the decision as `explain` requests. */
export const SELECTIONS = named(
  'Selections',
  closed({ request_id: TEXT, selections: listOf(SELECTION), decision: DECISION }, ['decision']),
);

/** Why no instance, or too few, were placed. */
const REFUSAL = { code: TEXT, message: TEXT };

/** The decision that the call would make; with `code` and `message` for a refusal. */
export const EXPLANATION = named(
  'Explanation',
  closed({ request_id: TEXT, outcome: OUTCOME, ...REFUSAL, selections: listOf(SELECTION), decision: DECISION }, [
    'code',
    'message',
  ]),
);

const UNJUDGED = { ...REFUSAL, warnings: listOf(TEXT) };

/** The same for a described cloud; the decision is optional. Warnings say what was not judged. */
export const SIMULATED = named(
  'Simulated',
  closed({ request_id: TEXT, outcome: OUTCOME, ...UNJUDGED, selections: listOf(SELECTION), decision: DECISION }, [
    ...Object.keys(UNJUDGED),
    'decision',
  ]),
);

export const PLACED_AGAIN = named(
  'PlacedAgain',
  closed({ request_id: TEXT, attempts: COUNT, selections: listOf(SELECTION) }),
);

export const MOVING = named(
  'Moving',
  closed({
    request_id: TEXT,
    type: oneOf(...MOVE_TYPES),
    migration_uuid: orNull(UUID),
    selections: listOf(SELECTION),
  }),
);
