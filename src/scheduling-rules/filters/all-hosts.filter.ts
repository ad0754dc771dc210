// AllHostsFilter: passes every host. In nova, the list of enabled filters must not be empty; this filter stands for
// none.

import { defineFilter } from '../pipeline/define-filter';

export const allHostsFilter = defineFilter({
  name: 'AllHostsFilter',
  summary: 'Passes every host.',
  rejections: {},
  once: true,
  applies: () => false,
  check: (_host, _spec, { pass }) => pass,
});
