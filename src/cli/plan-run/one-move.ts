// One move through the Compute API. It depends on the server's host and status, not on what an earlier run recorded.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Schema } from '../../../client/src/routes.ts';
import { CommandFailed } from '../command-context';
import { ServiceRefused } from '../remote/service-client';
import type { ComputeClient, Server } from './compute-client';

export type Move = Schema<'PlannedMove'>;

export interface Ended {
  readonly state: 'done' | 'failed' | 'skipped';
  readonly message: string | null;
  /** The source is free of the instance, so moves after this one can start. */
  readonly isAway: boolean;
  /** Another plan can still move it. */
  readonly isLeft: boolean;
}

interface MoveContext {
  readonly compute: ComputeClient;
  /** Allowed ways to move. */
  readonly ways: ReadonlySet<string>;
  /** Just before the move starts. */
  readonly starts: (way: string) => Promise<void>;
}

const POLL_FIRST_MS = 200;
const POLL_MAX_MS = 5_000;
const RETRIES = 6;
const SERVER_ERROR = 500;
type Way = 'live' | 'cold';

/** How a server of this status is moved: the first way that is allowed. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  ACTIVE: ['live', 'cold'],
  PAUSED: ['live'],
  SHUTOFF: ['cold'],
};
const UNCONFIRMED = 'VERIFY_RESIZE';

export const done = (message: string | null = null): Ended => ({ state: 'done', message, isAway: true, isLeft: false });
const failed = (message: string): Ended => ({ state: 'failed', message, isAway: false, isLeft: true });
const skipped = (message: string, isAway: boolean): Ended => ({ state: 'skipped', message, isAway, isLeft: isAway });
const gone = (): Ended => done('The instance no longer exists.');

/** The error of work that failed. */
const failureOf = (work: Promise<void>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: unknown) => error as Error,
  );

const isAnswer = (error: unknown): error is ServiceRefused =>
  error instanceof ServiceRefused && error.status < SERVER_ERROR;

/** Retries work that got no answer, or a server error, from the service. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (isAnswer(error) || !(error instanceof CommandFailed) || attempt > RETRIES) throw error;
      await sleep(attempt * 1_000);
    }
  }
}

/** Waits until nothing is being done to the server. Null: it is gone. */
async function settled(
  compute: ComputeClient,
  uuid: string,
  isMeant = (_server: Server): boolean => true,
): Promise<Server | null> {
  for (let wait = POLL_FIRST_MS; ; wait = Math.min(2 * wait, POLL_MAX_MS)) {
    const server = await patiently(() => compute.server(uuid));
    if (server === null || (server.task === null && server.status !== 'MIGRATING' && isMeant(server))) return server;
    await sleep(wait);
  }
}

export async function carryOut(move: Move, context: MoveContext): Promise<Ended> {
  const { uuid } = move.instance;
  const { compute } = context;
  const server = await settled(compute, uuid);
  if (server === null) return gone();
  if (server.status === UNCONFIRMED) {
    const isOwn = move.outcome?.state === 'running' && server.host === move.target.host;
    return isOwn
      ? confirmed(move, compute)
      : failed('A resize or migration of the instance must be confirmed or reverted first.');
  }
  const { host, status } = server;
  if (host === move.target.host) return done('It was there already.');
  if (host === null) return done(`The instance is on no host (${status}).`);
  if (host !== move.source.host) return skipped(`The instance is on ${host}, not on ${move.source.host}.`, true);
  const possible = WAYS[status];
  if (possible === undefined)
    return failed(`An instance of status ${status} cannot be moved, only ${Object.keys(WAYS).join(', ')}.`);
  const way = possible.find((each) => context.ways.has(each));
  if (way === undefined)
    return skipped(`It is ${status}, and the plan allows no ${possible.join(' or ')} migration.`, false);
  await context.starts(way);
  return moved(move, compute, way);
}

async function moved(move: Move, compute: ComputeClient, way: Way): Promise<Ended> {
  const { uuid } = move.instance;
  const { host } = move.target;
  const action = way === 'live' ? { 'os-migrateLive': { host, block_migration: 'auto' } } : { migrate: { host } };
  const unanswered = await failureOf(compute.act(uuid, action));
  if (isAnswer(unanswered)) return failed(unanswered.message);
  const server = await settled(compute, uuid);
  if (server === null) return gone();
  if (server.host !== host || server.status === 'ERROR')
    return failed(unanswered?.message ?? (await patiently(() => compute.lastFault(uuid))));
  return server.status === UNCONFIRMED ? confirmed(move, compute) : done();
}

/** The compute service may confirm by itself. */
async function confirmed({ instance: { uuid } }: Move, compute: ComputeClient): Promise<Ended> {
  const refused = await failureOf(compute.act(uuid, { confirmResize: null }));
  const server = await settled(compute, uuid, ({ status }) => refused !== null || status !== UNCONFIRMED);
  if (server === null) return gone();
  return server.status === UNCONFIRMED ? failed(`The migration is not confirmed: ${refused?.message}`) : done();
}
