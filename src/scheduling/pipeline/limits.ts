// Bounds of one decision that are the pipeline's own. Reaching one is visible in the answer, never silent. What the
// documents and the wire allow is in the product's table of limits.

/** Tries of one candidate while others write to the same providers. */
export const MAX_CLAIM_TRIES = 4;
/** The pause before try n + 1 is random between 0 and n times this. */
export const CLAIM_PAUSE_STEP_MS = 50;
/** Two weights closer than this, relative to the larger, count as equal. */
export const WEIGHT_TOLERANCE = 1e-9;
/** Rejected hosts listed per stage where a decision is asked for in full; counts stay exact. */
export const REJECTIONS_SHOWN_IN_FULL = 10_000;
/** Nearest misses named in a summary. */
export const NEAREST_MISSES_SHOWN = 5;
/** Items of a list shown in the params of a verdict; the rest is counted. */
export const PARAM_ITEMS_SHOWN = 20;
/** Characters of one text in the params of a verdict: a printed list of CPU features fits. */
export const PARAM_TEXT_SHOWN = 4_000;
/** Bounds of a query hint: it is evaluated for every host. */
export const QUERY_TEXT_MAX = 16_384;
export const QUERY_NODES_MAX = 1_000;
export const QUERY_DEPTH_MAX = 32;
/** Parsed texts of `cpu_info` kept; hosts of one kind report the same. */
export const PARSED_TEXTS_KEPT = 1_000;
/** Requirements of extra specs, and queries, kept as parsed: one request compares them with every host. */
export const REQUIREMENTS_KEPT = 1_000;
export const QUERIES_KEPT = 100;
/** NUMA cells of one host or instance; the largest machines report some thirty. */
export const NUMA_CELLS_MAX = 48;
/** Sets of host cells looked at to put one instance on one host: all sets of a host with a dozen cells. */
export const NUMA_ASSIGNMENTS_MAX = 10_000;
/** Instances of a batch that are planned and then claimed in one transaction; it holds their hosts meanwhile. */
export const INSTANCES_CLAIMED_TOGETHER = 50;
/** Instances of a batch whose weights are kept and shown; of the others the counts are, and the first hosts. */
export const PASSES_SHOWN_IN_FULL = 10;
/** Hosts of a ranking that are kept of the other passes. */
export const RANKING_KEPT = 100;
/** Passes of a large batch that are kept whole enough to be shown; of the others the counts are, and the last one. */
export const PASSES_KEPT = 100;
/** Claims of one pass that are kept; of the others the counts are. */
export const CLAIMS_KEPT = 100;
/** Searches made, and time spent, to find out which conditions leave no candidate. */
export const CONFLICT_SEARCHES = 200;
export const CONFLICT_TIME_MS = 250;
/** Counting how many instances fit may take so long. */
export const COUNTING_TIME_MS = 30_000;
/** Instances of the batches tried one after the other where hosts cannot be counted one by one. */
export const COUNTING_BATCHES: readonly number[] = [64, 1_024];
/** Hosts of one obstacle that a sentence names; more are only counted. */
export const OBSTACLE_HOSTS_NAMED = 3;
/** Obstacles that the sentence of a refusal tells of, and that its summary lists. */
export const OBSTACLES_TOLD = 4;
export const OBSTACLES_LISTED = 20;
