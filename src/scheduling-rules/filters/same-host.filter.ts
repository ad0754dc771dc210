// SameHostFilter: restricts an instance to the hosts that run at least one of the instances in its hint.

import { defineFilter } from '../pipeline/define-filter';
import { instancesNamed } from './instances-named';
import { shownList } from './shown-params';

const HINT = 'same_host';

export const sameHostFilter = defineFilter({
  name: 'SameHostFilter',
  summary: 'Rejects hosts that run none of the instances named by the hint same_host.',
  rejections: {
    runs_no_named_instance: 'host runs none of {wanted}, named by the hint same_host; it runs: {found}',
  },
  once: true,
  reads: [`scheduler_hints.${HINT}`],
  applies: (spec) => instancesNamed(spec, HINT).length > 0,
  check: (host, spec, { pass, reject }) => {
    const instanceUuids = instancesNamed(spec, HINT);
    if (instanceUuids.some((uuid) => host.instances.has(uuid))) return pass;
    return reject('runs_no_named_instance', {
      wanted: shownList(instanceUuids),
      found: shownList(host.instances.keys()),
    });
  },
});
