// Response schemas of the probes.
import { COUNT, FLAG, oneOf, TEXT } from '../http/answer-schemas';
import { closed, named } from '../microversion/versioned-schema';

export const LIVENESS = named('Liveness', closed({ status: { const: 'alive' } }));

const WORKS = named('Works', closed({ works: FLAG, reason: TEXT }, ['reason']));

/** The number of updates of the graph in memory, by kind. */
const GRAPH = closed({ refreshes: COUNT, usageRows: COUNT, treeReloads: COUNT, wholeReloads: COUNT });

export const READINESS = named(
  'Readiness',
  closed(
    {
      status: oneOf('ready', 'unavailable', 'draining'),
      reads: WORKS,
      writes: WORKS,
      identity: WORKS,
      broker: WORKS,
      graph: GRAPH,
    },
    ['reads', 'writes', 'identity', 'broker', 'graph'],
  ),
);
