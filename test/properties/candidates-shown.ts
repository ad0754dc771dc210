// A candidate as one line of text, the same for the engine and the model.

import type { Candidate } from '../../src/placement/candidate-search';

export function showCandidate({ allocations, mappings }: Candidate): string {
  const sums = Object.entries(allocations).flatMap(([uuid, { resources }]) =>
    Object.entries(resources).map(([resourceClass, amount]) => `${uuid}/${resourceClass}:${amount}`),
  );
  const pairs = Object.entries(mappings).flatMap(([suffix, uuids]) => uuids.map((uuid) => `${suffix}>${uuid}`));
  return `${sums.sort().join(' ')} | ${pairs.sort().join(' ')}`;
}
