// The fewest moves on a small cloud: iterative deepening over states, in which equal instances are interchangeable. An
// answer of the scheduler about a host holds for every state in which the host has the same content.
import type { Draft } from './draft';
import type { Places } from './places';
import type { DraftMove } from './plan';

/** States that one search visits, and questions that it asks; reaching either ends the search without a proof. */
const MOST_STATES = 60_000;
const MOST_QUESTIONS = 4_000;
const STATES_PER_PAUSE = 64;

type Step = Pick<DraftMove, 'instance' | 'target'>;

/** The state that a search is in, and the moves that led to it. */
export class ExactStates {
  readonly path: Step[] = [];
  questions = 0;
  readonly used: Float64Array;
  private readonly movable: readonly number[];
  private readonly hostOf = new Map<number, number>();
  /** Texts by host: in states with the same text, it has the same kinds of instances. */
  readonly contents: string[];
  private readonly answers = new Map<string, boolean>();
  private readonly places = new Map<string, number>();

  constructor(readonly draft: Draft) {
    const { cloud } = draft;
    const hosts = [...cloud.hosts.keys()];
    this.used = cloud.used.slice();
    this.movable = hosts.flatMap((host) => draft.movableOn(host));
    for (const each of this.movable) this.hostOf.set(each, cloud.hostOf(each) as number);
    this.contents = hosts.map((host) => this.contentOf(host));
  }

  movableOn(host: number): readonly number[] {
    return this.movable.filter((each) => this.hostOf.get(each) === host);
  }

  /** One of each kind of instance by host, with the hosts that can take it. */
  async steps(): Promise<Step[]> {
    const seen = new Set<string>();
    const found: Step[] = [];
    for (const instance of this.movable) {
      const source = this.hostOf.get(instance) as number;
      const kind = this.kindOf(instance);
      if (seen.has(`${kind} ${source}`)) continue;
      seen.add(`${kind} ${source}`);
      for (const target of this.contents.keys()) {
        if (target === source || !this.draft.isTarget(target)) continue;
        const question = `${kind} ${this.contents[target]}`;
        let fits = this.answers.get(question);
        if (fits === undefined) {
          await this.ask();
          fits = await this.draft.cloud.fits(instance, target);
          this.answers.set(question, fits);
        }
        if (fits) found.push({ instance, target });
      }
    }
    return found;
  }

  /** How many more of the flavor the hosts take; the count ends at `most`. */
  async countPlaces(places: Places, most: number): Promise<number> {
    let sum = 0;
    for (let host = 0; host < this.contents.length && sum < most; host += 1) {
      const content = this.contents[host] as string;
      if (!this.places.has(content)) {
        await this.ask();
        this.places.set(content, await places.judge(host, Infinity));
      }
      sum += this.places.get(content) as number;
    }
    return sum;
  }

  /** Returns how to take the step back. */
  make(step: Step): () => void {
    const source = this.hostOf.get(step.instance) as number;
    this.path.push(step);
    this.shift(step.instance, step.target);
    return () => {
      this.path.pop();
      if (this.draft.moves.length > this.path.length) this.draft.undo(this.path.length);
      this.shift(step.instance, source);
    };
  }

  private shift(instance: number, target: number): void {
    const source = this.hostOf.get(instance) as number;
    const amounts = this.draft.amountsOf(instance);
    amounts.forEach((amount, column) => {
      (this.used[source * amounts.length + column] as number) -= amount;
      (this.used[target * amounts.length + column] as number) += amount;
    });
    this.hostOf.set(instance, target);
    for (const host of [source, target]) this.contents[host] = this.contentOf(host);
  }

  private kindOf(instance: number): string {
    return this.draft.instance(instance).groupUuid === null ? String(this.draft.keyOf(instance)) : `i${instance}`;
  }

  private contentOf(host: number): string {
    const kinds = this.movableOn(host).map((each) => this.kindOf(each));
    return `${host}:${kinds.toSorted().join()}`;
  }

  /** For a question about the state now: the draft makes the moves of the path. */
  private async ask(): Promise<void> {
    this.questions += 1;
    for (const { instance, target } of this.path.slice(this.draft.moves.length)) {
      await this.draft.move(instance, target, '');
    }
  }
}

/**
 * From the empty draft, to which it returns; tries `from`, then more, at most `most` moves. `leastFrom` is 0 at the
 * goal, otherwise no more than the moves to it. Fewer moves than the returned `least` do not reach the goal.
 */
export async function searchExactly(
  draft: Draft,
  leastFrom: (states: ExactStates) => number | Promise<number>,
  from: number,
  most: number,
): Promise<{ readonly steps: readonly Step[] | null; readonly least: number }> {
  const states = new ExactStates(draft);
  let left = MOST_STATES;
  let visited = new Map<string, number>();
  const isOver = (): boolean => left < 0 || states.questions > MOST_QUESTIONS || draft.limits.isTimeUp();

  async function reaches(depth: number): Promise<boolean> {
    const least = await leastFrom(states);
    if (least === 0) return true;
    left -= 1;
    if (least > depth || isOver()) return false;
    const key = states.contents.join();
    if ((visited.get(key) ?? 0) >= depth) return false;
    visited.set(key, depth);
    if (left % STATES_PER_PAUSE === 0) await draft.limits.pause();
    for (const step of await states.steps()) {
      const takeBack = states.make(step);
      if (await reaches(depth - 1)) return true;
      takeBack();
    }
    return false;
  }

  for (let depth = from; depth <= most; depth += 1) {
    visited = new Map();
    const isFound = await reaches(depth);
    draft.undo(0);
    if (isFound) return { steps: states.path, least: depth };
    if (isOver()) return { steps: null, least: depth };
  }
  return { steps: null, least: Math.max(from, most + 1) };
}
