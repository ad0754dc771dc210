// Presents the explanation of a search: complete counts, shortened lists, every failure in words.

import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import type { QueryParams } from '../../platform/http/query-params';
import { InvalidInput } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import {
  describeCondition,
  describeFix,
  describeRefusal,
  failuresText,
  PLAIN_WORDING,
  refusalSentence,
} from '../candidate-search';
import type { Explanation } from './allocation-candidates.service';

/** Changes listed, those for most hosts first. */
const FIXES_SHOWN = 20;

interface AskedText {
  readonly requestId: string;
  readonly microversion: string;
  /** The query string as sent. */
  readonly query: string;
}

/** The provider to explain in detail, if the client names one. */
export function explainedProvider(params: QueryParams): Uuid | null {
  const text = params.last('explain_provider');
  if (text === undefined) return null;
  const uuid = canonicalUuid(text);
  if (uuid !== undefined) return uuid;
  throw new InvalidInput(`Expected 'explain_provider' parameter to be a format of uuid, got: ${text}`);
}

export function presentExplanation(explanation: Explanation, { requestId, microversion, query }: AskedText): object {
  const { candidates, trees, fitting, refused, refusal, fixes, provider } = explanation;
  const shown = refused.slice(0, SEARCH_LIMITS.rejectionsShown);
  return {
    request_id: requestId,
    microversion,
    query,
    trees: { total: trees, fit: fitting },
    candidates: { returned: candidates.list.length, truncated: candidates.truncated },
    sentence: candidates.list.length > 0 ? null : refusalSentence(refusal, PLAIN_WORDING),
    ...describeRefusal(refusal, PLAIN_WORDING),
    fixes: fixes
      .slice(0, FIXES_SHOWN)
      .map(({ roots, ...fix }) => describeFix(fix, PLAIN_WORDING, { hosts: roots.length })),
    rejections: shown.map(({ root, failures }) => ({
      root: root.uuid,
      name: root.name,
      code: failures[0]?.code,
      message: failuresText(failures, PLAIN_WORDING),
    })),
    truncated: shown.length < refused.length,
    ...(provider !== null && { explained: presentProvider(provider) }),
  };
}

const presentProvider = ({ provider, isUsed, failures }: NonNullable<Explanation['provider']>): object => ({
  provider: provider.uuid,
  name: provider.name,
  root: provider.rootUuid,
  in_answer: isUsed,
  fails: failures.map((failure) => ({
    condition: describeCondition(failure.condition, PLAIN_WORDING),
    text: failuresText([failure], PLAIN_WORDING),
  })),
});
