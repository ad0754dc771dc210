// How many more instances of a flavor fit: by the sums over the hosts' trees, and where it matters by the scheduler.
import type { Draft } from './draft';

/** The most instances that one host is asked for. */
const MOST_ON_A_HOST = 64;

export class Places {
  readonly need: readonly number[];
  /** The flavor in sentences. */
  readonly label: string;
  /** Added instances of the flavor, without a claim. */
  readonly added: readonly number[];
  /** Hosts that have room by their sums at the start and are not accepted, for another rule. */
  private readonly unsuited: ReadonlySet<number>;
  private readonly known = new Map<number, { readonly version: number; readonly places: number }>();

  private constructor(
    readonly draft: Draft,
    flavor: object | string,
    first: number,
    accepted: ReadonlySet<number>,
    /** Whether the scheduler judges every place; otherwise the sums do, on hosts that it accepts. */
    readonly isJudged: boolean,
  ) {
    const { cloud } = draft;
    this.need = draft.amountsOf(first);
    const name = typeof flavor === 'string' ? flavor : (flavor as { readonly name?: string }).name;
    this.label = name === undefined ? 'the flavor' : `flavor ${name}`;
    const unused = new Float64Array(cloud.used.length);
    const most = cloud.hosts.reduce((count, _, host) => Math.max(count, this.countBySums(host, [], unused)), 1);
    this.added = [first, ...cloud.add(flavor, Math.min(most, MOST_ON_A_HOST) - 1)];
    const others = [...cloud.hosts.keys()].filter((host) => !accepted.has(host));
    this.unsuited = new Set(others.filter((host) => this.countBySums(host) > 0));
  }

  static async of(draft: Draft, flavor: object | string, isJudged: boolean): Promise<Places> {
    const [first] = draft.cloud.add(flavor, 1) as [number];
    const { hosts } = await draft.cloud.targets(first);
    return new Places(draft, flavor, first, new Set(hosts), isJudged);
  }

  isSuited(host: number): boolean {
    return !this.unsuited.has(host);
  }

  /** How many fit by the sums, if the host ran `more` as well. */
  countBySums(host: number, more: readonly number[] = [], used = this.draft.cloud.used): number {
    const { capacity } = this.draft.cloud;
    let count = Infinity;
    this.need.forEach((amount, column) => {
      const at = host * this.need.length + column;
      // Without any capacity in its tree, a shared provider can have it.
      if (amount === 0 || capacity[at] === 0) return;
      const free = (capacity[at] as number) - (used[at] as number) - (more[column] ?? 0);
      count = Math.min(count, Math.floor(free / amount));
    });
    return count === Infinity ? 0 : Math.max(0, count);
  }

  async countOn(host: number): Promise<number> {
    const count = this.isSuited(host) ? this.countBySums(host) : 0;
    if (!this.isJudged || count === 0) return count;
    const version = this.draft.versions[host] as number;
    const known = this.known.get(host);
    if (known?.version === version) return known.places;
    const places = await this.judge(host, count);
    this.known.set(host, { version, places });
    return places;
  }

  /** By the scheduler, at most `most`. */
  async judge(host: number, most: number): Promise<number> {
    const { cloud } = this.draft;
    const mark = cloud.mark();
    let count = 0;
    for (const each of this.added.slice(0, most)) {
      if (!(await cloud.claim(each, host))) break;
      count += 1;
    }
    cloud.rollback(mark);
    return count;
  }

  async total(most = Infinity): Promise<number> {
    let sum = 0;
    for (let host = 0; host < this.draft.cloud.hosts.length && sum < most; host += 1) sum += await this.countOn(host);
    return Math.min(sum, most);
  }

  /** Of all hosts, for figures: no host is asked if there are many. */
  async figure(isExact: boolean): Promise<number> {
    if (isExact) return this.total();
    return this.draft.cloud.hosts.reduce((sum, _, host) => sum + (this.isSuited(host) ? this.countBySums(host) : 0), 0);
  }
}
