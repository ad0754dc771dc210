// Query schemas of GET /allocation_candidates and its explanation, by version. The query parser interprets the values.
import { querySchema, REPEATED } from '../../platform/http/schema-validator';
import { between, firstOf, since } from '../../platform/microversion/versioned-schema';

const TEXT = { type: 'string' };
const POSITIVE_INTEGER = { type: 'string', pattern: '^[1-9][0-9]*$' };
const NUMBER = '[1-9][0-9]*';
const SUFFIX = '[a-zA-Z0-9_-]{1,64}';

const groups = (suffix: string): object => ({
  [`^(resources|required|member_of)(${suffix})$`]: TEXT,
  [`^in_tree(${suffix})$`]: since('candidatesInTree', TEXT),
});

const PROPERTIES = {
  resources: TEXT,
  limit: since('candidatesLimit', POSITIVE_INTEGER),
  required: since('candidatesRequired', { ...TEXT, [REPEATED]: since('anyTraits', true) }),
  member_of: since('candidatesMemberOf', { ...TEXT, [REPEATED]: since('repeatedMemberOf', true) }),
  group_policy: since('granularGroups', { enum: ['none', 'isolate'] }),
  in_tree: since('candidatesInTree', TEXT),
  root_required: since('rootRequired', TEXT),
  same_subtree: since('sameSubtree', { ...TEXT, [REPEATED]: true }),
};

const asking = (properties: object): ReturnType<typeof querySchema> =>
  querySchema({
    type: 'object',
    properties,
    patternProperties: firstOf(
      between('granularGroups', 'stringSuffixes', groups(NUMBER)),
      since('stringSuffixes', groups(SUFFIX)),
    ),
    additionalProperties: false,
  });

export const LIST_CANDIDATES = asking(PROPERTIES);

/** The same parameters, and `explain_provider`. */
export const EXPLAIN_CANDIDATES = asking({ ...PROPERTIES, explain_provider: TEXT });
