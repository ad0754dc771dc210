// `berth why HOST --flavor F`, or `--instance ID`: shows the result of one host in a decision that is made now, without a claim.
import type { Schema } from '../../../client/src/routes.ts';
import { CommandFailed, EXIT } from '../command-context';
import type { RequestOptions } from './asked-request';
import { moveOf } from './asked-request';
import type { Rejection } from './decision-text';
import { checkHosts } from './listed';
import { CLI_OWNER } from './place';
import type { Action } from './printing';
import { printDocument } from './printing';
import { readable } from './readable';

interface Explained {
  readonly decision: Schema<'Decision'>;
}

type WeighedHost = Schema<'WeigherRecord'>['hosts'][number];

/** Exit code 0 if the host passes, otherwise 1. */
export const showWhy: Action<RequestOptions> = async (client, streams, options, [host = '']) => {
  const asked = await moveOf(client, options, host);
  const explain = (name: string, more: object = {}): Promise<Explained> =>
    client.post<Explained>(`/scheduler/explain?host=${encodeURIComponent(name)}`, {
      ...CLI_OWNER,
      ...asked,
      explain: 'all',
      ...more,
    });
  const explained = await explain(host);
  const { outcome, summary, seed } = explained.decision;
  if (outcome !== 'placed' && outcome !== 'no_valid_host') throw new CommandFailed(summary.sentence);
  const verdict = verdictOf(explained, host);
  if (verdict === null) await checkHosts(client, [host]);
  if (verdict === null) throw new CommandFailed(`Placement was not asked about ${host}.`);
  const chosen = explained.decision.passes[0]?.selected?.host;
  const isBetter = verdict.passes && chosen !== undefined && chosen !== host;
  // The document has the weights of one host only. The same seed gives the same decision.
  const best = isBetter ? await explain(chosen, { seed }) : undefined;
  const weights = best === undefined ? [] : differingWeights([explained, host], [best, chosen ?? '']);
  const end =
    chosen === undefined
      ? readable(summary.sentence)
      : `An instance would be placed on ${chosen} now. Nothing was claimed.`;
  const text = (): string => `${[...verdict.lines, ...weights].join('\n')}\n\n${end}\n`;
  printDocument(streams, options, explained, { text });
  return verdict.passes ? EXIT.done : EXIT.failed;
};

/** One line for each weigher that gives the two hosts different scores, the largest difference first. */
function differingWeights(
  [explained, host]: readonly [Explained, string],
  [best, chosen]: readonly [Explained, string],
): readonly string[] {
  const scoresOf = ({ decision }: Explained, name: string): ReadonlyMap<string, WeighedHost> =>
    new Map(
      (decision.passes[0]?.weighers ?? []).flatMap(({ name: by, hosts }) => {
        const found = hosts.find((each) => each.host === name);
        return found === undefined ? [] : [[by, found] as const];
      }),
    );
  const own = scoresOf(explained, host);
  const differing = [...scoresOf(best, chosen)].flatMap(([by, other]) => {
    const mine = own.get(by);
    return mine === undefined || mine.score === other.score ? [] : [{ by, mine, other }];
  });
  if (differing.length === 0) return [`${chosen} has the same weight; equal hosts are ordered by name or drawn.`];
  return differing
    .sort((one, two) => two.other.score - two.mine.score - (one.other.score - one.mine.score))
    .map(({ by, mine, other }) => `  ${by}: ${shown(mine)} against ${shown(other)} of ${chosen}`);
}

const shown = ({ raw, score }: WeighedHost): string =>
  `${rounded(score)}${raw === null ? '' : ` (value ${rounded(raw)})`}`;

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

interface Verdict {
  readonly passes: boolean;
  readonly lines: readonly string[];
}

/** Law: every host is in exactly one place: rejected by Placement, rejected by one stage, or ranked. Null: in none. */
function verdictOf({ decision: { placement, passes } }: Explained, host: string): Verdict | null {
  const [first] = passes;
  const ofHost = (rejections: { readonly hosts: readonly Rejection[] } | null | undefined): readonly string[] =>
    (rejections?.hosts ?? [])
      .filter((each) => each.host === host)
      .map(({ code, message }) => `${readable(message)} (${code})`);
  const byPlacement = ofHost(placement?.rejections);
  if (byPlacement.length > 0)
    return { passes: false, lines: [`${host} is no candidate of Placement:`, ...byPlacement] };
  const stages = first?.stages ?? [];
  const rejected = stages.flatMap(({ name, rejections }) => ofHost(rejections).map((line) => `${name}: ${line}`));
  const also = stages.flatMap(({ name, also_rejects: more }) => ofHost(more).map((line) => `${name}, too: ${line}`));
  if (rejected.length > 0) return { passes: false, lines: [`${host} was filtered out:`, ...rejected, ...also] };
  const rank = first?.ranking.find((each) => each.host === host);
  if (first === undefined || rank === undefined) return null;
  const isChosen = first.selected?.host === host;
  const chosen = isChosen ? 'and is the best' : `but ${first.selected?.host ?? 'none'} is better`;
  return {
    passes: true,
    lines: [`${host} passes with weight ${rounded(rank.weight)} of ${first.ranked} ranked hosts, ${chosen}.`],
  };
}
