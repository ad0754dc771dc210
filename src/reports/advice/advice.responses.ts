import { COUNT, FLAG, listOf, NUMBER, oneOf, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { ADVICE_KINDS, SEVERITIES, SUBJECT_KINDS } from './advice';

const SUBJECT = named('AdviceSubject', closed({ kind: oneOf(...SUBJECT_KINDS), id: TEXT, name: TEXT }));

const PIECE = named(
  'AdvicePiece',
  closed({
    kind: oneOf(...ADVICE_KINDS),
    severity: oneOf(...SEVERITIES),
    sentence: TEXT,
    count: COUNT,
    subjects: listOf(SUBJECT),
    commands: listOf(TEXT),
    alternatives: listOf(TEXT),
    link: orNull(TEXT),
    key: orNull(TEXT),
  }),
);

export const ADVICE = named(
  'Advice',
  closed({
    at: TIME,
    state: oneOf('current', 'computing'),
    age_s: orNull(NUMBER),
    advice: listOf(PIECE),
    truncated: FLAG,
  }),
);
