// TypeAffinityFilter: a host runs instances of one flavor only. Legacy, off by default. Instances with an unknown
// flavor are ignored.

import { defineFilter } from '../pipeline/define-filter';
import { shownList } from './shown-params';

export const typeAffinityFilter = defineFilter({
  name: 'TypeAffinityFilter',
  summary: 'Rejects hosts that run an instance of another flavor.',
  rejections: { other_flavor: 'the flavor is {wanted}; the host runs instances of {found}' },
  reads: ['flavor.name'],
  check: ({ instances }, { flavor }, { pass, reject }) => {
    const others = new Set<string>();
    for (const { flavor: name } of instances.values()) if (name !== null && name !== flavor.name) others.add(name);
    if (others.size === 0) return pass;
    return reject('other_flavor', { wanted: flavor.name ?? 'one without a name', found: shownList(others) });
  },
});
