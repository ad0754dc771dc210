// The scheduler: decisions, what they would be, what became of them, and the instances that it placed.
import type { Calls } from './calls.ts';
import type { Answer, Body, Query } from './routes.ts';
import type { CallOptions } from './session.ts';

const SELECT = '/scheduler/select_destinations';
const EXPLAIN = '/scheduler/explain';

/** Asks without changing anything. */
const AGAIN = { repeatable: true };

export const schedulerOf = (calls: Calls) => ({
  /** Name and version, filters, weighers, and the guarantees in force. */
  show: calls.plain('get', '/scheduler'),
  /** Places instances and claims for them. Throws NoValidHost, with the decision. */
  selectDestinations: (body: Body<typeof SELECT, 'post'>, options?: CallOptions) => {
    const repeatable = body.dry_run === true;
    return calls.ask('post', SELECT, { body }, { repeatable, ...options }) as Promise<Answer<typeof SELECT, 'post'>>;
  },
  /** The same decision without claims. */
  explain: (
    body: Body<typeof EXPLAIN, 'post'>,
    query: Query<typeof EXPLAIN, 'post'> = {},
    options: CallOptions = {},
  ): Promise<Answer<typeof EXPLAIN, 'post'>> =>
    calls.ask('post', EXPLAIN, { body, query }, { ...AGAIN, ...options }) as Promise<Answer<typeof EXPLAIN, 'post'>>,
  /** How many more fit. */
  capacity: calls.write('post', '/scheduler/capacity', AGAIN),
  /** What would be in a described cloud. */
  simulate: calls.write('post', '/scheduler/simulate', AGAIN),
  decisions: {
    list: calls.list('/scheduler/decisions'),
    get: calls.plain('get', '/scheduler/decisions/{request_id}'),
  },
  instances: {
    list: calls.list('/scheduler/instances'),
    get: calls.plain('get', '/scheduler/instances/{uuid}'),
    /** Releases claim, membership and record at once. */
    release: calls.plain('delete', '/scheduler/instances/{uuid}'),
    /** Goes on with the next alternate. */
    buildFailed: calls.write('post', '/scheduler/instances/{uuid}/build_failed'),
    move: calls.write('post', '/scheduler/instances/{uuid}/move'),
    confirmMove: calls.plain('post', '/scheduler/instances/{uuid}/confirm_move'),
    revertMove: calls.plain('post', '/scheduler/instances/{uuid}/revert_move'),
  },
});
