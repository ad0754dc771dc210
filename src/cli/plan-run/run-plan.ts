// `berth plan run`: carries a plan out through the Compute API with the operator's credentials, and records the outcomes.
import type { Schema } from '../../../client/src/routes.ts';
import type { PlanDto } from '../../scheduler/plans/plans.schema';
import type { CommandContext } from '../command-context';
import { CommandFailed, EXIT } from '../command-context';
import { instanceUuid } from '../remote/instances';
import type { Action, Printing } from '../remote/printing';
import { printDocument } from '../remote/printing';
import type { ServiceClient } from '../remote/service-client';
import { ServiceRefused } from '../remote/service-client';
import { ComputeClient } from './compute-client';
import type { Ended, Move } from './one-move';
import { carryOut, done, patiently } from './one-move';
import { openStackSettings } from './openstack-login';

type Plan = Omit<Schema<'MovePlan'>, 'ask'> & { readonly ask: PlanDto };

interface RunOptions extends Printing {
  readonly maxParallel: number;
  readonly skip: readonly string[];
  readonly reason?: string;
  readonly liveOnly?: true;
  readonly replan: boolean;
}

interface Run {
  readonly client: ServiceClient;
  readonly compute: ComputeClient;
  readonly options: RunOptions;
  readonly say: (line: string) => void;
  readonly isStopping: () => boolean;
  /** Uuids of instances to leave out. */
  readonly skipped: readonly string[];
}

/** Plans that one run makes for what is left. */
const PLANS_MADE = 3;
/** Of a plan that does not say. */
const MOVES_PER_HOST = 2;
/** Characters that the service takes. */
const MESSAGE_MAX = 4_000;
const CONFLICT = 409;

/** Exit code 1 unless all moves are made and the goal is reached. */
export const runPlan =
  (context: CommandContext): Action<RunOptions> =>
  async (client, streams, options, [id = '']) => {
    const compute = new ComputeClient(openStackSettings(context));
    const isText = options.output === 'table' || options.output === 'wide';
    const say = (line: string): void => (isText ? streams.stdout : streams.stderr)(`${line}\n`);
    const skipped = await Promise.all(options.skip.map((each) => instanceUuid(client, each)));
    let isStopping = false;
    const onSignal = (): void => {
      isStopping = true;
      say('Nothing new starts. The running moves are waited for; Ctrl + C again leaves at once.');
    };
    // A second signal has its default effect.
    process.once('SIGINT', onSignal);
    try {
      const run: Run = { client, compute, options, say, skipped, isStopping: () => isStopping };
      const { plan, isWhole } = await inTurn(run, await planOf(client, id));
      printDocument(streams, options, plan, { text: () => resultText(plan), names: [plan.id] });
      return isWhole ? EXIT.done : EXIT.failed;
    } finally {
      process.removeListener('SIGINT', onSignal);
    }
  };

const planOf = (client: ServiceClient, id: string): Promise<Plan> =>
  patiently(() => client.get(`/scheduler/plans/${encodeURIComponent(id)}`));

/** One plan of a run. */
interface Turn extends Run {
  readonly plan: Plan;
  /** The round that is carried out, from 1; 0: the plan has none. */
  readonly round: number;
  /** To disable. */
  readonly hosts: readonly string[];
  readonly moves: readonly Move[];
}

/** Runs the plan, then plans for what is left; returns the last plan that was run, as it is then. */
async function inTurn(run: Run, first: Plan): Promise<{ readonly plan: Plan; readonly isWhole: boolean }> {
  const { client, options, say } = run;
  for (let plan = first, made = 0; ; made += 1) {
    say(plan.sentence);
    const { round, hosts, moves } = partOf(plan);
    const ends = await runMoves({ ...run, plan, round, hosts, moves });
    const isLeft = ends.size < moves.length || [...ends.values()].some((end) => end.isLeft);
    const wasUseful = made === 0 || [...ends.values()].some(({ state }) => state === 'done');
    const canPlan = round === 0 && made < PLANS_MADE && options.replan && !run.isStopping();
    const next =
      isLeft && wasUseful && canPlan ? await client.post<Plan>('/scheduler/plans', askAgain(plan, run)) : null;
    if (next === null || next.stages.length === 0) {
      if (next !== null) say(`Planned again: ${next.sentence}`);
      if (round > 0 && !isLeft)
        say(`Round ${round} has ended. Enable its hosts before the next one: ${hosts.join(', ')}`);
      const ended = await planOf(client, plan.id);
      const isMade = ended.complete && ended.outcomes.done === ended.stages.flat().length;
      return { plan: ended, isWhole: next?.complete ?? isMade };
    }
    say(`What is left is planned again: plan ${next.id}`);
    plan = next;
  }
}

/** The same request, without the instances that the operator leaves out. */
function askAgain({ ask }: Plan, { skipped }: Run): PlanDto {
  const { stay = {} } = ask;
  return skipped.length === 0 ? ask : { ...ask, stay: { ...stay, instances: [...(stay.instances ?? []), ...skipped] } };
}

