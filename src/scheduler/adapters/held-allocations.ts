// What a consumer has, as the scheduler writes allocations.
import type { ConsumerAllocations } from '../../allocations/allocations.commands';
import type { Candidate } from '../request/candidate';

export const allocationsOf = ({ shares }: ConsumerAllocations): Candidate['allocations'] =>
  Object.fromEntries(
    shares.map(({ providerUuid, resources }) => [providerUuid, { resources: Object.fromEntries(resources) }]),
  );
