// Merges reasons of refusals that differ only in one name or in amounts into one line with the differing names.
import type { RefusalsReport } from '../../service/reports';

type Reason = RefusalsReport['reasons'][number];

export interface FoldedReason extends Reason {
  /** The names in the other reasons at the place where they differ. */
  readonly others: readonly string[];
  /** The number of merged reasons. */
  readonly reasons: number;
}

/** Keeps the order; the first of similar reasons represents them. */
export function foldReasons(reasons: readonly Reason[]): readonly FoldedReason[] {
  const folded: FoldedReason[] = [];
  for (const reason of reasons) {
    const at = folded.findIndex(({ name, sentence }) => name === reason.name && isAlike(sentence, reason.sentence));
    const like = folded[at];
    if (like === undefined) folded.push({ ...reason, others: [], reasons: 1 });
    else folded[at] = together(like, reason);
  }
  return folded;
}

/** One request can have several of the reasons, so the maximum is a lower bound of the refusals. */
function together(like: FoldedReason, reason: Reason): FoldedReason {
  const [name] = differences(like.sentence, reason.sentence);
  return {
    ...like,
    refusals: Math.max(like.refusals, reason.refusals),
    hosts: like.hosts + reason.hosts,
    others: name === undefined || like.others.includes(name) ? like.others : [...like.others, name],
    reasons: like.reasons + 1,
  };
}

const isAlike = (one: string, other: string): boolean =>
  wordsOf(one).length === wordsOf(other).length && differences(one, other).length <= 1;

/** Words of `other` that differ from `one`; amounts are ignored. */
function differences(one: string, other: string): readonly string[] {
  const words = wordsOf(one);
  return wordsOf(other)
    .filter((word, at) => word !== words[at] && !(isAmount(word) && isAmount(words[at] ?? '')))
    .map((word) => word.replace(/[,.;:]+$/, ''));
}

const wordsOf = (sentence: string): readonly string[] => sentence.split(/\s+/);

const isAmount = (word: string): boolean => /^[\d.,]+$/.test(word);
