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
import { carryOut, patiently } from './one-move';
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
  isStopping: boolean;
}

/** Plans that one run makes for what is left. */
const PLANS_MADE = 3;
/** Of a plan that does not say. */
const MOVES_PER_HOST = 2;
/** Characters that the service takes. */
const MESSAGE_MAX = 4_000;
const CONFLICT = 409;

const nameOf = ({ instance }: Move): string => instance.name ?? instance.uuid;

/** Exit code 1 unless all moves are made and the goal is reached. */
export const runPlan =
  (context: CommandContext): Action<RunOptions> =>
  async (client, streams, options, [id = '']) => {
    const compute = new ComputeClient(openStackSettings(context));
    const isText = options.output === 'table' || options.output === 'wide';
    const say = (line: string): void => (isText ? streams.stdout : streams.stderr)(`${line}\n`);
    const run: Run = { client, compute, options, say, isStopping: false };
    const onSignal = (): void => {
      run.isStopping = true;
      say('Nothing new starts. The running moves are waited for; Ctrl + C again leaves at once.');
    };
    // A second signal has its default effect.
    process.once('SIGINT', onSignal);
    try {
      const { plan, isWhole } = await inTurn(run, await planOf(client, id));
      printDocument(streams, options, plan, { text: () => resultText(plan), names: [plan.id] });
      return isWhole ? EXIT.done : EXIT.failed;
    } finally {
      process.removeListener('SIGINT', onSignal);
    }
  };

const planOf = (client: ServiceClient, id: string): Promise<Plan> =>
  patiently(() => client.get(`/scheduler/plans/${encodeURIComponent(id)}`));

/** Runs the plan, then plans for what is left; returns the last plan that was run, as it is then. */
async function inTurn(run: Run, first: Plan): Promise<{ readonly plan: Plan; readonly isWhole: boolean }> {
  const { client, options, say } = run;
  const skipped = await Promise.all(options.skip.map((each) => instanceUuid(client, each)));
  let plan = first;
  for (let made = 0; ; made += 1) {
    say(plan.sentence);
    const part = partOf(plan);
    const ends = await runMoves(run, plan, part, skipped);
    const isLeft = ends.size < part.moves.length || [...ends.values()].some((end) => end.isLeft);
    const wasUseful = made === 0 || [...ends.values()].some(({ state }) => state === 'done');
    const isAskedAgain =
      isLeft && wasUseful && made < PLANS_MADE && plan.goal !== 'waves' && options.replan && !run.isStopping;
    const { stay = {} } = plan.ask;
    const ask = { ...plan.ask, stay: { ...stay, instances: [...(stay.instances ?? []), ...skipped] } };
    const next = isAskedAgain
      ? await client.post<Plan>('/scheduler/plans', skipped.length === 0 ? plan.ask : ask)
      : null;
    if (next === null || next.stages.length === 0) {
      if (next !== null) say(`Planned again: ${next.sentence}`);
      const ended = await planOf(client, plan.id);
      if (part.round > 0)
        say(`Round ${part.round} has ended. Enable its hosts before the next one: ${part.hosts.join(', ')}`);
      return {
        plan: ended,
        isWhole: next?.complete ?? (ended.complete && ended.outcomes.done === ended.stages.flat().length),
      };
    }
    say(`What is left is planned again: plan ${next.id}`);
    plan = next;
  }
}

interface Part {
  /** From 1; 0: the plan has no rounds. */
  readonly round: number;
  /** To disable. */
  readonly hosts: readonly string[];
  readonly moves: readonly Move[];
}

/** What to do now: of a plan in rounds, the first round with a move that neither is done nor was skipped. */
function partOf({ goal, hosts, stages, rounds }: Plan): Part {
  const moves = stages.flat();
  let first = 0;
  for (const [at, round] of rounds.entries()) {
    const own = moves.slice(first, first + round.moves);
    if (own.some(({ outcome }) => !['done', 'skipped'].includes(outcome?.state ?? '')))
      return { round: at + 1, hosts: round.hosts, moves: own };
    first += round.moves;
  }
  return { round: 0, hosts: goal === 'drain' ? hosts : [], moves };
}

