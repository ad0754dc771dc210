// `berth flavors`: registered flavors, and how many more instances of each fit.
import type { CommandStreams } from '../command-context';
import { listed } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  readonly memory_mb: number;
  readonly root_gb: number;
  readonly extra_specs: Readonly<Record<string, string>>;
}

interface Fit {
  readonly id: string;
  readonly fit: number;
  readonly at_least: boolean;
  readonly hosts: number;
  readonly cause: string | null;
  readonly binding: readonly { readonly sentence: string }[];
  readonly error: string | null;
}

/** Without a figure if the service has not counted the flavor yet. */
export async function showFlavors(client: ServiceClient, streams: CommandStreams, printing: Printing): Promise<void> {
  const { entries: flavors } = await listed<Flavor>(client, '/scheduler/flavors', { member: 'flavors' });
  const { entries: fits } = await listed<Fit>(client, '/reports/flavors', { member: 'flavors' });
  const fitOf = new Map(fits.map((fit) => [fit.id, fit]));
  const rows = flavors.map(({ id, name, vcpus, memory_mb: memoryMb, root_gb: rootGb, extra_specs: specs }) => {
    const fit = fitOf.get(id);
    return {
      name,
      vcpus,
      memory_mb: memoryMb,
      disk_gb: rootGb,
      fit: fit === undefined ? null : `${fit.at_least ? 'at least ' : ''}${fit.fit}`,
      hosts: fit?.hosts,
      bottleneck: fit?.error ?? fit?.cause ?? fit?.binding[0]?.sentence,
      extra_specs: Object.entries(specs).map(([key, value]) => `${key}=${value}`),
      id,
    };
  });
  printListing(streams, printing, {
    document: flavors.map((flavor) => ({ ...flavor, fit: fitOf.get(flavor.id) ?? null })),
    columns: ['name', 'vcpus', 'memory_mb', 'disk_gb', 'fit', 'hosts', 'bottleneck'],
    wide: ['extra_specs', 'id'],
    rows,
    name: 'name',
    empty: 'No flavor is registered.',
  });
}
