// What the metadata of a host's aggregates says together. Hosts in the same aggregates share one list of them, so
// everything here is computed once per list.

import type { HostAggregate } from '../host-state/host-state';

type Aggregates = readonly HostAggregate[];
export type UnitedMetadata = ReadonlyMap<string, ReadonlySet<string>>;

const UNITED = new WeakMap<Aggregates, UnitedMetadata>();
const BY_KEY = new WeakMap<Aggregates, Map<string, readonly string[]>>();

/** The parts of a value between commas, blanks around them removed. The empty text has one part, the empty text. */
export const commaParts = (value: string): string[] => value.split(',').map((part) => part.trim());

/** Every key of all aggregates with the union of its values, each split on commas. */
export function unitedMetadata(aggregates: Aggregates): UnitedMetadata {
  let united = UNITED.get(aggregates);
  if (united === undefined) UNITED.set(aggregates, (united = unite(aggregates)));
  return united;
}

function unite(aggregates: Aggregates): UnitedMetadata {
  const united = new Map<string, Set<string>>();
  for (const { metadata } of aggregates) {
    for (const [key, value] of Object.entries(metadata)) {
      const values = united.get(key) ?? new Set();
      for (const part of commaParts(value)) values.add(part);
      united.set(key, values);
    }
  }
  return united;
}

/** The different values of one key over the aggregates, not split. */
export function valuesOfKey(aggregates: Aggregates, key: string): readonly string[] {
  if (aggregates.length === 0) return [];
  let byKey = BY_KEY.get(aggregates);
  if (byKey === undefined) BY_KEY.set(aggregates, (byKey = new Map<string, readonly string[]>()));
  let values = byKey.get(key);
  if (values === undefined) {
    const found = aggregates.flatMap(({ metadata }) => (Object.hasOwn(metadata, key) ? [metadata[key] ?? ''] : []));
    byKey.set(key, (values = [...new Set(found)]));
  }
  return values;
}

/** The comma parts of one key over the aggregates. */
export const partsOfKey = (aggregates: Aggregates, key: string): readonly string[] => [
  ...(unitedMetadata(aggregates).get(key) ?? []),
];
