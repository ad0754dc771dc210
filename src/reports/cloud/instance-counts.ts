// The number of instances on each host: those of its state, if its report lists instances. For other roots the database
// counts consumers, only for trees that changed since the last count.
import { Injectable } from '@nestjs/common';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { Tree } from '../../placement/candidate-search';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { instancesOn } from '../../scheduling-rules/host-state/build-host-state';

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
    const unread = hosts.filter((host) => !listsInstances(host) && !this.isKnown(host.tree, cloud.atMs));
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

  of(host: CloudHost): number {
    return listsInstances(host) ? listedInstances(host) : (this.counted.get(host.tree.root.id)?.consumers ?? 0);
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

type ListingHost = CloudHost & { readonly known: { readonly reported: NonNullable<CloudHost['known']['reported']> } };

function listsInstances(host: CloudHost): host is ListingHost {
  const instances = host.known.reported?.host.report.instances ?? null;
  return instances !== null;
}

function listedInstances({ known: { reported } }: ListingHost): number {
  const { host, service } = reported;
  const isHere = ({ node }: { readonly node: string }): boolean => node === host.node;
  const [placed, released] = [service.pending.filter(isHere), service.released.filter(isHere)];
  // Fast path: most hosts have neither, and this runs for every host.
  if (placed.length + released.length === 0) return host.report.instances?.length ?? 0;
  return instancesOn(host.report, placed, released).size;
}
