// Tenant aggregate: restricts a project to the host aggregates that list it. It does not keep other projects out of
// them; the filter does that.

import { boolean } from '../../platform/values/options';
import type { HostAggregate } from '../host-state/host-state';
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
  refusals: { no_aggregate: 'No hosts available for tenant {project}: no host aggregate names it. {named}' },
  apply: ({ projectId }, { options, cloud, add, nothing, refuse }) => {
    if (!options.limit_tenants_to_placement_aggregate) return nothing('switched off');
    const named = cloud.hostAggregates.filter(({ metadata }) =>
      Object.entries(metadata).some(([key, value]) => key.startsWith(KEY_PREFIX) && value === projectId),
    );
    if (named.length > 0) {
      return add({ memberOf: [named.map(({ uuid }) => uuid)] }, `host aggregates name project ${projectId}`);
    }
    if (options.placement_aggregate_required_for_tenants) {
      return refuse('no_aggregate', { project: projectId, named: namedText(cloud.hostAggregates, projectId) });
    }
    return nothing(`no host aggregate names project ${projectId}`);
  },
});

/** Host aggregates in the text. */
const NAMED = 3;

/** Which projects the host aggregates name, and that a list in one value names none of its projects. */
function namedText(aggregates: readonly HostAggregate[], projectId: string): string {
  const entries = aggregates.flatMap(({ name, metadata }) =>
    Object.entries(metadata).flatMap(([key, value]) => (key.startsWith(KEY_PREFIX) ? [{ name, key, value }] : [])),
  );
  if (entries.length === 0) return `No aggregate has metadata ${KEY_PREFIX}`;
  const list = entries.find(({ value }) => value.split(',').some((part) => part.trim() === projectId));
  const first = list === undefined ? entries : [list, ...entries.filter((each) => each !== list)];
  const shown = first.slice(0, NAMED).map(({ name, key, value }) => `${name} has ${key}=${value}`);
  const more = entries.length > NAMED ? ` and ${entries.length - NAMED} more` : '';
  const hint = `; here a value is one project, commas included: give each project a key of its own, ${KEY_PREFIX}1 and so on`;
  return `${shown.join(', ')}${more}${list === undefined ? '' : hint}`;
}
