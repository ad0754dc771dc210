// BuildFailureWeigher: counts consecutive failed builds until one succeeds. An avoided host never gets the chance to
// succeed, so an option lets failures decay with time.

import { integer, number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

/** Time of the last failed build, in the host's stats: seconds since the epoch, or an ISO 8601 time. */
const LAST_FAILURE = 'last_failed_build_at';

export const buildFailureWeigher = defineWeigher({
  name: 'BuildFailureWeigher',
  summary: 'Avoids hosts on which builds failed; its multiplier is used negated.',
  options: {
    build_failure_weight_multiplier: number(1_000_000, 'Multiplier of BuildFailureWeigher, used negated.', {
      aggregateKey: 'build_failure_weight_multiplier',
    }),
    build_failure_half_life: integer(
      0,
      'Seconds after which failed builds count half, by `last_failed_build_at` in the stats of the host; 0: never.',
      { min: 0 },
    ),
  },
  validUntil: ({ failedBuilds }, { options, nowMs }) =>
    options.build_failure_half_life === 0 || failedBuilds === 0 ? Number.POSITIVE_INFINITY : nowMs,
  multiplier: (options) => -options.build_failure_weight_multiplier,
  weigh: ({ failedBuilds, stats }, _spec, { options, env }) => {
    const halfLife = options.build_failure_half_life;
    const failedAtMs = halfLife === 0 || failedBuilds === 0 ? null : timeOf(stats[LAST_FAILURE]);
    if (failedAtMs === null) return failedBuilds;
    const age = Math.max(0, (env.nowMs - failedAtMs) / 1000);
    return failedBuilds * 0.5 ** (age / halfLife);
  },
});

/** Milliseconds since the epoch; null if the text is not a time. */
function timeOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return Number.isFinite(ms) ? ms : null;
}
