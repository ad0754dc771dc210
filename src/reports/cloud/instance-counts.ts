// The number of instances on each host. A reported host has the instances of its last report, corrected by placements
// and releases since. For other roots the database counts consumers, only for trees that changed since the last count.
import { Injectable } from '@nestjs/common';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { Tree } from '../../placement/candidate-search';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { DirectoryEntry } from '../../scheduling-rules/host-state/host-directory';

/** A root with more rows than this is counted again at most once per RARE_COUNT_MS, even if it changes. */
const ROWS_COUNTED_OFTEN = 10_000;
const RARE_COUNT_MS = 60_000;

interface Counted {
  readonly tree: Tree;
  readonly consumers: number;
  readonly rows: number;
  readonly atMs: number;
}

@Injectable()
export class InstanceCounts {
  /** By the id of the root. */
  private readonly counted = new Map<number, Counted>();

  constructor(private readonly allocations: AllocationsService) {}

  /** Counts the consumers that `of` needs for these hosts. `roots`: the number of roots in the cloud. */
  async read(hosts: readonly CloudHost[], cloud: { readonly atMs: number; readonly roots: number }): Promise<void> {
    // Clear before counting, because `of` needs the counts of this call.
    if (this.counted.size > 2 * cloud.roots) this.counted.clear();
    const unread = hosts.filter((host) => host.known.reported === null && !this.isKnown(host.tree, cloud.atMs));
    if (unread.length === 0) return;
    const used = unread.filter(({ tree }) => tree.providers.some(isUsed));
    const found =
      used.length === 0
        ? new Map<number, never>()
        : await this.allocations.countConsumersOfTrees(used.map(({ tree }) => tree.root.id));
    for (const { tree } of unread) {
      const { consumers, rows } = found.get(tree.root.id) ?? { consumers: 0, rows: 0 };
      this.counted.set(tree.root.id, { tree, consumers, rows, atMs: cloud.atMs });
    }
  }

  of({ tree, known }: CloudHost): number {
    return known.reported === null
      ? (this.counted.get(tree.root.id)?.consumers ?? 0)
      : reportedInstances(known.reported);
  }

  /** A large pool is not counted again after each change. */
  private isKnown(tree: Tree, nowMs: number): boolean {
    const known = this.counted.get(tree.root.id);
    if (known === undefined) return false;
    if (known.tree === tree) return true;
    return known.rows > ROWS_COUNTED_OFTEN && nowMs - known.atMs < RARE_COUNT_MS;
  }
}

const isUsed = ({ inventories }: Tree['root']): boolean => inventories.some(({ used }) => used > 0);

/** The instances of the report, plus pending ones that it does not list, minus released ones that it still lists. */
function reportedInstances({ host, service }: DirectoryEntry): number {
  const { instances } = host.report;
  // Fast path: most services have neither, and this runs for every host.
  if (service.pending.length + service.released.length === 0) return instances.length;
  const isHere = ({ node }: { readonly node: string }): boolean => node === host.node;
  const [pending, released] = [service.pending.filter(isHere), service.released.filter(isHere)];
  if (pending.length + released.length === 0) return instances.length;
  const uuids = new Set(instances.map(({ uuid }) => uuid));
  for (const { uuid } of released) uuids.delete(uuid);
  for (const { uuid } of pending) uuids.add(uuid);
  return uuids.size;
}
