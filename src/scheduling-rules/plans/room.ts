// Makes room for a flavor: again and again the host where the fewest instances must leave for another place, to hosts
// that lose no place by it.
import { type Random } from '../../platform/values/random';
import { leavingFor, missingOn, placeByChain } from './chains';
import type { Draft } from './draft';
import type { Places } from './places';

const MOST_GAINED = 4;
const MOST_LEAVING = 64;
/** Attempts in a row that gain nothing. */
const MOST_FAILED = 40;

interface Proposal {
  readonly leaving: readonly number[];
  readonly gain: number;
  /** Gained places for a move; close ones differ by chance. */
  readonly value: number;
}

/** Stops if `wanted` more places are there (null: as many as can be). `spread` above 0: other choices by chance. */
export async function makeRoom(
  draft: Draft,
  places: Places,
  wanted: number | null,
  random: Random,
  spread: number,
): Promise<void> {
  const { hosts } = draft.cloud;
  const counts: number[] = [];
  for (let host = 0; host < hosts.length; host += 1) counts.push(await places.countOn(host));
  const proposals: ({ readonly version: number; readonly proposal: Proposal | null } | undefined)[] = [];
  let missing = wanted ?? Infinity;
  let failed = 0;
  while (missing > 0 && failed < MOST_FAILED && draft.movesLeft > 0 && !draft.limits.isTimeUp()) {
    let best: { readonly host: number; readonly proposal: Proposal } | null = null;
    for (let host = 0; host < hosts.length; host += 1) {
      if (!draft.isTarget(host) || !places.isSuited(host)) continue;
      const version = draft.versionOf(host);
      if (proposals[host]?.version !== version) {
        proposals[host] = { version, proposal: proposalFor(draft, places, host, missing, 1 + spread * random()) };
      }
      const proposal = proposals[host]?.proposal ?? null;
      if (proposal !== null && proposal.value > (best?.proposal.value ?? 0)) best = { host, proposal };
    }
    if (best === null) return;
    const gained = await attempt(draft, places, counts, best.host, best.proposal);
    missing -= gained;
    failed = gained > 0 ? 0 : failed + 1;
    if (gained === 0) proposals[best.host] = { version: draft.versionOf(best.host), proposal: null };
  }
}

function proposalFor(draft: Draft, places: Places, host: number, most: number, factor: number): Proposal | null {
  let best: Proposal | null = null;
  const count = places.countBySums(host);
  for (let gain = 1; gain <= Math.min(MOST_GAINED, most); gain += 1) {
    const amounts = places.need.map((amount) => amount * (count + gain));
    const leaving = leavingFor(draft, host, missingOn(draft, host, amounts), Math.min(MOST_LEAVING, draft.movesLeft));
    if (leaving === null || leaving.length === 0) break;
    const value = (factor * gain) / leaving.length;
    if (best === null || value > best.value) best = { leaving, gain, value };
  }
  return best;
}

/** Returns the places gained over all hosts; 0: nothing has changed. */
async function attempt(
  draft: Draft,
  places: Places,
  counts: number[],
  host: number,
  { leaving, gain }: Proposal,
): Promise<number> {
  const point = draft.point();
  const reason = `makes room for ${gain} of ${places.label} on ${draft.cloud.hosts[host]?.host}`;
  const isOther = (other: number): boolean => other !== host;
  for (const each of leaving) {
    const amounts = draft.amountsOf(each);
    const losesNone = (other: number): boolean =>
      isOther(other) && (!places.isSuited(other) || places.countWith(other, amounts) === places.countBySums(other));
    if (await draft.place(each, reason, losesNone)) continue;
    if (await placeByChain(draft, each, reason, 1, isOther)) continue;
    if (gain > 1 && (await draft.place(each, reason, isOther))) continue;
    draft.undo(point);
    return 0;
  }
  const touched = new Set(draft.movesSince(point).flatMap(({ source, target }) => [source, target]));
  const before = [...touched].reduce((sum, each) => sum + (counts[each] as number), 0);
  const now = new Map<number, number>();
  for (const each of touched) now.set(each, await places.countOn(each));
  // The sums promise; the scheduler decides.
  if (!places.isJudged) now.set(host, await places.judge(host, now.get(host) as number));
  const gained = [...now.values()].reduce((sum, count) => sum + count, 0) - before;
  if (gained <= 0) {
    draft.undo(point);
    return 0;
  }
  for (const [each, count] of now) counts[each] = count;
  return gained;
}
