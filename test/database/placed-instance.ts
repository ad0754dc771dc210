// The record of a placed instance, for suites that write it without a decision.
import type { PlacedInstance } from '../../src/compute/instances/instance.entity';

type Given = Pick<PlacedInstance, 'uuid' | 'host' | 'hostUuid'> & Partial<PlacedInstance>;

export const placedInstance = (given: Given): PlacedInstance => ({
  name: null,
  node: given.host,
  cell: null,
  projectId: 'p',
  userId: 'u',
  flavor: { vcpus: 1 },
  flavorId: null,
  image: null,
  imageUuid: null,
  groupUuid: null,
  requestId: 'req-1',
  isBfv: false,
  numaTopology: null,
  pciRequests: null,
  state: 'placed',
  attempts: 1,
  alternates: [],
  tried: [],
  request: {},
  ...given,
});
