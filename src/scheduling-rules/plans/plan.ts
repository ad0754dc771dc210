// What a planner is asked, and its plan: data only.
import type { PlanRefusal } from './plan-cloud';

export interface PlanAsk {
  readonly goal: PlanGoal;
  /** Instances, by number, that must not move. */
  readonly staying: ReadonlySet<number>;
  /** Hosts, by number, of which no instance leaves and to which none comes. */
  readonly untouched: ReadonlySet<number>;
  /** Null: no bound. */
  readonly maxMoves: number | null;
  /** Moves at a time for each host, as source or target. */
  readonly maxMovesPerHost: number;
  /** A plan that gains less is empty: balance, the fall of the standard deviation of use, in percent points; pack and room, hosts or places. */
  readonly minGain: number;
  /** An integer in [0, 2^32). */
  readonly seed: number;
}

export type PlanGoal =
  /** Every instance of these hosts elsewhere. */
  | { readonly kind: 'drain'; readonly hosts: readonly number[] }
  /** The fewest moves after which `count` more instances of the flavor fit; null: as many as can be. */
  | { readonly kind: 'room'; readonly flavor: object | string; readonly count: number | null }
  /** The most even use of the classes over hosts or zones. */
  | { readonly kind: 'balance'; readonly classes: readonly string[]; readonly over: 'hosts' | 'zones' }
  /** The most hosts emptied; with a flavor, the most places for it. */
  | { readonly kind: 'pack'; readonly flavor: object | string | null };

export interface DraftMove {
  readonly instance: number;
  readonly source: number;
  readonly target: number;
  /** One sentence: why this target. */
  readonly reason: string;
}

export interface PlannedMove extends DraftMove {
  /** Positions in `moves` that must have ended before this one starts. */
  readonly after: readonly number[];
  /** From 0; the moves of a stage can run side by side in any order. */
  readonly stage: number;
}

export interface Unmovable extends PlanRefusal {
  readonly instance: number;
}

/** The state of the cloud in five figures. */
export interface PlanFigures {
  readonly usedHosts: number;
  readonly emptyHosts: number;
  /** The highest use of a class on a host, 0 to 1 (above 1: oversold). */
  readonly highestUse: number;
  /** Standard deviation of the use of hosts, in percent points, of the class that is used most. */
  readonly spread: number;
  /** More instances of the flavor that fit; null: no flavor was given. */
  readonly places: number | null;
}

export interface Plan {
  /** In the order of their start. */
  readonly moves: readonly PlannedMove[];
  readonly unmovable: readonly Unmovable[];
  /** Whether the goal is reached: drained wholly, the count fits. Balance and pack: a better plan was not found. */
  readonly isReached: boolean;
  /** No plan that reaches the same has fewer moves, or rounds of waves, than this; null: no bound is known. */
  readonly leastMoves: number | null;
  readonly before: PlanFigures;
  readonly after: PlanFigures;
  /** True: the time was up, and this is the best plan so far. */
  readonly isTimeUp: boolean;
}

/** From outside: planners read no clock. */
export interface PlanLimits {
  readonly isTimeUp: () => boolean;
  /** Lets other work run: awaited about every millisecond of work without a question to the cloud. */
  readonly pause: () => Promise<void>;
}

export interface WavePlan {
  /** Hosts that are drained, and open and empty after it; each plan from the cloud as the rounds before leave it. */
  readonly rounds: readonly { readonly hosts: readonly number[]; readonly plan: Plan }[];
  /** No plan has fewer rounds; null: not one of them can be away. */
  readonly leastRounds: number | null;
  /** Hosts without a round, and why the last one that was tried cannot be drained. */
  readonly left: readonly number[];
  readonly unmovable: readonly Unmovable[];
  readonly isTimeUp: boolean;
}
