// Many requests of the last hour found no host.
import type { Advice } from './advice';
import { adviceOf, counted } from './advice';

/** Fewer refusals are never a peak. */
const LEAST_REFUSED = 5;
const PEAK_SHARE = 0.1;

export function refusalPeak({ placed, refused }: Readonly<Record<'placed' | 'refused', number>>): readonly Advice[] {
  const share = refused / Math.max(1, placed + refused);
  if (refused < LEAST_REFUSED || share < PEAK_SHARE) return [];
  return [
    adviceOf({
      kind: 'refusal_peak',
      severity: 'warning',
      sentence:
        `${refused} of ${counted(placed + refused, 'request')} in the last hour placed nothing ` +
        `(${Math.round(share * 100)} %). The reasons are under "Refusals in the last hour".`,
      count: refused,
      subjects: [],
      link: 'decisions?outcome=no_valid_host&hours=1',
    }),
  ];
}
