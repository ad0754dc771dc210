// Makes room for a flavor: again and again the host where the fewest instances must leave for another place, to hosts
// that lose no place by it.
import type { Random } from '../../platform/values/random';
import { leavingFor, missingOn, placeByChain } from './chains';
import type { Places } from './places';

const MOST_LEAVING = 200;
/** Attempts in a row that gain nothing. */
const MOST_FAILED = 40;

interface Proposal {
  readonly host: number;
  readonly leaving: readonly number[];
  readonly gain: number;
  /** Gained places for a move; close ones differ by chance. */
  readonly value: number;
}

/** Stops if `wanted` more places are there. `spread` above 0: other choices by chance. */
export async function makeRoom(places: Places, wanted: number, random: Random, spread: number): Promise<void> {
  const { draft } = places;
  const { hosts } = draft.cloud;
  const counts: number[] = [];
  for (let host = 0; host < hosts.length; host += 1) counts.push(await places.countOn(host));
  /** Keys of instances that find no other place. */
  const stuck = new Set<number>();
  const proposals: ({ readonly state: string; readonly proposal: Proposal | null } | undefined)[] = [];
  let missing = wanted;
  let failed = 0;
  while (missing > 0 && failed < MOST_FAILED && draft.movesLeft > 0 && !draft.limits.isTimeUp()) {
    let best: Proposal | null = null;
    for (let host = 0; host < hosts.length; host += 1) {
      if (!draft.isTarget(host) || !places.isSuited(host)) continue;
      const state = `${draft.versions[host]} ${stuck.size}`;
      if (proposals[host]?.state !== state) {
        proposals[host] = { state, proposal: proposalFor(places, host, 1 + spread * random(), stuck) };
      }
      const proposal = proposals[host]?.proposal ?? null;
      if (proposal !== null && proposal.value > (best?.value ?? 0)) best = proposal;
    }
    if (best === null) return;
    const gained = await attempt(places, counts, best, stuck);
    missing -= gained;
    failed = gained > 0 ? 0 : failed + 1;
    if (gained === 0) proposals[best.host] = { state: `${draft.versions[best.host]} ${stuck.size}`, proposal: null };
  }
}

/** Those that must leave for one place more; several places can come with it. */
function proposalFor(places: Places, host: number, factor: number, stuck: ReadonlySet<number>): Proposal | null {
  const { draft, need } = places;
  const count = places.countBySums(host);
  const needed = need.map((amount) => amount * (count + 1));
  const leavers = draft.movableOn(host).filter((each) => !stuck.has(draft.keyOf(each)));
  const most = Math.min(MOST_LEAVING, draft.movesLeft);
  const leaving = leavingFor(draft, leavers, missingOn(draft, host, needed), most);
  if (leaving === null || leaving.length === 0) return null;
  const freed = need.map((_, column) => -leaving.reduce((sum, each) => sum + (draft.amountsOf(each)[column] ?? 0), 0));
  const gain = places.countBySums(host, freed) - count;
  return { host, leaving, gain, value: (factor * gain) / leaving.length };
}

/** Returns the places gained over all hosts; 0: nothing has changed. */
async function attempt(places: Places, counts: number[], proposal: Proposal, stuck: Set<number>): Promise<number> {
  const { draft } = places;
  const { host, leaving, gain } = proposal;
  const start = draft.moves.length;
  const reason = `makes room for ${gain} of ${places.label} on ${draft.cloud.hosts[host]?.host}`;
  const isOther = (other: number): boolean => other !== host;
  const steps = leaving.map((each) => async (): Promise<boolean> => {
    const amounts = draft.amountsOf(each);
    const losesNone = (other: number): boolean =>
      isOther(other) && (!places.isSuited(other) || places.countBySums(other, amounts) === places.countBySums(other));
    if (await draft.place(each, reason, losesNone)) return true;
    if (await placeByChain(draft, each, reason, 1, isOther)) return true;
    if (gain > 1 && (await draft.place(each, reason, isOther))) return true;
    stuck.add(draft.keyOf(each));
    return false;
  });
  let gained = 0;
  const gains = async (): Promise<boolean> => {
    const now = new Map<number, number>();
    for (const { source, target } of draft.moves.slice(start)) {
      for (const each of [source, target]) now.set(each, await places.countOn(each));
    }
    // The sums promise; the scheduler decides.
    if (!places.isJudged) now.set(host, await places.judge(host, now.get(host) as number));
    for (const [each, count] of now) gained += count - (counts[each] as number);
    if (gained > 0) for (const [each, count] of now) counts[each] = count;
    return gained > 0;
  };
  return (await draft.allOrNone([...steps, gains])) ? gained : 0;
}
