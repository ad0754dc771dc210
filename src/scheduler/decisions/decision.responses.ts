// Response schemas for decision.presenter.ts, and for the list of stored decisions.
import { GROUP_RULES } from '../../compute/server-groups/server-groups.responses';
import { GROUP_POLICIES } from '../../compute/server-groups/server-groups.schema';
import { REFUSAL, REJECTION_PARAMS, REQUEST_FIX } from '../../placement/allocation-candidates/explain.responses';
import {
  ANYTHING,
  byName,
  COUNT,
  FLAG,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { CLAIM_OUTCOMES, OUTCOMES } from '../../scheduling-rules/pipeline/decision';

export const OUTCOME = oneOf(...OUTCOMES);

const HOST_NAME = named('HostName', closed({ host: TEXT, node: TEXT }));

const SUMMARY = named(
  'DecisionSummary',
  closed({
    sentence: TEXT,
    user_message: TEXT,
    ...REFUSAL,
    hosts: orNull(COUNT),
    fixes: orNull(closed({ at: TIME, changes: listOf(REQUEST_FIX) })),
    rejected: byName(COUNT),
  }),
);

const FLAVOR = named(
  'UnderstoodFlavor',
  closed({
    name: orNull(TEXT),
    vcpus: COUNT,
    memory_mb: COUNT,
    root_gb: COUNT,
    ephemeral_gb: COUNT,
    swap: COUNT,
    extra_specs: byName(TEXT),
  }),
);

const IMAGE = named(
  'UnderstoodImage',
  closed({ id: orNull(TEXT), name: orNull(TEXT), disk_format: orNull(TEXT), properties: byName(TEXT) }),
);

const SETS = listOf(listOf(TEXT));

const DESTINATION = closed({
  host: orNull(TEXT),
  node: orNull(TEXT),
  cell: orNull(TEXT),
  allow_cross_cell_move: FLAG,
  aggregates: SETS,
  forbidden_aggregates: listOf(TEXT),
});

const GROUP = closed({
  uuid: orNull(UUID),
  policy: oneOf(...GROUP_POLICIES),
  rules: GROUP_RULES,
  members: listOf(TEXT),
  hosts: listOf(TEXT),
});

const REQUESTED_RESOURCES = closed({
  requester_id: TEXT,
  resources: byName({ type: 'integer' }),
  required_traits: listOf(TEXT),
  forbidden_traits: listOf(TEXT),
  aggregates: SETS,
  forbidden_aggregates: listOf(TEXT),
  in_tree: orNull(UUID),
});

const NETWORK = closed(
  {
    network_id: orNull(TEXT),
    port_id: orNull(TEXT),
    vnic_type: orNull(TEXT),
    aggregates: orNull(listOf(TEXT)),
  },
  ['aggregates'],
);

/** The request as understood; it can be sent again. */
const REQUEST = named(
  'UnderstoodRequest',
  closed(
    {
      instances: listOf(UUID),
      num_instances: COUNT,
      min_count: COUNT,
      project_id: TEXT,
      user_id: TEXT,
      flavor: FLAVOR,
      image: orNull(IMAGE),
      is_bfv: FLAG,
      availability_zone: orNull(TEXT),
      scheduler_hints: byName(listOf(TEXT)),
      ignore_hosts: listOf(TEXT),
      force_hosts: listOf(TEXT),
      force_nodes: listOf(TEXT),
      requested_destination: orNull(DESTINATION),
      instance_group: orNull(GROUP),
      requested_resources: listOf(REQUESTED_RESOURCES),
      request_level_params: closed({ root_required: listOf(TEXT), root_forbidden: listOf(TEXT), same_subtree: SETS }),
      requested_networks: orNull(listOf(NETWORK)),
      network_metadata: orNull(closed({ physnets: listOf(TEXT), tunneled: FLAG })),
      numa_topology: orNull(byName(ANYTHING)),
      pci_requests: listOf(byName(ANYTHING)),
      retry: closed({ num_attempts: COUNT, hosts: listOf(ANYTHING) }),
      ignored: listOf(closed({ field: TEXT, why: TEXT })),
    },
    ['min_count', 'retry'],
  ),
);

const PREFILTER = named(
  'PrefilterRecord',
  closed(
    {
      name: TEXT,
      ran: FLAG,
      why_not: orNull(TEXT),
      added: closed({
        root_required: listOf(TEXT),
        root_forbidden: listOf(TEXT),
        member_of: SETS,
        forbidden_aggregates: listOf(TEXT),
        groups: byName(listOf(TEXT)),
      }),
      because: orNull(TEXT),
      refused: closed({ code: TEXT, message: TEXT }),
    },
    ['refused'],
  ),
);

const PLACEMENT_REJECTION = closed({ host: TEXT, uuid: UUID, code: TEXT, message: TEXT });

const PLACEMENT = named(
  'PlacementRecord',
  closed({
    query: TEXT,
    microversion: TEXT,
    candidates: COUNT,
    hosts: COUNT,
    truncated: FLAG,
    fallback: orNull(closed({ query: TEXT, candidates: COUNT, hosts: COUNT })),
    gave_up: FLAG,
    not_considered: orNull(COUNT),
    rejections: orNull(closed({ by_code: byName(COUNT), hosts: listOf(PLACEMENT_REJECTION), truncated: FLAG })),
  }),
);

const HOST_REJECTIONS = named(
  'HostRejections',
  closed({
    by_code: byName(COUNT),
    hosts: listOf(
      named('HostRejection', closed({ host: TEXT, node: TEXT, code: TEXT, params: REJECTION_PARAMS, message: TEXT })),
    ),
    truncated: FLAG,
  }),
);

const STAGE = named(
  'Stage',
  closed(
    {
      kind: oneOf('preselection', 'filter'),
      name: TEXT,
      in: COUNT,
      out: COUNT,
      skipped: FLAG,
      rejections: HOST_REJECTIONS,
      also_rejects: HOST_REJECTIONS,
    },
    ['also_rejects'],
  ),
);

const WEIGHER = named(
  'WeigherRecord',
  closed({
    name: TEXT,
    hosts: listOf(
      closed(
        {
          host: TEXT,
          node: TEXT,
          raw: orNull(NUMBER),
          normalized: NUMBER,
          multiplier: NUMBER,
          score: NUMBER,
          error: TEXT,
        },
        ['error'],
      ),
    ),
  }),
);

const CLAIM = named(
  'ClaimRecord',
  closed({
    host: TEXT,
    node: TEXT,
    candidate: COUNT,
    outcome: oneOf(...CLAIM_OUTCOMES),
    attempts: COUNT,
    message: orNull(TEXT),
  }),
);

const PASS = named(
  'Pass',
  closed({
    index: COUNT,
    instance_uuid: UUID,
    phase: oneOf('select', 'alternates'),
    stages: listOf(STAGE),
    passed_because: listOf(
      closed({ filter: TEXT, host: TEXT, node: TEXT, code: TEXT, params: REJECTION_PARAMS, message: TEXT }),
    ),
    passed_because_truncated: FLAG,
    weighers: listOf(WEIGHER),
    ranked: COUNT,
    ranking: listOf(closed({ host: TEXT, node: TEXT, weight: NUMBER })),
    ranking_truncated: FLAG,
    drawn_from: COUNT,
    claims_tried: byName(COUNT),
    claims: listOf(CLAIM),
    claims_truncated: FLAG,
    selected: orNull(HOST_NAME),
    alternates: listOf(HOST_NAME),
  }),
);

export const DECISION = named(
  'Decision',
  closed({
    summary: SUMMARY,
    request_id: TEXT,
    at: TIME,
    duration_ms: NUMBER,
    outcome: OUTCOME,
    code: orNull(TEXT),
    seed: COUNT,
    driver: TEXT,
    config_revision: TEXT,
    request: orNull(REQUEST),
    prefilters: listOf(PREFILTER),
    placement: orNull(PLACEMENT),
    passes: listOf(PASS),
    passes_made: COUNT,
    passes_truncated: FLAG,
  }),
);