/** False: the move has another state by now, of another run. */
async function report(
  { client }: Run,
  { id }: Plan,
  { number }: Move,
  outcome: { readonly state: string; readonly message?: string | null; readonly reason?: string | undefined },
): Promise<boolean> {
  try {
    await patiently(() => client.post(`/scheduler/plans/${id}/moves/${number}`, outcome));
    return true;
  } catch (error) {
    if (error instanceof ServiceRefused && error.status === CONFLICT) return false;
    throw error;
  }
}

/** Several moves at a time, each after those that it waits for. Returns the ends by number. */
async function runMoves(
  run: Run,
  plan: Plan,
  part: Part,
  skipped: readonly string[],
): Promise<ReadonlyMap<number, Ended>> {
  const { compute, options, say } = run;
  const { max_moves_per_host: perHost = MOVES_PER_HOST, move_types: types = ['live', 'cold'] } = plan.ask;
  const ways = new Set<string>(options.liveOnly ? ['live'] : types);
  const running = new Map<Move, Promise<void>>();
  let failure: Error | undefined;
  for (const host of part.hosts) {
    if (await compute.disable(host, `Berth plan ${plan.id}`)) say(`${host} is disabled.`);
  }
  const ends = await earlierEnds(run, plan, part, skipped);

  const isFree = (host: string): boolean =>
    [...running.keys()].filter(({ source, target }) => source.host === host || target.host === host).length < perHost;
  const canStart = (move: Move): boolean =>
    !ends.has(move.number) &&
    !running.has(move) &&
    move.after.every((number) => ends.get(number)?.isAway === true) &&
    isFree(move.source.host) &&
    isFree(move.target.host);
  const carriedOut = async (move: Move): Promise<void> => {
    const label = `${move.number}: ${nameOf(move)}, ${move.source.host} -> ${move.target.host}`;
    const starts = async (way: string): Promise<void> => {
      if (move.outcome?.state !== 'running' && !(await report(run, plan, move, { state: 'running' }))) {
        throw new CommandFailed(`Another run has started move ${move.number}. Wait for its end.`);
      }
      say(`${label}: ${way} migration`);
    };
    const end = await carryOut(move, { compute, ways, starts });
    const { state } = end;
    const message = end.message?.slice(0, MESSAGE_MAX) ?? null;
    ends.set(move.number, end);
    await report(run, plan, move, { state, message });
    say(`${label}: ${state}${message === null ? '' : `. ${message}`}`);
  };

  for (;;) {
    for (const move of part.moves) {
      if (run.isStopping || failure !== undefined || running.size >= options.maxParallel) break;
      if (!canStart(move)) continue;
      const work = carriedOut(move).catch((error: unknown) => void (failure ??= error as Error));
      running.set(
        move,
        work.finally(() => running.delete(move)),
      );
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (failure !== undefined) throw failure;
  return ends;
}

/** Of the moves that ended in an earlier run, and of those to leave out. */
async function earlierEnds(
  run: Run,
  plan: Plan,
  { moves }: Part,
  skipped: readonly string[],
): Promise<Map<number, Ended>> {
  const ends = new Map<number, Ended>();
  for (const move of moves) {
    const before = move.outcome?.state;
    const isSkipped = before === 'skipped' || skipped.includes(move.instance.uuid);
    if (before === 'done') ends.set(move.number, { state: 'done', message: null, isAway: true, isLeft: false });
    else if (isSkipped) {
      if (before !== 'skipped') await report(run, plan, move, { state: 'skipped', reason: run.options.reason });
      const isAway = (await patiently(() => run.compute.server(move.instance.uuid)))?.host !== move.source.host;
      ends.set(move.number, { state: 'skipped', message: null, isAway, isLeft: false });
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
