// One pass of an import: makes Berth equal to one snapshot of the reference. The same code fills an empty database,
// resumes, merges, replaces and follows: it compares each piece and writes only the differences.
import type { ReferenceProviderRow } from '../reference/reader';
import { cleanUpProviders } from './clean-up-providers';
import { importConsumers } from './consumers';
import type { ImportContext } from './import-context';
import { importNames, removeStaleNames } from './names';
import { importDetails, removeInventories } from './provider-details';
import { importProviders, removeProviders } from './providers';
import type { Verification } from './verify-import';
import { verifyImport } from './verify-import';

/** Writes in the order of dependencies: names, providers, their details, consumers. Deletes in reverse order. */
export function importPass(context: ImportContext): Promise<void> {
  return context.reader.connection.snapshot(() => onePass(context));
}

/** Runs a pass, then compares counts and sums in the same snapshot of the reference. */
export function verifiedPass(context: ImportContext): Promise<Verification> {
  return context.reader.connection.snapshot(async () => {
    await onePass(context);
    return verifyImport(context);
  });
}

async function onePass(context: ImportContext): Promise<void> {
  const { reader, findings, progress, mode } = context;
  const counts = await reader.counts();
  const rows: ReferenceProviderRow[] = [];
  for await (const page of reader.providers()) rows.push(...page);
  const forest = cleanUpProviders(rows, findings);
  const names = await importNames(context);
  const providers = await importProviders(context, forest);
  const detailRows = counts.inventories + counts.resource_provider_traits + counts.resource_provider_aggregates;
  const stale = await importDetails(context, providers.ids, names, detailRows);
  await importConsumers(context, providers.ids, names, counts.allocations);
  if (mode === 'mirror') {
    await removeInventories(context, stale);
    await removeProviders(context, providers.stale);
    await removeStaleNames(context, names);
  }
  progress.end();
}
