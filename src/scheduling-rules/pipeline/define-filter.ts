// A filter is a frozen object that returns a verdict on one host. It only reads its inputs, and rejects only with codes
// that it declares.

import type { RejectionParams } from '../../placement/candidate-search';
import type { OptionDeclarations, OptionValues } from '../../platform/values/options';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { FilterRejection, FilterVerdict, Pass, Templates } from './verdict';
import { PASS } from './verdict';

/** Inputs of a check in addition to host and request. */
interface FilterContext<Options extends OptionDeclarations, Code extends string> {
  /** Effective values for this host. */
  readonly options: OptionValues<Options>;
  readonly pass: Pass;
  /** A pass that narrows the host's candidates, sets limits, or adds a declared note. */
  readonly passWith: (pass: Omit<Pass, 'passed'>) => Pass;
  readonly reject: (code: Code, params?: RejectionParams) => FilterRejection<Code>;
  readonly env: FilterEnvironment;
}

/** Further facts for filters and weighers. */
export interface FilterEnvironment {
  /** Milliseconds since the epoch, constant for the whole decision. */
  readonly nowMs: number;
  /** Decide as nova does where the product's own rules differ. */
  readonly novaCompat: boolean;
  /** Optional listener for the start and end of each filter. */
  readonly watch?: FilterWatch | undefined;
}

interface FilterWatch {
  begin(filter: string): { end(facts: { readonly in: number; readonly out: number }): void };
}

export interface FilterDefinition<Options extends OptionDeclarations, Rejections extends Templates> {
  /** Nova's name, as in `enabled_filters`. */
  readonly name: string;
  /** One sentence for an operator. */
  readonly summary: string;
  readonly options?: Options;
  /** Code → sentence; `{name}` is replaced by parameters of the rejection. */
  readonly rejections: Rejections;
  /** Code → sentence for noteworthy passes. */
  readonly notes?: Templates;
  /**
   * False if the request has no condition for this filter: every host passes unchecked. Must not depend on hosts.
   * Default: always true.
   */
  readonly applies?: (spec: RequestSpec, options: OptionValues<Options>) => boolean;
  /** Runs for the first instance of a batch only. */
  readonly once?: boolean;
  /** Also applies to rebuild checks. */
  readonly rebuild?: boolean;
  /** Request fields that it reads, by path (`scheduler_hints.different_host`); a trailing `*` covers a prefix. */
  readonly reads?: readonly string[];
  /** Warning at the start if the filter is enabled: the rest of a sentence that begins with its name. */
  readonly warning?: string;
  /**
   * For a filter that reads the time: the moment from which its verdict on an unchanged host can be another one, in
   * milliseconds since the epoch; the parameters of a rejection can change before. Default: never.
   */
  readonly validUntil?: (host: HostState, context: TimedContext<Options>) => number;
  readonly check: (
    host: HostState,
    spec: RequestSpec,
    context: FilterContext<Options, keyof Rejections & string>,
  ) => FilterVerdict<keyof Rejections & string>;
}

export interface TimedContext<Options extends OptionDeclarations> {
  /** Effective values for this host. */
  readonly options: OptionValues<Options>;
  readonly nowMs: number;
}

type AnyFilter = FilterDefinition<OptionDeclarations, Templates>;

/** A filter without type parameters, as registries store it and the pipeline runs it. */
export interface Filter extends Required<Omit<AnyFilter, 'warning'>> {
  /** Null: no warning. */
  readonly warning: string | null;
}

/** Creates a frozen filter with defaults. An undeclared rejection code does not compile. */
export function defineFilter<
  const Options extends OptionDeclarations = Record<never, never>,
  const Rejections extends Templates = Templates,
>(definition: FilterDefinition<Options, Rejections>): Filter {
  return Object.freeze({
    name: definition.name,
    summary: definition.summary,
    options: Object.freeze({ ...definition.options }),
    rejections: Object.freeze({ ...definition.rejections }),
    notes: Object.freeze({ ...definition.notes }),
    applies: (definition.applies as Filter['applies'] | undefined) ?? (() => true),
    once: definition.once ?? false,
    rebuild: definition.rebuild ?? false,
    reads: Object.freeze([...(definition.reads ?? [])]),
    warning: definition.warning ?? null,
    validUntil: (definition.validUntil as Filter['validUntil'] | undefined) ?? forever,
    check: definition.check as Filter['check'],
  });
}

export const forever = (): number => Number.POSITIVE_INFINITY;

/** The context of a check. An undeclared code throws, for plug-ins without type checks. */
export function filterContext(
  filter: Pick<Filter, 'rejections' | 'notes'>,
  options: OptionValues<OptionDeclarations>,
  env: FilterEnvironment,
): FilterContext<OptionDeclarations, string> {
  const reject = (code: string, params: RejectionParams = {}): FilterRejection => {
    if (!Object.hasOwn(filter.rejections, code)) throw new Error(`rejection code '${code}' is not declared`);
    return { passed: false, code, params };
  };
  const passWith = (pass: Omit<Pass, 'passed'>): Pass => {
    if (pass.note !== undefined && !Object.hasOwn(filter.notes, pass.note.code)) {
      throw new Error(`note code '${pass.note.code}' is not declared`);
    }
    return { ...pass, passed: true };
  };
  return { options, pass: PASS, passWith, reject, env };
}
