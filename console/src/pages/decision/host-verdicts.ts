// "Why not cn0042?": all statements of a decision about one host, in the order of the pipeline.
import { countOf } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import type { Decision, Pass } from './decision-document';
import { stageName, weightText } from './decision-stages';

export interface HostVerdict {
  readonly kind: 'rejected' | 'noted' | 'ranked' | 'claim' | 'selected' | 'alternate';
  /** The stage that made the statement. */
  readonly by: string;
  readonly code?: string;
  readonly message: string;
}

/** Compares names without regard to case. Empty if the document does not list the host. */
export function verdictsOn(decision: Decision, pass: Pass | undefined, name: string): readonly HostVerdict[] {
  const isIt = matcher(name);
  const verdicts = [
    ...(decision.placement?.rejections?.hosts ?? [])
      .filter(isIt)
      .map(({ code, message }): HostVerdict => ({ kind: 'rejected', by: 'Placement', code, message })),
    ...(pass === undefined ? [] : passVerdicts(pass, isIt)),
  ];
  return verdicts.length > 0 || pass === undefined ? verdicts : verdictsBefore(decision, pass, isIt);
}

/** A host rejected for an earlier instance is not checked again for later ones. */
function verdictsBefore({ passes }: Decision, pass: Pass, isIt: IsIt): readonly HostVerdict[] {
  const before = passes.slice(0, Math.max(0, passes.indexOf(pass))).reverse();
  for (const earlier of before) {
    const verdicts = passVerdicts(earlier, isIt).filter(({ kind }) => kind === 'rejected');
    if (verdicts.length > 0)
      return verdicts.map((each) => ({ ...each, by: `${each.by}, for instance ${earlier.index + 1}` }));
  }
  return [];
}

type IsIt = (it: { readonly host: string; readonly node?: string; readonly uuid?: string }) => boolean;

function matcher(name: string): IsIt {
  const wanted = name.trim().toLowerCase();
  return ({ host, node, uuid }) =>
    host.toLowerCase() === wanted || node?.toLowerCase() === wanted || uuid?.toLowerCase() === wanted;
}

function passVerdicts(pass: Pass, isIt: IsIt): readonly HostVerdict[] {
  const place = pass.ranking.findIndex(isIt);
  const weight = pass.ranking[place]?.weight;
  const stages = pass.stages.flatMap((stage) =>
    [...stage.rejections.hosts, ...(stage.also_rejects?.hosts ?? [])]
      .filter(isIt)
      .map(({ code, message }): HostVerdict => ({ kind: 'rejected', by: stageName(stage), code, message })),
  );
  return [
    ...stages,
    ...pass.passed_because
      .filter(isIt)
      .map(({ filter, code, message }): HostVerdict => ({ kind: 'noted', by: filter, code, message })),
    ...(weight === undefined ? [] : [rankedVerdict(pass, place, weight)]),
    ...pass.claims
      .filter((claim) => isIt(claim) && claim.outcome !== 'claimed')
      .map(({ outcome, message, attempts }): HostVerdict => ({
        kind: 'claim',
        by: 'Claim',
        code: outcome,
        message: message ?? `The claim was tried ${attempts === 1 ? 'once' : `${attempts} times`} and lost.`,
      })),
    ...(pass.selected !== null && isIt(pass.selected)
      ? [{ kind: 'selected', by: 'Selected', message: 'The instance went there.' } satisfies HostVerdict]
      : []),
    ...(pass.alternates.some(isIt)
      ? [{ kind: 'alternate', by: 'Alternate', message: 'It is next when the build fails.' } satisfies HostVerdict]
      : []),
  ];
}

function rankedVerdict({ ranked, ranking }: Pass, place: number, weight: number): HostVerdict {
  const best = ranking[0]?.weight ?? weight;
  const comparison =
    place === 0 ? '' : weight === best ? ', as much as the first' : `; the first has ${weightText(best)}`;
  return {
    kind: 'ranked',
    by: 'Weighed',
    message: `It passed every filter and is number ${place + 1} of ${countOf(ranked, 'host')} with ${weightText(weight)}${comparison}.`,
  };
}

/** Every host that the document names, for completion; at most `most`. */
export function hostsNamed(decision: Decision, pass: Pass | undefined, most = 500): readonly string[] {
  const names = new Set<string>();
  const add = (hosts: readonly { readonly host: string }[]): void => {
    for (const { host } of hosts) if (names.size < most) names.add(host);
  };
  if (pass !== undefined) {
    add(pass.ranking);
    for (const stage of pass.stages) add(stage.rejections.hosts);
  }
  add(decision.placement?.rejections?.hosts ?? []);
  return [...names].sort(byName);
}
