// What a filter answers for one host: pass, or a rejection with a declared code and the values that explain it.
// Sentences are rendered here and nowhere else.

import type { Candidate, RejectionParams } from '../../candidate-search';
import type { HostLimits } from '../host-state/host-state';

export interface Pass {
  readonly passed: true;
  /** The host goes on with these candidates only: the filter looked at each of them. Never empty. */
  readonly candidates?: readonly Candidate[];
  /** Limits the filter leaves on the host. */
  readonly limits?: HostLimits;
  /** Why it passed, where that is worth telling: a declared code and its values. */
  readonly note?: { readonly code: string; readonly params: RejectionParams };
}

export interface FilterRejection<Code extends string = string> {
  readonly passed: false;
  readonly code: Code;
  readonly params: RejectionParams;
}

export type FilterVerdict<Code extends string = string> = Pass | FilterRejection<Code>;

export const PASS: Pass = Object.freeze({ passed: true });

/** Code → sentence with `{param}` placeholders. */
export type Templates = Readonly<Record<string, string>>;

/** The code every filter may end with: it threw, so the host is rejected and the cause kept. */
export const FILTER_ERROR = 'filter_error';
const FILTER_ERROR_TEMPLATE = 'the filter failed on this host: {cause}';

/** Fills the placeholders of a template; one without a value stays visible. */
export function renderTemplate(template: string, params: RejectionParams): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return placeholder;
    return Array.isArray(value) ? value.join(', ') : String(value);
  });
}

/** The sentence of a rejection, by the templates of the filter that gave it. */
export function renderFilterRejection(
  templates: Templates,
  rejection: Pick<FilterRejection, 'code' | 'params'>,
): string {
  const declared = Object.hasOwn(templates, rejection.code) ? templates[rejection.code] : undefined;
  const template = declared ?? (rejection.code === FILTER_ERROR ? FILTER_ERROR_TEMPLATE : rejection.code);
  return renderTemplate(template, rejection.params);
}

/** A thrown value as one line for an operator. */
export function causeOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}
