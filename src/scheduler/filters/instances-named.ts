// The instances that a hint names: uuids in lower case, each once; empty texts name nobody.

import type { RequestSpec } from '../request/request-spec';

const NAMED = new WeakMap<readonly string[], readonly string[]>();
const NOBODY: readonly string[] = Object.freeze([]);

/** Asked for every host, so it is computed once per hint. */
export function instancesNamed(spec: Pick<RequestSpec, 'schedulerHints'>, hint: string): readonly string[] {
  const values = spec.schedulerHints[hint];
  if (values === undefined) return NOBODY;
  let named = NAMED.get(values);
  if (named === undefined) {
    named = [...new Set(values.filter((value) => value !== '').map((value) => value.toLowerCase()))];
    NAMED.set(values, named);
  }
  return named;
}
