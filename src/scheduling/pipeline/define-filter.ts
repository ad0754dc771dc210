// A filter is a plain frozen object that looks at one host and answers a verdict. It reads what it is given, changes
// nothing, and can only reject with a code it declared.

import type { RejectionParams } from '../../candidate-search';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { OptionDeclarations, OptionValues } from '../../domain/options';
import { PASS } from './verdict';
import type { FilterRejection, FilterVerdict, Pass, Templates } from './verdict';

/** What a check is handed besides the host and the request. */
interface FilterContext<Options extends OptionDeclarations, Code extends string> {
  /** Values in force for this host. */
  readonly options: OptionValues<Options>;
  readonly pass: Pass;
  /** A pass that narrows the host's candidates, leaves limits, or says why with a declared note. */
  readonly passWith: (pass: Omit<Pass, 'passed'>) => Pass;
  readonly reject: (code: Code, params?: RejectionParams) => FilterRejection<Code>;
  readonly env: FilterEnvironment;
}

/** What filters and weighers may know besides host, request and their own options. */
export interface FilterEnvironment {
  /** Milliseconds since the epoch, the same for the whole decision. */
  readonly nowMs: number;
  /** Decide as nova does where the product decides better. */
  readonly novaCompat: boolean;
  /** Wants to know when a filter begins and ends; undefined: nobody does. */
  readonly watch?: FilterWatch | undefined;
}

interface FilterWatch {
  begin(filter: string): { end(facts: { readonly in: number; readonly out: number }): void };
}

export interface FilterDefinition<Options extends OptionDeclarations, Rejections extends Templates> {
  /** The field's name for it, as `enabled_filters` spells it. */
  readonly name: string;
  /** One sentence for an operator. */
  readonly summary: string;
  readonly options?: Options;
  /** Code → sentence; `{name}` is filled from the params of the rejection. */
  readonly rejections: Rejections;
  /** Code → sentence of passes worth telling. */
  readonly notes?: Templates;
  /**
   * False when the request asks nothing of this filter: every host passes and none is looked at. Must not depend on
   * hosts; leaving it out means always asked.
   */
  readonly applies?: (spec: RequestSpec, options: OptionValues<Options>) => boolean;
  /** Runs for the first instance of a batch only. */
  readonly once?: boolean;
  /** Also acts on rebuild checks. */
  readonly rebuild?: boolean;
  /** Request fields it honours, by path (`scheduler_hints.different_host`); a trailing `*` covers a prefix. */
  readonly reads?: readonly string[];
  /** Told at start when the filter is enabled: what it does, as the rest of a sentence that begins with its name. */
  readonly warning?: string;
  readonly check: (
    host: HostState,
    spec: RequestSpec,
    context: FilterContext<Options, keyof Rejections & string>,
  ) => FilterVerdict<keyof Rejections & string>;
}

/** A filter whose types are known: what registries hold and the pipeline runs. */
export interface Filter {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
  readonly rejections: Templates;
  readonly notes: Templates;
  readonly applies: (spec: RequestSpec, options: OptionValues<OptionDeclarations>) => boolean;
  readonly once: boolean;
  readonly rebuild: boolean;
  readonly reads: readonly string[];
  /** Null: nothing to warn of. */
  readonly warning: string | null;
  readonly check: (
    host: HostState,
    spec: RequestSpec,
    context: FilterContext<OptionDeclarations, string>,
  ) => FilterVerdict;
}

/** Makes a filter: defaults filled in, frozen. An undeclared rejection code does not compile. */
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
    check: definition.check as Filter['check'],
  });
}

/** What a check is handed. Where types are not checked, an undeclared code throws. */
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
