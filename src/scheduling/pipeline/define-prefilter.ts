// A prefilter is a plain frozen object that looks at the request, never at hosts, and returns what it adds to the
// placement query. Conditions only accumulate: nothing it returns can take away what another one added.

import type { RejectionParams } from '../../candidate-search';
import type { HostAggregate } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { OptionDeclarations, OptionValues } from '../../domain/options';
import type { Templates } from './verdict';

/** What a prefilter adds. Root traits are about the host's root provider; aggregates about the unsuffixed group. */
export interface Additions {
  readonly rootRequired?: readonly string[];
  readonly rootForbidden?: readonly string[];
  /** Every inner list must be met by membership in at least one of its aggregates. */
  readonly memberOf?: readonly (readonly string[])[];
  readonly forbiddenAggregates?: readonly string[];
  /** Required traits by the suffix of the request group that gets them. */
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
  /** Adds nothing, and says why. */
  readonly nothing: (whyNot: string) => PrefilterOutcome<Code>;
  readonly cloud: PrefilterCloud;
  readonly novaCompat: boolean;
  /** What the prefilters before this one added. */
  readonly addedBefore: Required<Additions>;
  /** Traits the flavor, the image and the requested groups require, of all groups; root traits are not among them. */
  readonly requiredTraits: () => ReadonlySet<string>;
  /** No host can satisfy the request. */
  readonly refuse: (code: Code, params?: RejectionParams) => PrefilterOutcome<Code>;
}

/** What prefilters know of the cloud; none of them looks at single hosts. */
export interface PrefilterCloud {
  readonly hostAggregates: readonly HostAggregate[];
  /** Name of the zone of hosts that are in no zone. */
  readonly defaultAvailabilityZone: string;
  /** The lowest service version any host reports; a host that reports none counts as 0. Null: there are no hosts. */
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

/** A prefilter whose types are known. */
export interface Prefilter {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
  readonly refusals: Templates;
  readonly reads: readonly string[];
  readonly apply: (spec: RequestSpec, context: PrefilterContext<OptionDeclarations, string>) => PrefilterOutcome;
}

/** Makes a prefilter: defaults filled in, frozen. An undeclared refusal code does not compile. */
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

/** What a prefilter is handed besides its options. */
export interface PrefilterSurroundings {
  readonly cloud: PrefilterCloud;
  readonly novaCompat: boolean;
  readonly addedBefore: Required<Additions>;
  readonly requiredTraits: () => ReadonlySet<string>;
}

/** Where types are not checked, an undeclared refusal code throws. */
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
