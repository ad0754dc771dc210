// NumInstancesFilter: limits the number of instances of a host.

import type { OptionDeclaration } from '../../platform/values/options';
import { integer } from '../../platform/values/options';
import type { Filter } from '../pipeline/define-filter';
import { defineFilter } from '../pipeline/define-filter';

export const MAX_INSTANCES = integer(50, 'Instances that a host can run.', { min: 1 });

/** Defines a filter of this kind with its limit option. */
export const defineNumInstancesFilter = (
  named: Pick<Filter, 'name' | 'summary'>,
  limit: OptionDeclaration<number>,
): Filter =>
  defineFilter({
    ...named,
    options: { max_instances_per_host: limit },
    rejections: { too_many_instances: 'host runs {actual} instances; the limit is {limit}' },
    check: (host, _spec, { options, pass, reject }) =>
      host.numInstances < options.max_instances_per_host
        ? pass
        : reject('too_many_instances', { actual: host.numInstances, limit: options.max_instances_per_host }),
  });

export const numInstancesFilter = defineNumInstancesFilter(
  { name: 'NumInstancesFilter', summary: 'Rejects hosts that already run as many instances as allowed.' },
  MAX_INSTANCES,
);
