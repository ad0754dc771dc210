// A weigher is a frozen object that gives each host one raw number. The pipeline scales, multiplies and adds up, so
// every step can be displayed.

import type { OptionDeclarations, OptionValues } from '../../platform/values/options';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import type { FilterEnvironment, TimedContext } from './define-filter';
import { forever } from './define-filter';

export interface WeigherDefinition<Options extends OptionDeclarations> {
  /** Nova's name, as in the last part of a `weight_classes` entry. */
  readonly name: string;
  readonly summary: string;
  readonly options?: Options;
  /** Fixed ends of the scale; by default an end is the smallest or largest raw value of the compared hosts. */
  readonly fixedMin?: number;
  readonly fixedMax?: number;
  readonly reads?: readonly string[];
  /** False if the raw value of every host is 0: no host is weighed. Default: always true. */
  readonly applies?: (spec: RequestSpec, options: OptionValues<Options>) => boolean;
  /** As of a filter. */
  readonly validUntil?: (host: HostState, context: TimedContext<Options>) => number;
  /** The multiplier for one host, from its effective values. */
  readonly multiplier: (options: OptionValues<Options>) => number;
  readonly weigh: (host: HostState, spec: RequestSpec, context: WeigherContext<Options>) => number;
}

export interface WeigherContext<Options extends OptionDeclarations> {
  /** Effective values for this host. */
  readonly options: OptionValues<Options>;
  readonly env: FilterEnvironment;
}

type AnyWeigher = WeigherDefinition<OptionDeclarations>;

/** A weigher without type parameters. */
export interface Weigher extends Required<Omit<AnyWeigher, 'fixedMin' | 'fixedMax'>> {
  readonly fixedMin: number | null;
  readonly fixedMax: number | null;
}

/** Creates a frozen weigher with defaults. */
export function defineWeigher<const Options extends OptionDeclarations = Record<never, never>>(
  definition: WeigherDefinition<Options>,
): Weigher {
  return Object.freeze({
    name: definition.name,
    summary: definition.summary,
    options: Object.freeze({ ...definition.options }),
    fixedMin: definition.fixedMin ?? null,
    fixedMax: definition.fixedMax ?? null,
    reads: Object.freeze([...(definition.reads ?? [])]),
    applies: (definition.applies as Weigher['applies'] | undefined) ?? (() => true),
    validUntil: (definition.validUntil as Weigher['validUntil'] | undefined) ?? forever,
    multiplier: definition.multiplier as Weigher['multiplier'],
    weigh: definition.weigh as Weigher['weigh'],
  });
}
