// All roots as they were looked at last, and what has to be known to look at few of them the next time. Pure.
import type { CloudHost } from './cloud-host';

/** A host with when it was looked at, and how long that holds if nothing of it changes. */
export interface SeenRoot {
  readonly host: CloudHost;
  readonly atMs: number;
  readonly untilMs: number;
}

export interface SeenRoots {
  /** In the order of the ids; `hosts` are theirs. */
  readonly roots: readonly SeenRoot[];
  readonly hosts: readonly CloudHost[];
  /** What is said of all of them but those in `passing` holds until then, if nothing changes. */
  readonly untilMs: number;
  /** Ids of roots of which something is said that holds for the moment at which they were looked at. */
  readonly passing: ReadonlySet<number>;
  /**
   * Roots that nobody reported, by name: a service of that name speaks of them. There may be some that are gone, or have
   * another name by now; it goes over to what is made of this.
   */
  readonly unreported: Map<string, number>;
}

export class RootsInMaking {
  private readonly roots: SeenRoot[];
  private readonly hosts: CloudHost[];
  private readonly passing: Set<number>;
  private readonly unreported: Map<string, number>;
  private untilMs: number;

  /** From none, or from all that were seen before. */
  constructor(before?: SeenRoots) {
    this.roots = [...(before?.roots ?? [])];
    this.hosts = [...(before?.hosts ?? [])];
    this.passing = new Set(before?.passing);
    this.unreported = before?.unreported ?? new Map<string, number>();
    this.untilMs = before?.untilMs ?? Number.POSITIVE_INFINITY;
  }

  /** Its id is higher than all others. */
  add(root: SeenRoot): void {
    this.roots.push(root);
    this.hosts.push(root.host);
    this.mark(root);
  }

  find(id: number): SeenRoot | undefined {
    const root = this.roots[this.placeOf(id)];
    return root?.host.tree.root.id === id ? root : undefined;
  }

  replace(root: SeenRoot): void {
    const { id } = root.host.tree.root;
    const at = this.placeOf(id);
    const isKnown = this.roots[at]?.host.tree.root.id === id;
    this.roots.splice(at, isKnown ? 1 : 0, root);
    this.hosts.splice(at, isKnown ? 1 : 0, root.host);
    this.mark(root);
  }

  remove(id: number): void {
    if (this.find(id) === undefined) return;
    const at = this.placeOf(id);
    this.roots.splice(at, 1);
    this.hosts.splice(at, 1);
    this.passing.delete(id);
  }

  done(): SeenRoots {
    const { roots, hosts, untilMs, passing, unreported } = this;
    return { roots, hosts, untilMs, passing, unreported };
  }

  private mark({ host, atMs, untilMs }: SeenRoot): void {
    const { id, name } = host.tree.root;
    if (untilMs <= atMs) this.passing.add(id);
    else {
      this.passing.delete(id);
      this.untilMs = Math.min(this.untilMs, untilMs);
    }
    if (host.known.reported === null) this.unreported.set(name, id);
  }

  /** Where the root with this id stands, or would stand. */
  private placeOf(id: number): number {
    let [from, to] = [0, this.roots.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.roots[middle]?.host.tree.root.id ?? id) < id) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
