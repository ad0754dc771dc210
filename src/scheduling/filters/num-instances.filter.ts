// NumInstancesFilter: a ceiling on how many instances one host runs.

import { defineFilter } from '../pipeline/define-filter';
import { integer } from '../../domain/options';

export const MAX_INSTANCES = integer(50, 'Instances a host may run.', { min: 1 });

export const numInstancesFilter = defineFilter({
  name: 'NumInstancesFilter',
  summary: 'Rejects hosts that already run as many instances as allowed.',
  options: { max_instances_per_host: MAX_INSTANCES },
  rejections: { too_many_instances: 'host runs {actual} instances; the limit is {limit}' },
  check: (host, _spec, { options, pass, reject }) =>
    host.numInstances < options.max_instances_per_host
      ? pass
      : reject('too_many_instances', { actual: host.numInstances, limit: options.max_instances_per_host }),
});
