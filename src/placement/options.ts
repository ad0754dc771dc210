// Options of the Placement API, with Placement's names, and Berth's own for its searches.

import { SEARCH_LIMITS } from '../platform/config/limits/placement';
import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean, choice, integer, text } from '../platform/values/options';

const INCOMPLETE_ID = '00000000-0000-0000-0000-000000000000';

export const PLACEMENT_OPTIONS = {
  placement: {
    randomize_allocation_candidates: boolean(
      false,
      'Shuffle candidates, or answer a random sample of `limit`; otherwise their order is defined and stable.',
    ),
    random_seed: integer(null, 'Seed of that randomness. Unset: one per request, which is logged.', {
      min: 0,
      max: 4_294_967_295,
    }),
    incomplete_consumer_project_id: text(INCOMPLETE_ID, 'Project of allocations written below microversion 1.8.', {
      pattern: /^.{1,255}$/su,
      patternMeaning: '1 to 255 characters',
    }),
    incomplete_consumer_user_id: text(INCOMPLETE_ID, 'User of allocations written below microversion 1.8.', {
      pattern: /^.{1,255}$/su,
      patternMeaning: '1 to 255 characters',
    }),
    max_allocation_candidates: integer(
      SEARCH_LIMITS.candidates,
      'Most candidates of `GET /allocation_candidates`. -1 means the default. A search that reaches it and has no strategy ' +
        'configured starts over breadth-first, so that every matching tree is represented.',
      { min: 1, max: 10_000_000, synonyms: { '-1': String(SEARCH_LIMITS.candidates), '0': '1' } },
    ),
    allocation_candidates_generation_strategy: choice(
      ['depth-first', 'breadth-first'],
      null,
      'All candidates of one tree and then the next (`depth-first`), or round robin over the trees. A strategy that ' +
        'is set is obeyed; unset behaves as depth-first until the maximum is reached.',
    ),
  },
  berth: {
    max_allocation_candidates_bytes: integer(
      SEARCH_LIMITS.answerBytes,
      'Largest answer of `GET /allocation_candidates`. A search with a larger one is refused before any byte is sent, ' +
        'with the advice to use `limit`.',
      { min: 1_024, max: SEARCH_LIMITS.answerBytesMax },
    ),
  },
} as const;

export type PlacementConfig = PlatformConfig & GroupValues<typeof PLACEMENT_OPTIONS>;
