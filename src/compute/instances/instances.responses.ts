import { MAPPINGS } from '../../placement/allocation-candidates/allocation-candidates.responses';
// The documents of instances.
import type { ConsumerAllocations } from '../../placement/allocations/allocations.commands';
import { AMOUNTS } from '../../placement/allocations/allocations.responses';
import { ANYTHING, byName, COUNT, FLAG, listOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { documentOf, presenterOf, schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { presentTime } from '../registry-page';
import type { InstanceRecord, Move } from './instance.entity';
import type { InstanceView } from './instances.service';

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

const PLACED: Members<InstanceRecord> = {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [orNull(TEXT), ({ name }) => name],
  host: [TEXT, ({ host }) => host],
  node: [TEXT, ({ node }) => node],
  host_uuid: [UUID, ({ hostUuid }) => hostUuid],
  cell: [orNull(TEXT), ({ cell }) => cell],
  project_id: [TEXT, ({ projectId }) => projectId],
  user_id: [TEXT, ({ userId }) => userId],
  flavor: [WRITTEN_DOCUMENT, ({ flavor }) => flavor],
  flavor_id: [orNull(TEXT), ({ flavorId }) => flavorId],
  image: [orNull(WRITTEN_DOCUMENT), ({ image }) => image],
  image_uuid: [orNull(UUID), ({ imageUuid }) => imageUuid],
  server_group: [orNull(UUID), ({ groupUuid }) => groupUuid],
  request_id: [TEXT, ({ requestId }) => requestId],
  is_bfv: [FLAG, ({ isBfv }) => isBfv],
  state: [TEXT, ({ state }) => state],
  pending: [FLAG, ({ listedAtMs }) => listedAtMs === null],
  attempts: [COUNT, ({ attempts }) => attempts],
  created_at: [TIME, ({ createdAtMs }) => presentTime(createdAtMs)],
  updated_at: [orNull(TIME), ({ updatedAtMs }) => presentTime(updatedAtMs)],
};

/** The instance as lists show it. */
export const PLACED_INSTANCE = documentOf('PlacedInstance', PLACED);

const MOVE = named('Move', closed({ type: TEXT, migration_uuid: UUID, source: CLAIMED_HOST }));

const DETAILS: Members<InstanceView> = {
  numa_topology: [orNull(WRITTEN_DOCUMENT), ({ instance }) => instance.numaTopology],
  pci_requests: [orNull(listOf(WRITTEN_DOCUMENT)), ({ instance }) => instance.pciRequests],
  alternates: [listOf(OFFERED_HOST), ({ instance }) => instance.alternates],
  tried: [listOf(TRIED_HOST), ({ instance }) => instance.tried],
  request: [WRITTEN_DOCUMENT, ({ instance }) => instance.request],
  listed_at: [orNull(TIME), ({ instance }) => presentTime(instance.listedAtMs)],
  move: [orNull(MOVE), ({ move }) => (move === undefined ? null : presentMove(move))],
  allocations: [CLAIM, ({ allocations }) => claimOf(allocations?.shares ?? [])],
};

const presentMove = ({ type, migrationUuid, source: { host, node, hostUuid, cell } }: Move): object => ({
  type,
  migration_uuid: migrationUuid,
  source: { host, node, uuid: hostUuid, cell },
});

const claimOf = (shares: ConsumerAllocations['shares']): object =>
  Object.fromEntries(
    shares.map(({ providerUuid, resources }) => [providerUuid, { resources: Object.fromEntries(resources) }]),
  );

export const INSTANCE = named('Instance', closed({ ...schemasOf(PLACED), ...schemasOf(DETAILS) }));

/** The instance with all details. */
const presentDetails = presenterOf(DETAILS);
export const presentInstance = (view: InstanceView): object => ({
  ...PLACED_INSTANCE.present(view.instance),
  ...presentDetails(view),
});
