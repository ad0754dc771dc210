// A weigher is a plain frozen object that gives one host one raw number. Scaling, multiplying and adding up are the
// pipeline's work, so that every part can be shown.

import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request/request-spec';
import type { FilterEnvironment } from './define-filter';
import type { OptionDeclarations, OptionValues } from '../../domain/options';

export interface WeigherDefinition<Options extends OptionDeclarations> {
  /** The field's name for it, as the last part of a `weight_classes` entry. */
  readonly name: string;
  readonly summary: string;
  readonly options?: Options;
  /** Fixed ends of the scale; an end that is not fixed is the smallest or largest raw value of the hosts compared. */
  readonly fixedMin?: number;
  readonly fixedMax?: number;
  readonly reads?: readonly string[];
  /** False when the raw value of every host is 0 whatever the hosts: none is looked at. Left out: always asked. */
  readonly applies?: (spec: RequestSpec, options: OptionValues<Options>) => boolean;
  /** The multiplier for one host, from the values in force for it. */
  readonly multiplier: (options: OptionValues<Options>) => number;
  readonly weigh: (host: HostState, spec: RequestSpec, context: WeigherContext<Options>) => number;
}

export interface WeigherContext<Options extends OptionDeclarations> {
  /** Values in force for this host. */
  readonly options: OptionValues<Options>;
  readonly env: FilterEnvironment;
}

/** A weigher whose types are known. */
export interface Weigher {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
  readonly fixedMin: number | null;
  readonly fixedMax: number | null;
  readonly reads: readonly string[];
  readonly multiplier: (options: OptionValues<OptionDeclarations>) => number;
  readonly applies: (spec: RequestSpec, options: OptionValues<OptionDeclarations>) => boolean;
  readonly weigh: (host: HostState, spec: RequestSpec, context: WeigherContext<OptionDeclarations>) => number;
}

/** Makes a weigher: defaults filled in, frozen. */
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
    multiplier: definition.multiplier as Weigher['multiplier'],
    weigh: definition.weigh as Weigher['weigh'],
  });
}
