// Options of nova that Berth cannot honour.

import { booleanOf } from '../../scheduling-rules/request-spec/boolean-text';
import type { NovaConf } from '../conf/nova-conf';
import type { Finding } from './finding';
import { warning } from './finding';

const SUBJECT = 'configuration';

type Checked = Pick<NovaConf, 'warnings' | 'scheduler' | 'rabbit' | 'transportUrl'>;

export function checkConfiguration({ warnings, scheduler, rabbit, transportUrl }: Checked): readonly Finding[] {
  const isRouted = scheduler['scheduler']?.['query_placement_for_routed_network_aggregates'] === true;
  // The query of the address wins over the group.
  const [queueManager = rabbit['use_queue_manager'] ?? ''] = queryOf(transportUrl)
    .getAll('use_queue_manager')
    .slice(-1);
  const texts = [...warnings];
  if (isRouted) {
    texts.push(
      '[scheduler] query_placement_for_routed_network_aggregates has no effect: Berth does not ask the Network service ' +
        'for the segments of a network.',
    );
  }
  if (booleanOf(queueManager.trim()) === true) {
    texts.push(
      '[oslo_messaging_rabbit] use_queue_manager has no effect: the fanout queue has a random name. Senders do not ' +
        'know names of fanout queues, so nova works with both.',
    );
  }
  return texts.map((text) => warning(SUBJECT, text));
}

const queryOf = (address: string | null): URLSearchParams => new URLSearchParams(address?.split('?')[1] ?? '');
