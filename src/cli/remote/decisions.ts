// `berth decisions [ID]`: recorded decisions, the newest first, or one of them with its reasons. `berth changes`: what
// changed since a time.
import type { Schema } from '../../../client/src/routes.ts';
import { decisionText } from './decision-text';
import { listed } from './listed';
import type { Action, Printing } from './printing';
import { printDocument, printListing } from './printing';
import { ageText, amountText, readable } from './readable';

interface DecisionChoice extends Printing {
  readonly host?: string;
  readonly instance?: string;
  readonly outcome?: string;
  readonly project?: string;
  readonly since?: string;
  readonly limit: number;
}

type RecordedDecision = Schema<'KeptDecision'>;

/** Characters of a reason in a table; `wide` shows all. */
const REASON_SHOWN = 100;

export const showDecisions: Action<DecisionChoice> = async (client, streams, options, [id]) => {
  if (id !== undefined) {
    const decision = await client.get<Schema<'Decision'>>(`/scheduler/decisions/${encodeURIComponent(id)}`);
    return printDocument(streams, options, decision, { text: () => decisionText(decision), names: [id] });
  }
  const { host, instance, outcome, project, since, limit, output } = options;
  const query = { host, instance, outcome, project_id: project, since };
  const { entries, isCut } = await listed<RecordedDecision>(client, '/scheduler/decisions', {
    member: 'decisions',
    query,
    most: limit,
  });
  const rows = entries.map((decision) => ({
    ...decision,
    made: ageText(decision.at),
    instances: decision.num_instances,
    reason: decision.outcome === 'placed' ? '' : reasonOf(readable(decision.sentence), output === 'wide'),
    id: decision.request_id,
    project: decision.project_id,
    ms: decision.duration_ms,
  }));
  printListing(streams, options, {
    document: entries,
    columns: ['made', 'outcome', 'flavor', 'instances', 'hosts', 'reason', 'id'],
    wide: ['at', 'project', 'ms'],
    rows,
    name: 'id',
    empty: 'No decision matches.',
    more: isCut && `--limit N shows more than ${limit}`,
  });
};

const reasonOf = (sentence: string, isWhole: boolean): string =>
  isWhole || sentence.length <= REASON_SHOWN ? sentence : `${sentence.slice(0, REASON_SHOWN - 1)}…`;

export const showChanges: Action<Printing & { readonly since?: string; readonly limit: number }> = async (
  client,
  streams,
  options,
) => {
  const { since, limit } = options;
  const timeline = await client.get<Schema<'Timeline'>>('/reports/timeline', { since, limit: String(limit) });
  const rows = timeline.entries.map((entry) => {
    const [, resourceClass] = /^use of (\S+)$/.exec(entry.fact) ?? [];
    const shown = (text: string | null): string | null | undefined =>
      resourceClass ? text?.replaceAll(/\d+/g, (amount) => amountText(resourceClass, Number(amount))) : text;
    return { ...entry, when: ageText(entry.at), was: shown(entry.was), became: shown(entry.became) };
  });
  printListing(streams, options, {
    document: timeline,
    columns: ['when', 'changes', 'hosts', 'fact', 'was', 'became'],
    wide: ['at', 'first_at', 'decision'],
    rows,
    name: 'fact',
    empty: `Nothing changed since ${timeline.since}.`,
  });
  if (timeline.left_out > 0) streams.stderr(`… and ${timeline.left_out} more changes; --limit N shows more entries\n`);
};
