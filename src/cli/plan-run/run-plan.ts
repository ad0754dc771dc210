// `berth plan run`: carries a plan out through the Compute API with the operator's credentials, and records the outcomes.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandContext } from '../command-context';
import { CommandFailed, EXIT } from '../command-context';
import { unknownName } from '../remote/listed';
import type { Action, Printing } from '../remote/printing';
import { printDocument } from '../remote/printing';
import type { ServiceClient } from '../remote/service-client';
import { ServiceRefused } from '../remote/service-client';
import { ComputeClient } from './compute-client';
import type { Ended, Move } from './one-move';
import { carryOut, patiently } from './one-move';
import { openStackSettings } from './openstack-login';

type Plan = Schema<'MovePlan'>;

interface RunOptions extends Printing {
  readonly maxParallel: number;
  readonly skip: readonly string[];
  readonly reason?: string;
  readonly liveOnly?: true;
  readonly replan: boolean;
}

/** Plans made for what is left, of one run. */
const PLANS_MADE = 3;
/** Of a plan that does not say. */
const MOVES_PER_HOST = 2;
const CONFLICT = 409;

const nameOf = ({ instance }: Move): string => instance.name ?? instance.uuid;
const movesOf = ({ stages }: Plan): readonly Move[] => stages.flat();

/** Exit code 1 unless all moves are made and the goal is reached. */
export const runPlan =
  (context: CommandContext): Action<RunOptions> =>
  async (client, streams, options, [id = '']) => {
    const compute = new ComputeClient(openStackSettings(context));
    const isText = options.output === 'table' || options.output === 'wide';
    const say = (line: string): void => (isText ? streams.stdout : streams.stderr)(`${line}\n`);
    const stop = { isAsked: false };
    const onSignal = (): void => {
      stop.isAsked = true;
      say('Nothing new starts. The running moves are waited for; Ctrl + C again leaves at once.');
    };
    // Later signals have their default effect.
    process.once('SIGINT', onSignal);
    try {
      const { plan, isWhole } = await inTurn({ client, compute, options, say, stop }, await planOf(client, id));
      printDocument(streams, options, plan, { text: () => resultText(plan), names: [plan.id] });
      return isWhole ? EXIT.done : EXIT.failed;
    } finally {
      process.removeListener('SIGINT', onSignal);
    }
  };

const planOf = (client: ServiceClient, id: string): Promise<Plan> =>
  patiently(() => client.get<Plan>(`/scheduler/plans/${encodeURIComponent(id)}`));

interface Run {
  readonly client: ServiceClient;
  readonly compute: ComputeClient;
  readonly options: RunOptions;
  readonly say: (line: string) => void;
  readonly stop: { readonly isAsked: boolean };
}

/** Runs the plan, then plans for what is left of it; returns the last plan as it is then. */
async function inTurn(run: Run, first: Plan): Promise<{ readonly plan: Plan; readonly isWhole: boolean }> {
  const { client, options, say, stop } = run;
  const skipped = instancesOf(options.skip, movesOf(first));
  let plan = first;
  for (let made = 0; ; made += 1) {
    say(plan.sentence);
    const { ends, isLeft } = await new PlanRun(run, plan, skipped).all();
    const wasUseful = made === 0 || [...ends.values()].some(({ state }) => state === 'done');
    const isOver = !isLeft || stop.isAsked || !options.replan || !wasUseful || made === PLANS_MADE;
    const next = isOver ? null : await client.post<Plan>('/scheduler/plans', askAgain(plan, skipped));
    if (next === null || movesOf(next).length === 0) {
      if (next !== null) say(`Planned again: ${next.sentence}`);
      const ended = await planOf(client, plan.id);
      return { plan: ended, isWhole: next?.complete ?? isMade(ended) };
    }
    for (const move of movesOf(plan).filter(({ number }) => !ends.has(number))) {
      await report(run, plan, move, { state: 'skipped', message: `Planned again by plan ${next.id}.` });
    }
    say(`What is left is planned again: plan ${next.id}`);
    plan = next;
  }
}

/** Uuids of the instances that are named by uuid or name. */
function instancesOf(given: readonly string[], moves: readonly Move[]): readonly string[] {
  return given.map((name) => {
    const found = moves.find(({ instance }) => instance.uuid === name || instance.name === name);
    if (found === undefined) throw unknownName('Instance', name, moves.map(nameOf), 'plan show');
    return found.instance.uuid;
  });
}

function askAgain({ ask }: Plan, skipped: readonly string[]): object {
  if (skipped.length === 0) return ask;
  const { stay = {} } = ask as { readonly stay?: { readonly instances?: readonly string[] } };
  return { ...ask, stay: { ...stay, instances: [...new Set([...(stay.instances ?? []), ...skipped])] } };
}

interface Report {
  readonly state: 'running' | Ended['state'];
  readonly message?: string | null;
  readonly reason?: string | null;
}

/** False: the move has another state by now, of another run. */
async function report({ client }: Run, { id }: Plan, { number }: Move, outcome: Report): Promise<boolean> {
  try {
    await patiently(() => client.post(`/scheduler/plans/${id}/moves/${number}`, outcome));
    return true;
  } catch (error) {
    if (error instanceof ServiceRefused && error.status === CONFLICT) return false;
    throw error;
  }
}

