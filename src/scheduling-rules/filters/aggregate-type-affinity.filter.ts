// AggregateTypeAffinityFilter: host aggregates list the accepted flavors. Hosts without such an aggregate accept all.

import { defineFilter } from '../pipeline/define-filter';
import { partsOfKey } from './aggregate-metadata';
import { shownList } from './shown-params';

const KEY = 'instance_type';

export const aggregateTypeAffinityFilter = defineFilter({
  name: 'AggregateTypeAffinityFilter',
  summary: 'Rejects hosts whose host aggregates list flavors in instance_type, and not this one.',
  rejections: { flavor_not_listed: 'the host aggregates take the flavors {found}, not {wanted}' },
  once: true,
  reads: ['flavor.name'],
  check: ({ aggregates }, { flavor }, { pass, reject }) => {
    const found = partsOfKey(aggregates, KEY);
    if (found.length === 0) return pass;
    if (flavor.name !== null && found.includes(flavor.name)) return pass;
    return reject('flavor_not_listed', { wanted: flavor.name ?? 'one without a name', found: shownList(found) });
  },
});
