import { COUNT, FLAG, listOf, TEXT, TIME } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const REASON = named(
  'RefusalReason',
  closed({ name: TEXT, code: TEXT, refusals: COUNT, hosts: COUNT, sentence: TEXT, last: TEXT }),
);

export const REFUSALS = named(
  'Refusals',
  closed({
    at: TIME,
    since: TIME,
    decisions: COUNT,
    placed: COUNT,
    refused: COUNT,
    reasons: listOf(REASON),
    truncated: FLAG,
  }),
);
