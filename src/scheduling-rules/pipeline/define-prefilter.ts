// A prefilter is a frozen object that reads the request, never hosts, and returns additions to the Placement query.
// Conditions only accumulate: a prefilter cannot remove those of another.

import type { RejectionParams } from '../../placement/candidate-search';
import type { OptionDeclarations, OptionValues } from '../../platform/values/options';
import type { HostAggregate } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { Templates } from './verdict';

/** The additions of a prefilter. Root traits concern the host's root provider; aggregates the unsuffixed group. */
export interface Additions {
  readonly rootRequired?: readonly string[];
  readonly rootForbidden?: readonly string[];
  /** For every inner list, the provider must be in at least one of its aggregates. */
  readonly memberOf?: readonly (readonly string[])[];
  readonly forbiddenAggregates?: readonly string[];
  /** Required traits by the suffix of their request group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

export type PrefilterOutcome<Code extends string = string> =
  | { readonly kind: 'added'; readonly added: Additions; readonly because: string }
  | { readonly kind: 'nothing'; readonly whyNot: string }
  | { readonly kind: 'refused'; readonly code: Code; readonly params: RejectionParams };

interface PrefilterContext<Options extends OptionDeclarations, Code extends string> {
  readonly options: OptionValues<Options>;
  /** Adds conditions; `because` is one phrase for an operator. */
  readonly add: (added: Additions, because: string) => PrefilterOutcome<Code>;
  /** Adds nothing, with a reason. */
  readonly nothing: (whyNot: string) => PrefilterOutcome<Code>;
  readonly cloud: PrefilterCloud;
  readonly novaCompat: boolean;
  /** Additions of the prefilters before this one. */
  readonly addedBefore: Required<Additions>;
  /** Traits that flavor, image and all requested groups require; without root traits. */
  readonly requiredTraits: () => ReadonlySet<string>;
  /** No host can satisfy the request. */
  readonly refuse: (code: Code, params?: RejectionParams) => PrefilterOutcome<Code>;
}

/** Facts about the cloud for prefilters; none concerns single hosts. */
export interface PrefilterCloud {
  readonly hostAggregates: readonly HostAggregate[];
  /** The zone of hosts without a zone. */
  readonly defaultAvailabilityZone: string;
  /**
   * The lowest service version of all hosts; a host without a reported version counts as 0. Null: there are no hosts.
   */
  readonly lowestServiceVersion: number | null;
}

export interface PrefilterDefinition<Options extends OptionDeclarations, Refusals extends Templates> {
  readonly name: string;
  readonly summary: string;
  readonly options?: Options;
  readonly refusals?: Refusals;
  readonly reads?: readonly string[];
  readonly apply: (
    spec: RequestSpec,
    context: PrefilterContext<Options, keyof Refusals & string>,
  ) => PrefilterOutcome<keyof Refusals & string>;
}

/** A prefilter without type parameters. */
export type Prefilter = Required<PrefilterDefinition<OptionDeclarations, Templates>>;

/** Creates a frozen prefilter with defaults. An undeclared refusal code does not compile. */
export function definePrefilter<
  const Options extends OptionDeclarations = Record<never, never>,
  const Refusals extends Templates = Record<never, never>,
>(definition: PrefilterDefinition<Options, Refusals>): Prefilter {
  return Object.freeze({
    name: definition.name,
    summary: definition.summary,
    options: Object.freeze({ ...definition.options }),
    refusals: Object.freeze({ ...definition.refusals }),
    reads: Object.freeze([...(definition.reads ?? [])]),
    apply: definition.apply as Prefilter['apply'],
  });
}

/** Inputs of a prefilter in addition to its options. */
export interface PrefilterSurroundings {
  readonly cloud: PrefilterCloud;
  readonly novaCompat: boolean;
  readonly addedBefore: Required<Additions>;
  readonly requiredTraits: () => ReadonlySet<string>;
}

/** The context of a prefilter. An undeclared refusal code throws, for plug-ins without type checks. */
export function prefilterContext(
  prefilter: Pick<Prefilter, 'refusals'>,
  options: OptionValues<OptionDeclarations>,
  surroundings: PrefilterSurroundings,
): PrefilterContext<OptionDeclarations, string> {
  return {
    ...surroundings,
    options,
    add: (added, because) => ({ kind: 'added', added, because }),
    nothing: (whyNot) => ({ kind: 'nothing', whyNot }),
    refuse: (code, params = {}) => {
      if (!Object.hasOwn(prefilter.refusals, code)) throw new Error(`refusal code '${code}' is not declared`);
      return { kind: 'refused', code, params };
    },
  };
}
