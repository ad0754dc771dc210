// Functions of routes that need more than one plain call, by the operation's name.
export { replaceAllocations } from './allocations.ts';
export { explainAllocationCandidates, listAllocationCandidates } from './candidates.ts';
export { streamChanges } from './changes.ts';
export { explainDestinations, selectDestinations } from './scheduler.ts';
