// A candidate as one line of text, the same for the engine and the model.

import type { Candidate } from '../../src/candidate-search';

export function showCandidate({ allocations, mappings }: Candidate): string {
  const sums = allocations.flatMap(({ provider, resources }) =>
    [...resources].map(([resourceClass, amount]) => `${provider.uuid}/${resourceClass}:${amount}`),
  );
  const pairs = [...mappings].flatMap(([suffix, uuids]) => uuids.map((uuid) => `${suffix}>${uuid}`));
  return `${sums.sort().join(' ')} | ${pairs.sort().join(' ')}`;
}
