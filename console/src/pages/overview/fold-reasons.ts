// Reasons of refusals that differ by one name alone, or by amounts, are one line with what tells them apart beside it.
import type { RefusalsReport } from '../../service/reports';

type Reason = RefusalsReport['reasons'][number];

export interface FoldedReason extends Reason {
  /** What stands in the others where the sentence has a name. */
  readonly others: readonly string[];
  /** How many reasons are in it. */
  readonly reasons: number;
}

/** In the order in which they came: the first of those that are alike stands for them. */
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

/** A request may be refused for several of them: that many are certain, more are possible. */
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

/** The words of the other sentence that the first has not; amounts are no names. */
function differences(one: string, other: string): readonly string[] {
  const words = wordsOf(one);
  return wordsOf(other)
    .filter((word, at) => word !== words[at] && !(isAmount(word) && isAmount(words[at] ?? '')))
    .map((word) => word.replace(/[,.;:]+$/, ''));
}

const wordsOf = (sentence: string): readonly string[] => sentence.split(/\s+/);

const isAmount = (word: string): boolean => /^[\d.,]+$/.test(word);
