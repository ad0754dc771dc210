// Options for the place of nova-scheduler. Everything else is read from nova's own configuration files.

import type { Config } from '../platform/config/platform-config';
import { boolean, choice, integer, list } from '../platform/values/options';
import { OLDEST_RELEASE } from './conf/nova-conf';

/** Bound of the option only; nova has two releases a year. */
const NEWEST_RELEASE = 99;
const DEFAULT_RELEASE = 27;

export const NOVA_GROUP = {
  nova: {
    enabled: boolean(
      false,
      'Take the place of nova-scheduler: answer nova-conductor over RabbitMQ, with hosts from the databases of nova ' +
        'instead of reports.',
    ),
    readiness_needs_broker: boolean(
      false,
      '`/readyz` answers 503 while the message broker is not connected. `berth scheduler` sets it to true unless the ' +
        'environment sets it.',
    ),
    config_file: list(
      ['/etc/nova/nova.conf'],
      'Configuration files of nova, relative to the working directory. If several files set an option, the last one ' +
        'counts.',
    ),
    release: integer(
      DEFAULT_RELEASE,
      'Major version of nova, which decides defaults of nova.conf: 26 is Zed, 27 is 2023.1, 28 is 2023.2 and so on.',
      { min: OLDEST_RELEASE, max: NEWEST_RELEASE },
    ),
    placement: choice(
      ['local', 'remote'],
      'local',
      'Where to search and claim: `local` is the Placement API of this service; `remote` is the one that `[placement]` of ' +
        'nova.conf names.',
    ),
    overlap_seconds: integer(
      15,
      'Rows that nova saved this long before the newest one are read again: at least the difference between the clocks ' +
        'of its services plus their longest transaction.',
      { min: 1, max: 600 },
    ),
  },
} as const;

/** The weigher of image properties reads them of every instance; without it they are not read. */
export const weighsImageProperties = ({ values }: Pick<Config<typeof NOVA_GROUP>, 'values'>): boolean =>
  Number(values['filter_scheduler']?.['image_props_weight_multiplier'] ?? 0) !== 0;
