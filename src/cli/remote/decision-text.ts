// A decision in the words of a terminal: the hosts that were selected, the steps, and why the other hosts were not.
import type { Schema } from '../../../client/src/routes.ts';
import { renderTable } from '../table';
import { amountsText, readable } from './readable';

/** Groups of rejected hosts, and hosts of the ranking, that are printed. */
const GROUPS_SHOWN = 12;
const RANKED_SHOWN = 5;
const HOSTS_NAMED = 3;

/** One row per instance. */
export function selectionsText(selections: readonly Schema<'Selection'>[]): string {
  const rows = selections.map(({ instance_uuid: instance, selected, alternates }) => ({
    instance,
    host: selected?.host,
    zone: selected?.availability_zone,
    weight: selected?.weight.toFixed(2),
    takes: Object.values(selected?.allocation_request.allocations ?? {})
      .map(({ resources }) => amountsText(resources))
      .join(', '),
    alternates: alternates.map(({ host }) => host),
  }));
  return renderTable(['instance', 'host', 'zone', 'weight', 'takes', 'alternates'], rows);
}

/** The sentence, then the steps, the best hosts and the rejected hosts of one instance: the first, or the one refused. */
export function decisionText(decision: Schema<'Decision'>, sentence = decision.summary.sentence): string {
  const { summary, passes, outcome, passes_made: made } = decision;
  const selects = passes.filter(({ phase }) => phase === 'select');
  const pass = outcome === 'placed' ? selects[0] : selects.at(-1);
  const of = pass !== undefined && made > 1 ? ` of instance ${pass.index + 1}` : '';
  return [
    `${readable(sentence)}\n`,
    section(`Steps${of}`, stepsOf(decision, pass)),
    section(`Best hosts${of}`, rankingOf(pass)),
    section(`Rejected${of}`, rejectionsText(decision, pass)),
    section('What would help', (summary.fixes?.changes ?? []).map(({ text }) => `  ${readable(text)}\n`).join('')),
    warningsText(decision),
  ].join('');
}

/** Parts of the request that are not obeyed. */
export const warningsText = ({ request }: Pick<Schema<'Decision'>, 'request'>): string =>
  (request?.ignored ?? []).map(({ field, why }) => `\nWarning: ${field}: ${why}.\n`).join('');

const section = (title: string, text: string): string => (text === '' ? '' : `\n${title}:\n${text}`);

type Pass = Schema<'Decision'>['passes'][number] | undefined;

/** Hosts before and after each step. */
function stepsOf({ placement }: Schema<'Decision'>, pass: Pass): string {
  if (placement === null) return '';
  const { hosts, rejections, not_considered: beyond } = placement;
  const rejected = Object.values(rejections?.by_code ?? {}).reduce((sum, count) => sum + count, 0);
  const judged = rejections === null || beyond === null ? null : hosts + beyond + rejected;
  const rows = (pass?.stages ?? []).map(({ name, in: entering, out }) => ({ step: name, in: entering, out }));
  return renderTable(['step', 'in', 'out'], [{ step: 'Placement', in: judged, out: hosts }, ...rows]);
}

function rankingOf(pass: Pass): string {
  if (pass === undefined || pass.ranking.length === 0) return '';
  const rows = pass.ranking.slice(0, RANKED_SHOWN).map(({ host, weight }) => ({ host, weight: weight.toFixed(2) }));
  return renderTable(['host', 'weight'], rows);
}

export type Rejection = Pick<Schema<'HostRejection'>, 'host' | 'code' | 'message'>;

/** The largest group first. Counts are exact; the document lists the first hosts of a group only. */
function rejectionsText({ placement }: Schema<'Decision'>, pass: Pass): string {
  const steps = [
    { step: 'Placement', rejections: placement?.rejections ?? null },
    ...(pass?.stages ?? []).map(({ name, rejections }) => ({ step: name, rejections })),
  ];
  const rows = steps.flatMap(({ step, rejections }) =>
    Object.entries(rejections?.by_code ?? {}).map(([code, hosts]) => {
      const listed = (rejections?.hosts ?? []).filter((rejection) => rejection.code === code);
      return { hosts, by: `${step}.${code}`, because: becauseOf(listed, hosts), as: namesOf(listed, hosts) };
    }),
  );
  rows.sort((one, other) => other.hosts - one.hosts);
  return rows.length === 0 ? '' : renderTable(['hosts', 'by', 'because', 'as'], rows.slice(0, GROUPS_SHOWN));
}

function becauseOf([first, ...others]: readonly Rejection[], hosts: number): string {
  if (first === undefined) return '';
  const isOfAll = others.length + 1 === hosts && others.every(({ message }) => message === first.message);
  return `${readable(first.message)}${isOfAll ? '' : ', or similar'}`;
}

function namesOf(listed: readonly Rejection[], hosts: number): string {
  const names = listed.slice(0, HOSTS_NAMED).map(({ host }) => host);
  return hosts > names.length && names.length > 0 ? `${names.join(', ')}, …` : names.join(', ');
}
