// The share of each weigher in the weight of each host, as bar segments on one scale.
import type { Pass } from './decision-document';

/** A weigher's part in the weight of one host. */
export type WeightPart = Omit<Pass['weighers'][number]['hosts'][number], 'host' | 'node'> & {
  readonly weigher: string;
};

export interface WeighedHost {
  readonly rank: number;
  readonly host: string;
  readonly node: string;
  readonly weight: number;
  /** Parts of the weighers in `effective`, in the same order. */
  readonly parts: readonly WeightPart[];
}

export interface Weights {
  readonly hosts: readonly WeighedHost[];
  /** Weighers that gave a listed host a score other than 0 or failed, in configuration order. */
  readonly effective: readonly string[];
  /** Weighers that gave every listed host the score 0. */
  readonly ineffective: readonly string[];
  /** The ends of the scale: the lowest negative and the highest positive sum. */
  readonly lowest: number;
  readonly highest: number;
}

export function weightsOf({ ranking, weighers }: Pick<Pass, 'ranking' | 'weighers'>): Weights {
  const effective = weighers.filter((each) =>
    each.hosts.some(({ score, error }) => score !== 0 || error !== undefined),
  );
  const parts = effective.map((each) => ({
    weigher: each.name,
    byHost: new Map(each.hosts.map((part) => [keyOf(part), part])),
  }));
  const hosts = ranking.map(({ host, node, weight }, at) => ({
    rank: at + 1,
    host,
    node,
    weight,
    parts: parts.flatMap(({ weigher, byHost }) => {
      const part = byHost.get(keyOf({ host, node }));
      if (part === undefined) return [];
      const { host: _host, node: _node, ...measured } = part;
      return [{ ...measured, weigher }];
    }),
  }));
  return {
    hosts,
    effective: effective.map(({ name }) => name),
    ineffective: weighers.filter((each) => !effective.includes(each)).map(({ name }) => name),
    lowest: Math.min(0, ...hosts.map((host) => sumOf(host, (score) => score < 0))),
    highest: Math.max(0, ...hosts.map((host) => sumOf(host, (score) => score > 0))),
  };
}

interface BarPiece {
  readonly part: WeightPart;
  /** In percent of the bar's width. */
  readonly start: number;
  readonly width: number;
}

/** The segments of one host's bar: positive scores to the right of zero, negative ones to the left. */
export function piecesOf({ parts }: WeighedHost, { lowest, highest }: Pick<Weights, 'lowest' | 'highest'>): BarPiece[] {
  const span = highest - lowest;
  if (span === 0) return [];
  const percent = (value: number): number => (value / span) * 100;
  const zero = percent(-lowest);
  let [left, right] = [zero, zero];
  const pieces: BarPiece[] = [];
  for (const part of parts) {
    const width = percent(Math.abs(part.score));
    if (part.score > 0) {
      pieces.push({ part, start: right, width });
      right += width;
    } else if (part.score < 0) {
      left -= width;
      pieces.push({ part, start: left, width });
    }
  }
  return pieces;
}

export const keyOf = ({ host, node }: { readonly host: string; readonly node: string }): string => `${host}\n${node}`;

const sumOf = ({ parts }: WeighedHost, counts: (score: number) => boolean): number =>
  parts.reduce((sum, { score }) => (counts(score) ? sum + score : sum), 0);
