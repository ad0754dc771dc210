// Isolated aggregates: excludes host aggregates with `trait:` metadata that the request does not meet.

import { boolean } from '../../platform/values/options';
import { definePrefilter } from '../pipeline/define-prefilter';
import { TRAIT_PREFIX } from '../request/placement-extra-specs';

/** Traits that a request must require to use the aggregate. */
function traitsAskedBy(metadata: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(metadata)
    .filter(([key, value]) => key.startsWith(TRAIT_PREFIX) && value === 'required')
    .map(([key]) => key.slice(TRAIT_PREFIX.length));
}

export const isolatedAggregatesPrefilter = definePrefilter({
  name: 'IsolatedAggregatesPrefilter',
  summary: 'Forbids host aggregates with metadata `trait:<NAME>=required` that the request does not require.',
  options: {
    enable_isolated_aggregate_filtering: boolean(
      false,
      'Keep hosts of aggregates that ask for traits away from requests that do not require those.',
      { group: 'scheduler' },
    ),
  },
  apply: (_spec, { options, cloud, requiredTraits, add, nothing }) => {
    if (!options.enable_isolated_aggregate_filtering) return nothing('switched off');
    const required = requiredTraits();
    const isolated = cloud.hostAggregates.filter(({ metadata }) =>
      traitsAskedBy(metadata).some((trait) => !required.has(trait)),
    );
    if (isolated.length === 0) return nothing('no host aggregate asks for a trait that the request lacks');
    return add(
      { forbiddenAggregates: isolated.map(({ uuid }) => uuid) },
      `the request lacks traits that host aggregates ask for: ${isolated.map(({ name }) => name).join(', ')}`,
    );
  },
});
