// What the rest of the service may use of the engine.

export { providersToSummarise } from './candidate';
export type { Candidate, CandidateAllocation, Candidates } from './candidate';
export { buildGraph } from './graph-builder';
export type { GraphRows, InventoryRow, ProviderAggregateRow, ProviderRow, ProviderTraitRow } from './tree-builder';
export { applyUsage, replaceTrees } from './graph-changes';
export type { UsageChange, UsageOutcome } from './graph-changes';
export { dumpGraph, graphEquals } from './graph-dump';
export type { Random } from './limit';
export { EMPTY_GRAPH, ProviderGraph } from './provider-graph';
export type { Inventory, Provider, Tree } from './provider-graph';
export type { CandidateQuery, GenerationStrategy, GroupPolicy, RequestGroup } from './request-group';
export { searchCandidates } from './search';
export type { SearchEnvironment } from './search';
export { RecordingTrace } from './trace';
export type { Rejection, RejectionParams, RejectionStage, Trace } from './trace';
