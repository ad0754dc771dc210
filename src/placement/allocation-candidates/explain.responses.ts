// Response schemas for explain.presenter.ts, and for the refusals of decisions.
import { ANYTHING, byName, COUNT, FLAG, listOf, oneOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { CONDITION_KINDS, FIX_KINDS } from '../candidate-search';

/** The values of a filter's verdict; the code defines which. */
export const REJECTION_PARAMS = byName(ANYTHING);

const CONDITION = named(
  'WhyNotCondition',
  closed({
    kind: oneOf(...CONDITION_KINDS),
    what: TEXT,
    names: listOf(TEXT),
    amount: orNull(COUNT),
    groups: listOf(TEXT),
    origins: listOf(
      closed({
        by: oneOf('flavor', 'image', 'alias', 'request', 'prefilter'),
        name: orNull(TEXT),
        key: orNull(TEXT),
      }),
    ),
  }),
);

/** The table of a refusal, as describeRefusal writes it. */
export const REFUSAL = {
  hosts: COUNT,
  counts: listOf(closed({ condition: CONDITION, failed: COUNT, never: COUNT, text: TEXT })),
  cause: listOf(CONDITION),
  nearest: listOf(closed({ condition: CONDITION, hosts: COUNT, names: listOf(TEXT), text: TEXT })),
} as const;

export const REQUEST_FIX = named(
  'RequestFix',
  closed({
    kind: oneOf(...FIX_KINDS),
    conditions: listOf(CONDITION),
    amount: orNull(COUNT),
    aggregate: orNull(TEXT),
    hosts: COUNT,
    text: TEXT,
  }),
);

export const CANDIDATES_EXPLANATION = named(
  'CandidatesExplanation',
  closed(
    {
      request_id: TEXT,
      microversion: TEXT,
      query: TEXT,
      trees: closed({ total: COUNT, fit: COUNT }),
      candidates: closed({ returned: COUNT, truncated: FLAG }),
      sentence: orNull(TEXT),
      ...REFUSAL,
      fixes: listOf(REQUEST_FIX),
      rejections: listOf(named('RejectedTree', closed({ root: UUID, name: TEXT, code: TEXT, message: TEXT }))),
      truncated: FLAG,
      explained: named(
        'ExplainedProvider',
        closed({
          provider: UUID,
          name: TEXT,
          root: UUID,
          in_answer: FLAG,
          fails: listOf(closed({ condition: CONDITION, text: TEXT })),
        }),
      ),
    },
    ['explained'],
  ),
);
