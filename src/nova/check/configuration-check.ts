// Options of nova that Berth cannot honour.

import type { NovaConf } from '../conf/nova-conf';
import type { Finding } from './finding';
import { warning } from './finding';

const SUBJECT = 'configuration';

export function checkConfiguration({ warnings, scheduler, rabbit }: NovaConf): readonly Finding[] {
  const isRouted = scheduler['scheduler']?.['query_placement_for_routed_network_aggregates'] === true;
  const hasQueueManager = /^(1|true|yes|on)$/i.test(rabbit['use_queue_manager']?.trim() ?? '');
  return [
    ...warnings.map((text) => warning(SUBJECT, text)),
    ...(isRouted
      ? [
          warning(
            SUBJECT,
            '[scheduler] query_placement_for_routed_network_aggregates has no effect: Berth does not ask the Network service ' +
              'for the segments of a network.',
          ),
        ]
      : []),
    ...(hasQueueManager
      ? [
          warning(
            SUBJECT,
            '[oslo_messaging_rabbit] use_queue_manager has no effect: the fanout queue has a random name.',
          ),
        ]
      : []),
  ];
}
