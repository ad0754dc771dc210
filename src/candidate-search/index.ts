// What the rest of the service may use of the engine.

export type { Candidate, Candidates, CandidateShape, FoundCandidate } from './candidate';
export { explainAnswer, explainAnswerWalk, WHOLE_REQUEST_STAGES } from './explain-answer';
export type { ExplainedAnswer, TreeStatus, WholeRequestCount } from './explain-answer';
export { explainGroups, explainGroupsWalk, GROUP_STAGES } from './explain-groups';
export type { ExplainedGroup, GroupStage, GroupStageCount } from './explain-groups';
export { explainProvider, explainProviderWalk, occursInWalk } from './explain-provider';
export type { ProviderPart } from './explain-provider';
export { buildGraph, buildGraphWalk } from './graph-builder';
export type { GraphRows, InventoryRow, ProviderAggregateRow, ProviderRow, ProviderTraitRow } from './tree-builder';
export { applyUsage, applyUsageWalk, replaceTrees, replaceTreesWalk, treesConcernedWalk } from './graph-changes';
export type { UsageChange, UsageOutcome } from './graph-changes';
export { dumpGraph, graphEquals } from './graph-dump';
export type { SearchProgress, SizeBound } from './found';
export { EMPTY_GRAPH, findInventory, ProviderGraph } from './provider-graph';
export type { Inventory, Provider, Tree } from './provider-graph';
export type { CandidateQuery, GenerationStrategy, GroupPolicy, RequestGroup, ResourceRequest } from './request-group';
export { renderRejection, REJECTION_SENTENCES } from './rejection-text';
export { searchCandidates, searchWalk } from './search';
export type { SearchEnvironment } from './search';
export { providersOf, providersWalk, treesOf, treesWalk } from './summarised';
export { Work } from './work';
export type { WorkBounds } from './work';
export { RecordingTrace } from './trace';
export { roomyGraph, sharingSeen, treeCandidatesWalk } from './tree-candidates';
export type { TreeCandidates } from './tree-candidates';
export { TreeFit } from './tree-fit';
export type { Rejection, RejectionParam, RejectionParams, RejectionStage, Trace } from './trace';
