// Functions of routes that need more than one call, by the name of the route's operation.
export { replaceAllocations } from './allocations.ts';
export { explainAllocationCandidates, listAllocationCandidates } from './candidates.ts';
export { streamChanges } from './changes.ts';
export { explainDestinations, selectDestinations } from './scheduler.ts';
