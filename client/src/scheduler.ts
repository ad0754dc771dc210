// Decisions of the scheduler; a dry run or an explanation changes nothing.
import type { Calls } from './calls.ts';
import type { Answer, Body, Query } from './routes.ts';
import type { CallOptions } from './session.ts';

const SELECT = '/scheduler/select_destinations';
const EXPLAIN = '/scheduler/explain';

type Selected = Answer<typeof SELECT, 'post'>;
type Explained = Answer<typeof EXPLAIN, 'post'>;

/** Throws NoValidHost with the decision. A dry run is repeatable. */
export const selectDestinations =
  (calls: Calls) =>
  (body: Body<typeof SELECT, 'post'>, options?: CallOptions): Promise<Selected> => {
    const repeatable = body.dry_run === true;
    return calls.ask('post', SELECT, { body }, { repeatable, ...options }) as Promise<Selected>;
  };

/** Takes a body and a query. */
export const explainDestinations =
  (calls: Calls) =>
  (
    body: Body<typeof EXPLAIN, 'post'>,
    query: Query<typeof EXPLAIN, 'post'> = {},
    options: CallOptions = {},
  ): Promise<Explained> =>
    calls.ask('post', EXPLAIN, { body, query }, { repeatable: true, ...options }) as Promise<Explained>;
