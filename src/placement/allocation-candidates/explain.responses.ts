// Response schema for explain.presenter.ts.
import { ANYTHING, byName, COUNT, FLAG, listOf, oneOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { CAUSE_KINDS, FIX_KINDS } from '../candidate-search';

/** The number of providers or trees that reached a stage, and of those that passed. */
const STAGE_COUNT = named('StageCount', closed({ stage: TEXT, in: COUNT, out: COUNT }));

/** The values that explain the verdict; the code defines which. */
export const REJECTION_PARAMS = byName(ANYTHING);

const TREE_REJECTION = named(
  'TreeRejection',
  closed({ root: UUID, group: orNull(TEXT), stage: TEXT, code: TEXT, params: REJECTION_PARAMS, message: TEXT }),
);

const EXPLAINED_CLASS = closed({ resource_class: TEXT, stages: listOf(STAGE_COUNT), first_empty: orNull(TEXT) });

const EXPLAINED_GROUP = named(
  'ExplainedGroup',
  closed(
    {
      suffix: TEXT,
      stages: listOf(STAGE_COUNT),
      first_empty: orNull(TEXT),
      classes: listOf(EXPLAINED_CLASS),
      classes_truncated: FLAG,
    },
    ['classes', 'classes_truncated'],
  ),
);

const EXPLAINED_PROVIDER = named(
  'ExplainedProvider',
  closed({
    provider: UUID,
    name: TEXT,
    root: UUID,
    in_answer: FLAG,
    tree: closed({ status: oneOf('in_answer', 'rejected', 'not_reached'), rejection: orNull(TREE_REJECTION) }),
    groups: listOf(
      closed({
        group: TEXT,
        resource_class: orNull(TEXT),
        fits: FLAG,
        stage: orNull(TEXT),
        code: orNull(TEXT),
        params: REJECTION_PARAMS,
        message: orNull(TEXT),
      }),
    ),
    truncated: FLAG,
  }),
);

export const CANDIDATES_EXPLANATION = named(
  'CandidatesExplanation',
  closed(
    {
      request_id: TEXT,
      microversion: TEXT,
      query: TEXT,
      trees: closed({ total: COUNT, in_answer: COUNT, rejected: COUNT, not_reached: COUNT }),
      candidates: closed({ returned: COUNT, truncated: FLAG }),
      sentence: orNull(TEXT),
      cause: orNull(closed({ kind: oneOf(...CAUSE_KINDS), conditions: listOf(TEXT) })),
      conditions: listOf(closed({ condition: TEXT, satisfied: COUNT, failed: COUNT, largest: orNull(COUNT) })),
      fixes: listOf(
        closed({ kind: oneOf(...FIX_KINDS), conditions: listOf(TEXT), amount: orNull(COUNT), trees: COUNT }),
      ),
      groups: listOf(EXPLAINED_GROUP),
      whole_request: listOf(STAGE_COUNT),
      by_code: byName(COUNT),
      rejections: listOf(TREE_REJECTION),
      truncated: FLAG,
      explained: EXPLAINED_PROVIDER,
    },
    ['explained'],
  ),
);
