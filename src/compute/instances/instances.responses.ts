// Response schemas for instances.presenter.ts.
import { MAPPINGS } from '../../placement/allocation-candidates/allocation-candidates.responses';
import { AMOUNTS } from '../../placement/allocations/allocations.responses';
import { ANYTHING, byName, COUNT, FLAG, listOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const HOST_NAMES = { host: TEXT, node: TEXT, uuid: UUID, cell: orNull(TEXT) };

const CLAIMED_HOST = named('ClaimedHost', closed(HOST_NAMES));

/** A host where a build failed, with the reason that the caller reported. */
const TRIED_HOST = named('TriedHost', closed({ ...HOST_NAMES, reason: orNull(TEXT) }, ['reason']));

/** Allocations without generations, as in a claim. */
export const CLAIM = byName(closed({ resources: AMOUNTS }));

/** An alternate host for the instance, with the allocations to claim there. */
const OFFERED_HOST = named('OfferedHost', closed({ ...HOST_NAMES, allocations: CLAIM, mappings: MAPPINGS }));

/** A document as the client sent it. */
const WRITTEN_DOCUMENT = byName(ANYTHING);

const PLACED = {
  uuid: UUID,
  name: orNull(TEXT),
  host: TEXT,
  node: TEXT,
  host_uuid: UUID,
  cell: orNull(TEXT),
  project_id: TEXT,
  user_id: TEXT,
  flavor: WRITTEN_DOCUMENT,
  flavor_id: orNull(TEXT),
  image: orNull(WRITTEN_DOCUMENT),
  image_uuid: orNull(UUID),
  server_group: orNull(UUID),
  request_id: TEXT,
  is_bfv: FLAG,
  state: TEXT,
  pending: FLAG,
  attempts: COUNT,
  created_at: TIME,
  updated_at: orNull(TIME),
};

/** The instance as lists show it. */
export const PLACED_INSTANCE = named('PlacedInstance', closed(PLACED));

export const INSTANCE = named(
  'Instance',
  closed({
    ...PLACED,
    numa_topology: orNull(WRITTEN_DOCUMENT),
    pci_requests: orNull(listOf(WRITTEN_DOCUMENT)),
    alternates: listOf(OFFERED_HOST),
    tried: listOf(TRIED_HOST),
    request: WRITTEN_DOCUMENT,
    listed_at: orNull(TIME),
    move: orNull(named('Move', closed({ type: TEXT, migration_uuid: UUID, source: CLAIMED_HOST }))),
    allocations: CLAIM,
  }),
);
