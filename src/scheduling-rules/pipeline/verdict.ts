// The verdict of a filter on one host: pass, or a rejection with a declared code and parameters. All sentences are
// rendered in this file.

import type { Candidate, RejectionParams } from '../../placement/candidate-search';
import type { HostLimits } from '../host-state/host-state';

export interface Pass {
  readonly passed: true;
  /** Keeps only these candidates of the host, if the filter checks each candidate. Never empty. */
  readonly candidates?: readonly Candidate[];
  /** Limits that the filter sets on the host. */
  readonly limits?: HostLimits;
  /** The reason of a noteworthy pass: a declared code and its parameters. */
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

/** Code of a filter that threw: the host is rejected, and the cause is kept. */
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

/** The sentence of a rejection, by the templates of its filter. */
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