/** The moves of one plan: several at a time, each after those that it waits for. */
class PlanRun {
  private readonly ends = new Map<number, Ended>();
  private readonly running = new Map<Move, Promise<void>>();
  private waiting: readonly Move[];
  private failure: Error | undefined;

  constructor(
    private readonly run: Run,
    private readonly plan: Plan,
    private readonly skipped: readonly string[],
  ) {
    this.waiting = movesOf(plan);
  }

  async all(): Promise<{ readonly ends: ReadonlyMap<number, Ended>; readonly isLeft: boolean }> {
    const { run, plan } = this;
    if (plan.goal === 'drain') {
      for (const host of plan.hosts) {
        if (await run.compute.disable(host, `Berth plan ${plan.id}`)) run.say(`${host} is disabled.`);
      }
    }
    await this.takeOver();
    for (;;) {
      this.startSome();
      if (this.running.size === 0) break;
      await Promise.race(this.running.values());
    }
    if (this.failure !== undefined) throw this.failure;
    const isLeft = this.waiting.length > 0 || [...this.ends.values()].some((end) => end.isLeft);
    return { ends: this.ends, isLeft };
  }

  /** Moves that ended in an earlier run, and those to leave out. */
  private async takeOver(): Promise<void> {
    const { run, plan } = this;
    const reason = run.options.reason ?? null;
    for (const move of this.waiting) {
      const state = move.outcome?.state;
      const isSkipped = this.skipped.includes(move.instance.uuid) && state !== 'done';
      if (isSkipped && state !== 'skipped') await report(run, plan, move, { state: 'skipped', reason });
      if (isSkipped || state === 'skipped' || state === 'done') {
        const isAway = state === 'done' || (await run.compute.server(move.instance.uuid))?.host !== move.source.host;
        this.ends.set(move.number, {
          state: state === 'done' ? state : 'skipped',
          message: null,
          isAway,
          isLeft: false,
        });
      }
    }
    this.waiting = this.waiting.filter(({ number }) => !this.ends.has(number));
  }

  private startSome(): void {
    const isStopping = (): boolean => this.run.stop.isAsked || this.failure !== undefined;
    for (const move of this.waiting) {
      if (isStopping() || this.running.size >= this.run.options.maxParallel) return;
      if (!this.canStart(move)) continue;
      this.waiting = this.waiting.filter((each) => each !== move);
      const work = this.carriedOut(move)
        .catch((error: unknown) => {
          this.failure ??= error as Error;
        })
        .finally(() => this.running.delete(move));
      this.running.set(move, work);
    }
  }

  private canStart({ after, source, target }: Move): boolean {
    const { max_moves_per_host: most = MOVES_PER_HOST } = this.plan.ask as { readonly max_moves_per_host?: number };
    const busy = [...this.running.keys()].flatMap((move) => [move.source.host, move.target.host]);
    const isFree = (host: string): boolean => busy.filter((each) => each === host).length < most;
    return (
      after.every((number) => this.ends.get(number)?.isAway === true) && isFree(source.host) && isFree(target.host)
    );
  }

  private async carriedOut(move: Move): Promise<void> {
    const { run, plan } = this;
    const { compute, options, say } = run;
    const { move_types: types = ['live', 'cold'] } = plan.ask as { readonly move_types?: readonly string[] };
    const label = `${move.number}: ${nameOf(move)}, ${move.source.host} -> ${move.target.host}`;
    const end = await carryOut(move, {
      compute,
      ways: new Set(options.liveOnly ? ['live'] : types),
      starts: async (way) => {
        if (move.outcome?.state !== 'running' && !(await report(run, plan, move, { state: 'running' }))) {
          throw new CommandFailed(`Another run has started move ${move.number}. Wait for its end.`);
        }
        say(`${label}: ${way} migration`);
      },
    });
    this.ends.set(move.number, end);
    await report(run, plan, move, { state: end.state, message: end.message });
    say(`${label}: ${end.state}${end.message === null ? '' : `. ${end.message}`}`);
  }
}

const isMade = ({ outcomes, complete }: Plan): boolean =>
  complete && outcomes.waiting + outcomes.running + outcomes.failed + outcomes.skipped === 0;

function resultText(plan: Plan): string {
  const { outcomes, cannot_move: staying, id } = plan;
  const moves = movesOf(plan);
  const parts = (['failed', 'skipped', 'running', 'waiting'] as const).filter((state) => outcomes[state] > 0);
  const rest = parts.map((state) => `, ${outcomes[state]} ${state}`).join('');
  const sentence = `${outcomes.done} of ${moves.length} moves are done${rest}.\n`;
  const fixed = staying.length === 0 ? '' : `${staying.length} cannot move: berth plan show ${id}\n`;
  const isOpen = outcomes.failed + outcomes.running + outcomes.waiting > 0;
  return `${sentence}${fixed}${isOpen ? `Continue: berth plan run ${id}\n` : ''}`;
}
