// `berth flavors`: registered flavors, and how many more instances of each fit.
import type { Schema } from '../../../client/src/routes.ts';
import { listed } from './listed';
import type { Action } from './printing';
import { pairsOf, printListing } from './printing';
import { amountText, readable } from './readable';

type Flavor = Schema<'Flavor'>;
type Fit = Schema<'CountedFlavor'>;

/** Without a figure if the service has not counted the flavor yet. */
export const showFlavors: Action = async (client, streams, printing) => {
  const { entries: flavors } = await listed<Flavor>(client, '/scheduler/flavors', { member: 'flavors' });
  const { entries: fits } = await listed<Fit>(client, '/reports/flavors', { member: 'flavors' });
  const fitOf = new Map(fits.map((fit) => [fit.id, fit]));
  const rows = flavors.map(({ extra_specs: specs, ...flavor }) => {
    const fit = fitOf.get(flavor.id);
    return {
      ...flavor,
      memory: amountText('MEMORY_MB', flavor.memory_mb),
      disk: amountText('DISK_GB', flavor.root_gb),
      fit: fit === undefined ? null : `${fit.at_least ? 'at least ' : ''}${fit.fit}`,
      hosts: fit?.hosts,
      bottleneck: readable(fit?.error ?? fit?.cause ?? fit?.binding[0]?.sentence ?? ''),
      extra_specs: pairsOf(specs),
    };
  });
  printListing(streams, printing, {
    document: flavors.map((flavor) => ({ ...flavor, fit: fitOf.get(flavor.id) ?? null })),
    columns: ['name', 'vcpus', 'memory', 'disk', 'fit', 'hosts', 'bottleneck'],
    wide: ['extra_specs', 'id'],
    rows,
    name: 'name',
    empty: 'No flavor is registered.',
  });
};
