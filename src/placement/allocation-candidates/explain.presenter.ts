// Presents the explanation of a search: complete counts, shortened lists, every reason with its sentence.

import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import type { QueryParams } from '../../platform/http/query-params';
import { InvalidInput } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type {
  ConditionReport,
  ExplainedGroup,
  ProviderPart,
  Rejection,
  RejectionParams,
  ReportedCondition,
} from '../candidate-search';
import { renderRejection } from '../candidate-search';
import type { Explanation } from './allocation-candidates.service';

/** Changes listed, those for most trees first. */
const FIXES_SHOWN = 20;

/** Maximum of names in one value of a rejection's params. */
const REJECTION_NAMES_SHOWN = 50;

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
  const { answer, groups, conditions, provider } = explanation;
  const shown = answer.rejections.slice(0, SEARCH_LIMITS.rejectionsShown);
  return {
    request_id: requestId,
    microversion,
    query,
    trees: answer.trees,
    candidates: { returned: answer.candidates.list.length, truncated: answer.candidates.truncated },
    sentence: answer.candidates.list.length > 0 ? null : sentenceOf(conditions, answer.rejections),
    ...presentConditions(conditions),
    groups: groups.map(presentGroup),
    whole_request: answer.wholeRequest,
    by_code: countByCode(answer.rejections),
    rejections: shown.map(presentRejection),
    truncated: shown.length < answer.rejections.length,
    ...(provider !== null && { explained: presentProvider(explanation, provider) }),
  };
}

function presentConditions({ conditions, cause, fixes }: ConditionReport): object {
  const shown = conditions.slice(0, SEARCH_LIMITS.rejectionsShown);
  return {
    cause: cause && { kind: cause.kind, conditions: cause.conditions.map(({ condition }) => condition.text) },
    conditions: shown.map(({ condition, satisfied, failed, largest }) => ({
      condition: condition.text,
      satisfied,
      failed,
      largest,
    })),
    fixes: fixes.slice(0, FIXES_SHOWN).map(({ kind, conditions: changed, amount, roots }) => ({
      kind,
      conditions: changed.map(({ text }) => text),
      amount,
      trees: roots.length,
    })),
  };
}

/** Why the answer is empty. Without a cause, trees satisfy each condition and not all together: the most frequent reason. */
function sentenceOf({ cause, trees }: ConditionReport, rejections: readonly Rejection[]): string {
  if (cause !== null) return causeSentence(cause, trees);
  const [code, count = 0] = Object.entries(countByCode(rejections))[0] ?? [];
  const example = rejections.find((each) => `${each.stage}.${each.code}` === code);
  if (example === undefined) return 'There is no provider tree to search.';
  const message = renderRejection({ ...example, params: cutNames(example.params) });
  return `No provider tree satisfies all conditions together; ${count} of ${trees}, for example ${example.root.name}: ${message}.`;
}

function causeSentence({ kind, conditions }: NonNullable<ConditionReport['cause']>, trees: number): string {
  if (kind === 'unmet') return `No provider tree satisfies ${conditions.map(withLargest).join(', and none ')}.`;
  const parts = conditions.map(({ condition, satisfied }) => `${condition.text} (${satisfied} of ${trees} trees)`);
  return `No provider tree satisfies ${parts.join(' and ')} together.`;
}

const withLargest = ({ condition, largest }: ReportedCondition): string =>
  `${condition.text}${largest === null ? '' : ` (at most ${largest} on one provider)`}`;

function presentGroup({ suffix, stages, firstEmpty, classes }: ExplainedGroup): object {
  const shown = classes.slice(0, SEARCH_LIMITS.rejectionsShown);
  return {
    suffix,
    stages,
    first_empty: firstEmpty,
    // With a single class, its counts equal those of the group.
    ...(classes.length > 1 && {
      classes: shown.map((each) => ({
        resource_class: each.resourceClass,
        stages: each.stages,
        first_empty: each.firstEmpty,
      })),
      classes_truncated: shown.length < classes.length,
    }),
  };
}

function presentRejection({ root, group, stage, code, params }: Rejection): object {
  const shortened = cutNames(params);
  return {
    root: root.uuid,
    group,
    stage,
    code,
    params: shortened,
    message: renderRejection({ group, stage, code, params: shortened }),
  };
}

function presentProvider(
  { answer }: Explanation,
  { provider, isUsed, parts }: NonNullable<Explanation['provider']>,
): object {
  const rejection = answer.rejections.find(({ root }) => root.id === provider.rootId);
  const shown = parts.slice(0, SEARCH_LIMITS.rejectionsShown);
  return {
    provider: provider.uuid,
    name: provider.name,
    root: provider.rootUuid,
    in_answer: isUsed,
    tree: {
      status: answer.statusOf(provider.rootId),
      rejection: rejection === undefined ? null : presentRejection(rejection),
    },
    groups: shown.map(presentPart),
    truncated: shown.length < parts.length,
  };
}

function presentPart({ group, resourceClass, reason }: ProviderPart): object {
  const asked = { group, resource_class: resourceClass, fits: reason === null };
  if (reason === null) return { ...asked, stage: null, code: null, params: {}, message: null };
  const { stage, code, params } = reason;
  const shortened = cutNames(params);
  return {
    ...asked,
    stage,
    code,
    params: shortened,
    message: renderRejection({ group, stage, code, params: shortened }),
  };
}

function countByCode(rejections: readonly Rejection[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { stage, code } of rejections) {
    const key = `${stage}.${code}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));
}

/** A shortened list of names ends with the number of omitted names. */
function cutNames(params: RejectionParams): RejectionParams {
  const max = REJECTION_NAMES_SHOWN;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (!isList(value) || value.length <= max) return [name, value];
      return [name, [...value.slice(0, max), `and ${value.length - max} more`]];
    }),
  );
}

const isList = (value: RejectionParams[string] | undefined): value is readonly string[] => Array.isArray(value);
