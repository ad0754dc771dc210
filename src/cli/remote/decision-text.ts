// A decision in the words of a terminal: the hosts that were selected, the steps, and why the other hosts were not.
import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';
import { renderTable } from '../table';

export interface Selection {
  readonly instance_uuid: string;
  readonly selected: {
    readonly host: string;
    readonly availability_zone: string;
    readonly weight: number;
    readonly allocation_request: {
      readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
    };
  };
  readonly alternates: readonly { readonly host: string }[];
}

/** Groups of rejected hosts, and hosts of the ranking, that are printed. */
const GROUPS_SHOWN = 12;
const RANKED_SHOWN = 5;
const HOSTS_NAMED = 3;

/** One row per instance. */
export function selectionsText(selections: readonly Selection[]): string {
  const rows = selections.map(({ instance_uuid: instance, selected, alternates }) => ({
    instance,
    host: selected.host,
    zone: selected.availability_zone,
    weight: selected.weight.toFixed(2),
    takes: Object.values(selected.allocation_request.allocations).flatMap(({ resources }) =>
      Object.entries(resources).map(([name, amount]) => `${name}=${amount}`),
    ),
    alternates: alternates.map(({ host }) => host),
  }));
  return renderTable(['instance', 'host', 'zone', 'weight', 'takes', 'alternates'], rows);
}

/** The sentence, the steps of the first instance, the best hosts, and the rejected hosts by reason. */
export function decisionText(decision: DecisionDocument, sentence = decision.summary.sentence): string {
  const { passes } = decision;
  return [
    `${sentence}\n`,
    section('Steps', stepsOf(decision)),
    section('Best hosts', rankingOf(passes[0])),
    section('Rejected', rejectionsText(decision)),
  ].join('');
}

const section = (title: string, text: string): string => (text === '' ? '' : `\n${title}:\n${text}`);

type Pass = DecisionDocument['passes'][number] | undefined;

function stepsOf({ placement, passes }: DecisionDocument): string {
  const rows = (passes[0]?.stages ?? []).map(({ name, in: entering, out }) => ({ step: name, in: entering, out }));
  if (placement === null) return '';
  return renderTable(['step', 'in', 'out'], [{ step: 'Placement', in: null, out: placement.candidates }, ...rows]);
}

function rankingOf(pass: Pass): string {
  if (pass === undefined || pass.ranking.length === 0) return '';
  const rows = pass.ranking.slice(0, RANKED_SHOWN).map(({ host, weight }) => ({ host, weight: weight.toFixed(2) }));
  return renderTable(['host', 'weight'], rows);
}

interface Rejection {
  readonly host: string;
  readonly code: string;
  readonly message: string;
}

/** The largest group first. Hosts with the same code are a group, with the message of the first of them. */
function rejectionsText({ placement, passes }: DecisionDocument): string {
  const groups = new Map<string, Rejection[]>();
  const add = (step: string, rejections: readonly Rejection[]): void => {
    for (const rejection of rejections) {
      const key = `${step}.${rejection.code}`;
      groups.set(key, [...(groups.get(key) ?? []), rejection]);
    }
  };
  add('Placement', placement?.rejections?.hosts ?? []);
  for (const { name, rejections } of passes[0]?.stages ?? []) add(name, rejections.hosts);
  const rows = [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, GROUPS_SHOWN)
    .map(([by, group]) => ({ hosts: group.length, by, because: becauseOf(group), as: namesOf(group) }));
  return rows.length === 0 ? '' : renderTable(['hosts', 'by', 'because', 'as'], rows);
}

function becauseOf(group: readonly Rejection[]): string {
  const messages = new Set(group.map(({ message }) => message));
  return `${group[0]?.message ?? ''}${messages.size > 1 ? ', or similar' : ''}`;
}

function namesOf(group: readonly Rejection[]): string {
  const names = group.slice(0, HOSTS_NAMED).map(({ host }) => host);
  return group.length > names.length ? `${names.join(', ')}, …` : names.join(', ');
}
