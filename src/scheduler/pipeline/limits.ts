// The scheduler's own bounds. Reaching one is visible in the answer, never silent.

/** Instances one request may ask for. */
export const MAX_INSTANCES_PER_REQUEST = 1_000;
/** Hosts listed per stage, weigher or ranking of a decision document; counts stay exact. */
export const MAX_LISTED_HOSTS = 1_000;
/** Claim attempts listed per pass of a decision document. */
export const MAX_LISTED_CLAIMS = 1_000;
/** Candidates asked of one host whose first ones all failed. */
export const MAX_CANDIDATES_OF_ONE_HOST = 256;
/** Tries of one candidate while others write to the same providers. */
export const MAX_CLAIM_TRIES = 4;
/** Upper bound of the pause before try n + 1 is n times this. */
export const CLAIM_PAUSE_STEP_MS = 50;
/** Two weights closer than this, relative to the larger, count as equal. */
export const WEIGHT_TOLERANCE = 1e-9;
