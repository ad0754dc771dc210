// The public API for plug-ins in TypeScript. Plain objects of the same shape work too.

import type { OptionDeclaration, OptionKind, OptionValue } from '../platform/values/options';

export { defineDriver } from './pipeline/define-driver';
export type { Driver, DriverAnswer, DriverInput } from './pipeline/define-driver';
export { defineFilter } from './pipeline/define-filter';
export type { Filter, FilterDefinition } from './pipeline/define-filter';
export { definePrefilter } from './pipeline/define-prefilter';
export type { Additions, Prefilter, PrefilterDefinition } from './pipeline/define-prefilter';
export { defineWeigher } from './pipeline/define-weigher';
export type { Weigher, WeigherDefinition } from './pipeline/define-weigher';
export type { HostState } from './host-state/host-state';
export type { RequestSpec } from './request-spec/request-spec';

const declared =
  <T extends OptionValue>(kind: OptionKind) =>
  (given: Omit<OptionDeclaration<T>, 'kind'>): OptionDeclaration<T> => ({ ...given, kind });

/** Declares an option of each kind. */
export const option = {
  integer: declared<number>('integer'),
  number: declared<number>('number'),
  boolean: declared<boolean>('boolean'),
  text: declared<string | null>('text'),
  list: declared<readonly string[]>('list'),
};
