// Limits of one decision that belong to the pipeline. The answer always shows that a limit was reached. Limits of
// documents and requests are in the product's table of limits.

/** Claim attempts for one candidate while other requests write to the same providers. */
export const MAX_CLAIM_TRIES = 4;
/**
 * Decisions of one request with fresh data while other requests claim what it found. Each lost decision is a commit of
 * another request, so a request is refused wrongly only if this many others win before it.
 */
export const MAX_DECISION_TRIES = 12;
/** For claims and for decisions: the pause before attempt n + 1 is random between 0 and n times this. */
export const CLAIM_PAUSE_STEP_MS = 50;
/** Two weights closer than this, relative to the larger, count as equal. */
export const WEIGHT_TOLERANCE = 1e-9;
/** Rejected hosts listed per stage in a full decision; counts stay exact. */
export const REJECTIONS_SHOWN_IN_FULL = 10_000;
/** List items in the parameters of a verdict; the rest is counted. */
export const PARAM_ITEMS_SHOWN = 20;
/** Characters of one text in the parameters of a verdict: a list of CPU features fits. */
export const PARAM_TEXT_SHOWN = 4_000;
/** Limits of a query hint, because it is evaluated for every host. */
export const QUERY_TEXT_MAX = 16_384;
export const QUERY_NODES_MAX = 1_000;
export const QUERY_DEPTH_MAX = 32;
/** Cached texts of `cpu_info`; similar hosts report equal texts. */
export const PARSED_TEXTS_KEPT = 1_000;
/** Cached requirements of extra specs, and cached queries: one request compares them with every host. */
export const REQUIREMENTS_KEPT = 1_000;
export const QUERIES_KEPT = 100;
/** Instances of a batch that are planned and then claimed in one transaction, which locks their hosts meanwhile. */
export const INSTANCES_CLAIMED_TOGETHER = 50;
/** Instances of a batch with complete weights; for the others only counts and the first hosts are kept. */
export const PASSES_SHOWN_IN_FULL = 10;
/** Hosts of a ranking that are kept for the other passes. */
export const RANKING_KEPT = 100;
/** Passes of a large batch that are kept; for the others only counts, and the last pass. */
export const PASSES_KEPT = 100;
/** Claims of one pass that are kept; for the others only counts. */
export const CLAIMS_KEPT = 100;
/** Maximum time for counting how many instances fit. */
export const COUNTING_TIME_MS = 30_000;
/** Batch sizes tried in turn if instances cannot be counted host by host. */
export const COUNTING_BATCHES: readonly number[] = [64, 1_024];
