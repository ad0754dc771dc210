// A decision as a funnel: the number of hosts after each stage, and the reasons for the rejected hosts.
import { countOf } from '../../shown/amount';
import { groupBy } from '../../shown/count-by';
import type { Decision, HostRef, Pass, PlacementRecord, Stage } from './decision-document';

/** Hosts rejected with one code. The count is exact; the sentences cover only the listed hosts. */
export interface FallenGroup {
  readonly code: string;
  readonly count: number;
  readonly sentences: readonly { readonly message: string; readonly hosts: readonly HostRef[] }[];
  /** The number of rejected hosts that the document does not list. */
  readonly unlisted: number;
}

export interface DecisionStage {
  readonly key: string;
  readonly name: string;
  readonly before?: number;
  readonly left: number;
  readonly note?: string;
  readonly fallen: readonly FallenGroup[];
  /** Consecutive filters without rejections, shown as one line. */
  readonly folded?: readonly { readonly name: string; readonly left: number; readonly skipped: boolean }[];
}

/** At least this many consecutive filters without rejections are shown as one line. */
const FOLDED_FROM = 3;

/** The stages of one pass, preceded by those of Placement: every pass starts with the hosts that Placement returned. */
export function stagesOf(decision: Decision, pass: Pass | undefined): readonly DecisionStage[] {
  return [
    ...(decision.placement === null ? [] : placementStages(decision.placement)),
    ...(pass === undefined
      ? []
      : [...carriedStages(decision, pass), ...filterStages(pass.stages), ...lastStages(pass)]),
  ];
}

function placementStages(placement: PlacementRecord): readonly DecisionStage[] {
  const { hosts, candidates, rejections } = placement;
  const note = candidates === hosts ? {} : { note: `${countOf(candidates, 'candidate')} on ${countOf(hosts, 'host')}` };
  const stage: DecisionStage = {
    key: 'placement',
    name: 'Placement',
    left: hosts,
    fallen: [],
    ...note,
  };
  if (rejections === null) return [stage];
  const fallen = fallenOf(rejections);
  const before = hosts + (placement.not_considered ?? 0) + totalOf(rejections.by_code);
  return [
    { key: 'trees', name: 'Provider trees', left: before, note: 'judged by Placement', fallen: [] },
    { ...stage, before, fallen },
  ];
}

/** A later instance of a batch starts with the hosts that the earlier ones left. */
function carriedStages({ placement }: Decision, { index, phase, stages }: Pass): readonly DecisionStage[] {
  const left = stages[0]?.in;
  const isLater = index > 0 || phase === 'alternates';
  if (!isLater || placement === null || left === undefined || left >= placement.hosts) return [];
  const note = 'hosts that fell out for them are not asked again';
  const name = 'After the instances before';
  return [{ key: 'carried', name, before: placement.hosts, left, note, fallen: [] }];
}

function filterStages(stages: readonly Stage[]): readonly DecisionStage[] {
  const shown: DecisionStage[] = [];
  let run: Stage[] = [];
  const endRun = (): void => {
    shown.push(...(run.length < FOLDED_FROM ? run.map(filterStage) : [foldedStage(run)]));
    run = [];
  };
  for (const stage of stages) {
    if (stage.in === stage.out) {
      run.push(stage);
      continue;
    }
    endRun();
    shown.push(filterStage(stage));
  }
  endRun();
  return shown;
}

const filterStage = (stage: Stage): DecisionStage => ({
  key: stage.name,
  name: stageName(stage),
  before: stage.in,
  left: stage.out,
  ...(stage.skipped && { note: 'not asked: the request gives it nothing to judge' }),
  fallen: fallenOf(stage.rejections),
});

function foldedStage(run: readonly Stage[]): DecisionStage {
  const folded = run.map((stage) => ({ name: stageName(stage), left: stage.out, skipped: stage.skipped }));
  return {
    key: `passed-${run[0]?.name ?? ''}`,
    name: `${run.length} stages that rejected no host`,
    before: run[0]?.in ?? 0,
    left: run.at(-1)?.out ?? 0,
    note: folded.map(({ name }) => name).join(', '),
    fallen: [],
    folded,
  };
}

/** The stage that left no host and so caused the refusal. */
export const emptiedBy = (stages: readonly DecisionStage[]): string | undefined =>
  stages.find(({ left, before = 0 }) => left === 0 && before > 0)?.key;

/** Preselection has no class name. */
export const stageName = ({ kind, name }: Pick<Stage, 'kind' | 'name'>): string =>
  kind === 'preselection' ? 'Preselection' : name;

function lastStages(pass: Pass): readonly DecisionStage[] {
  if (pass.ranked === 0) return [];
  const [first] = pass.ranking;
  const weighed: DecisionStage = {
    key: 'weighed',
    name: 'Weighed',
    left: pass.ranked,
    ...(first !== undefined && { note: `${first.host} first with ${weightText(first.weight)}` }),
    fallen: [],
  };
  return pass.phase === 'alternates' ? [weighed] : [weighed, claimedStage(pass)];
}

function claimedStage(pass: Pass): DecisionStage {
  const { claimed = 0, ...lost } = pass.claims_tried;
  const failed = totalOf(lost);
  const wasClaimed = claimed + failed > 0;
  const host = pass.selected === null ? 'none' : pass.selected.host;
  return {
    key: 'claimed',
    name: wasClaimed ? 'Claimed' : 'Chosen',
    left: pass.selected === null ? 0 : 1,
    note: failed === 0 ? host : `${host}, after ${countOf(failed, 'claim')} lost`,
    fallen: [],
  };
}

interface Rejections {
  readonly by_code: Readonly<Record<string, number>>;
  readonly hosts: readonly (HostRef & { readonly code: string; readonly message: string })[];
}

/** Sorted by the number of hosts, largest first: the codes, and the sentences of one code. */
export function fallenOf({ by_code: counts, hosts }: Rejections): readonly FallenGroup[] {
  const listed = groupBy(hosts, ({ code }) => code);
  return Object.entries(counts)
    .map(([code, count]) => {
      const ofCode = listed.get(code) ?? [];
      const sentences = [...groupBy(ofCode, ({ message }) => message)]
        .map(([message, fallen]) => ({ message, hosts: fallen }))
        .sort((a, b) => b.hosts.length - a.hosts.length);
      return { code, count, sentences, unlisted: Math.max(0, count - ofCode.length) };
    })
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code));
}

const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const weight = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

export const weightText = (value: number): string => weight.format(value);
