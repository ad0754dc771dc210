// `berth changes`: what changed since a time, the newest first.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandStreams } from '../command-context';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

export async function showChanges(
  client: ServiceClient,
  streams: CommandStreams,
  { since, limit, output }: Printing & { readonly since?: string; readonly limit: number },
): Promise<void> {
  const timeline = await client.get<Schema<'Timeline'>>('/reports/timeline', { since, limit: String(limit) });
  const columns = ['at', 'changes', 'hosts', 'fact', 'was', 'became'];
  const empty = `Nothing changed since ${timeline.since}.`;
  const { entries: rows, left_out: leftOut } = timeline;
  printListing(
    streams,
    { output },
    { document: timeline, columns, wide: ['first_at', 'decision'], rows, name: 'fact', empty },
  );
  if (leftOut > 0) streams.stderr(`… and ${leftOut} more changes; --limit N shows more entries\n`);
}
