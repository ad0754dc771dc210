// Claims: granted, refused and why, and how they were written.
import type { MetricFamily } from '../../platform/metrics/family';
import { counter } from '../../platform/metrics/family';
import type { ClaimCounters } from './claim-counters';
import { CLAIM_REFUSALS, CLAIMANTS } from './claim-counters';

const BY = '`placement` (its API) or `scheduler`';

export const claimMetrics = (counters: ClaimCounters): readonly MetricFamily[] => [
  counter({
    name: 'berth_claims_granted_total',
    help: 'Consumers whose allocations were granted.',
    labels: { by: BY },
    read: () => CLAIMANTS.map((by) => ({ labels: { by }, value: counters.granted[by] })),
  }),
  counter({
    name: 'berth_claims_refused_total',
    help: 'Consumers whose allocations were refused, by reason.',
    labels: { by: BY, reason: CLAIM_REFUSALS.map((reason) => `\`${reason}\``).join(', ') },
    read: () =>
      CLAIMANTS.flatMap((by) =>
        CLAIM_REFUSALS.map((reason) => ({ labels: { by, reason }, value: counters.refused[by][reason] })),
      ),
  }),
  counter({
    name: 'berth_claim_requests_written_total',
    help: 'Allocation requests of the Placement API that were written in one transaction with others, or alone.',
    labels: { how: '`together` or `alone`' },
    read: () => [
      { labels: { how: 'together' }, value: counters.together },
      { labels: { how: 'alone' }, value: counters.alone },
    ],
  }),
  counter({
    name: 'berth_claim_requests_retried_total',
    help: 'Allocation requests that were written again because their group could not be granted as a whole.',
    read: () => [{ labels: {}, value: counters.triedAgain }],
  }),
];