/** What to do now: of a plan in rounds, the first round with a move that neither is done nor was skipped. */
function partOf({ goal, hosts, stages, rounds }: Plan): Pick<Turn, 'round' | 'hosts' | 'moves'> {
  const moves = stages.flat();
  let first = 0;
  for (const [at, round] of rounds.entries()) {
    const own = moves.slice(first, (first += round.moves));
    const isOpen = own.some(({ outcome }) => outcome?.state !== 'done' && outcome?.state !== 'skipped');
    if (isOpen) return { round: at + 1, hosts: round.hosts, moves: own };
  }
  return { round: 0, hosts: goal === 'drain' ? hosts : [], moves };
}

/** False: the move has another state by now, of another run. */
async function report({ client, plan }: Turn, { number }: Move, outcome: object): Promise<boolean> {
  try {
    await patiently(() => client.post(`/scheduler/plans/${plan.id}/moves/${number}`, outcome));
    return true;
  } catch (error) {
    if (error instanceof ServiceRefused && error.status === CONFLICT) return false;
    throw error;
  }
}

/** Several moves at a time, each after those that it waits for. Returns the ends by number. */
async function runMoves(turn: Turn): Promise<ReadonlyMap<number, Ended>> {
  const { compute, options, say, plan, hosts, moves } = turn;
  const { max_moves_per_host: perHost = MOVES_PER_HOST, move_types: types = ['live', 'cold'] } = plan.ask;
  const ways = new Set<string>(options.liveOnly ? ['live'] : types);
  const running = new Map<Move, Promise<void>>();
  let failure: Error | undefined;
  for (const host of hosts) {
    if (await compute.disable(host, `Berth plan ${plan.id}`)) say(`${host} is disabled.`);
  }
  const ends = await earlierEnds(turn);

  const isFree = (host: string): boolean =>
    [...running.keys()].filter(({ source, target }) => source.host === host || target.host === host).length < perHost;
  const canStart = (move: Move): boolean =>
    !ends.has(move.number) &&
    !running.has(move) &&
    move.after.every((number) => ends.get(number)?.isAway === true) &&
    isFree(move.source.host) &&
    isFree(move.target.host);
  const carriedOut = async (move: Move): Promise<void> => {
    const label = `${move.number}: ${move.instance.name ?? move.instance.uuid}, ${move.source.host} -> ${move.target.host}`;
    const starts = async (way: string): Promise<void> => {
      if (move.outcome?.state !== 'running' && !(await report(turn, move, { state: 'running' }))) {
        throw new CommandFailed(`Another run has started move ${move.number}. Wait for its end.`);
      }
      say(`${label}: ${way} migration`);
    };
    const end = await carryOut(move, { compute, ways, starts });
    const message = end.message?.slice(0, MESSAGE_MAX) ?? null;
    ends.set(move.number, end);
    await report(turn, move, { state: end.state, message });
    say(`${label}: ${end.state}${message === null ? '' : `. ${message}`}`);
  };

  for (;;) {
    for (const move of moves) {
      if (turn.isStopping() || failure !== undefined || running.size >= options.maxParallel) break;
      if (!canStart(move)) continue;
      const work = carriedOut(move).catch((error: unknown) => void (failure ??= error as Error));
      const ended = work.finally(() => running.delete(move));
      running.set(move, ended);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (failure !== undefined) throw failure;
  return ends;
}

/** Of the moves that ended in an earlier run, and of those to leave out. */
async function earlierEnds(turn: Turn): Promise<Map<number, Ended>> {
  const { compute, options, skipped } = turn;
  const ends = new Map<number, Ended>();
  for (const move of turn.moves) {
    const { number, instance, source, outcome } = move;
    if (outcome?.state === 'done') ends.set(number, done());
    else if (outcome?.state === 'skipped' || skipped.includes(instance.uuid)) {
      if (outcome?.state !== 'skipped') await report(turn, move, { state: 'skipped', reason: options.reason });
      const isAway = (await patiently(() => compute.server(instance.uuid)))?.host !== source.host;
      ends.set(number, { state: 'skipped', message: null, isAway, isLeft: false });
    }
  }
  return ends;
}

function resultText({ outcomes, stages, cannot_move: staying, id }: Plan): string {
  const parts = (['failed', 'skipped', 'running', 'waiting'] as const).filter((state) => outcomes[state] > 0);
  const rest = parts.map((state) => `, ${outcomes[state]} ${state}`).join('');
  const sentence = `${outcomes.done} of ${stages.flat().length} moves are done${rest}.\n`;
  const fixed = staying.length === 0 ? '' : `${staying.length} cannot move: berth plan show ${id}\n`;
  const isOpen = outcomes.failed + outcomes.running + outcomes.waiting > 0;
  return `${sentence}${fixed}${isOpen ? `Continue: berth plan run ${id}\n` : ''}`;
}
