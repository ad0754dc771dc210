// `berth changes`: what changed since a time, the newest first.
import type { Schema } from '../../../client/src/routes.ts';
import type { Action, Printing } from './printing';
import { printListing } from './printing';
import { ageText, amountText } from './readable';

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
