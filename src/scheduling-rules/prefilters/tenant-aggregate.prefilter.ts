// Tenant aggregate: restricts a project to the host aggregates that list it. It does not keep other projects out of
// them; the filter does that.

import { boolean } from '../../platform/values/options';
import { definePrefilter } from '../pipeline/define-prefilter';

/** Each key with this prefix lists one project; the whole value counts, including commas. */
const KEY_PREFIX = 'filter_tenant_id';

export const tenantAggregatePrefilter = definePrefilter({
  name: 'TenantAggregatePrefilter',
  summary: 'Requires membership in a host aggregate with a `filter_tenant_id…` metadata value equal to the project id.',
  options: {
    limit_tenants_to_placement_aggregate: boolean(false, 'Confine projects to the host aggregates that name them.', {
      group: 'scheduler',
    }),
    placement_aggregate_required_for_tenants: boolean(false, 'Refuse projects that no host aggregate names.', {
      group: 'scheduler',
    }),
  },
  refusals: { no_aggregate: 'No hosts available for tenant' },
  apply: ({ projectId }, { options, cloud, add, nothing, refuse }) => {
    if (!options.limit_tenants_to_placement_aggregate) return nothing('switched off');
    const named = cloud.hostAggregates.filter(({ metadata }) =>
      Object.entries(metadata).some(([key, value]) => key.startsWith(KEY_PREFIX) && value === projectId),
    );
    if (named.length > 0) {
      return add({ memberOf: [named.map(({ uuid }) => uuid)] }, `host aggregates name project ${projectId}`);
    }
    if (options.placement_aggregate_required_for_tenants) return refuse('no_aggregate');
    return nothing(`no host aggregate names project ${projectId}`);
  },
});
