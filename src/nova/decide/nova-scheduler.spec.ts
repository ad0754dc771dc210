import { InvalidInput } from '../../platform/values/errors';
import { DEFAULT_SCHEDULER_OPTIONS } from '../../scheduler/assemble/default-options.fixture';
import { assembleScheduler } from '../../scheduler/assemble/scheduler-pipeline';
import type { DecideCommand, Decided } from '../../scheduler/decide/decision-run';
import type { SchedulingRefusal } from '../../scheduler/decide/refused';
import type { NovaStatus } from '../cells/nova-facts';
import type { Json } from '../objects/captured.fixture';
import { bootCall, bootSpec, INSTANCE, novaObject, REBUILD, TOKEN } from '../objects/captured.fixture';
import type { RpcContext } from '../rpc/rpc-methods';
import { RpcFailure } from '../rpc/rpc-methods';
import type { CallRecord } from './call-records.repository';
import { NovaScheduler } from './nova-scheduler';

const CONTEXT: RpcContext = {
  requestId: 'req-1',
  globalRequestId: null,
  userId: 'u',
  projectId: 'p',
  uniqueId: 'x',
  messageId: 'm',
  expiresAtMs: null,
  requestedAtMs: null,
  isCallerInDoubt: false,
};
const RECORD: CallRecord = { uuid: INSTANCE, requestId: 'req-1', instances: [] };

const CELL = { uuid: INSTANCE, mappedHosts: 7, nodes: 7, instances: 0, readAtMs: null, schemaVersion: null };
const STATUS: NovaStatus = {
  api: { state: 'ready', reason: null, readAtMs: 0, schemaVersion: null },
  cells: [
    { ...CELL, name: 'cell1', state: 'ready', reason: null },
    { ...CELL, name: 'cell2', state: 'unreachable', reason: 'connect ECONNREFUSED' },
  ],
  leftOut: [],
  leftOutCount: 0,
  services: 0,
  version: 1,
};

const decidedWith = (refusal: Partial<SchedulingRefusal> | null): Decided =>
  ({
    decision: {
      code: refusal?.code ?? null,
      passes: [],
      request: null,
      placement: null,
      summary: { userMessage: 'The sentence for tenants.' },
    },
    placements: [],
    refusal: refusal === null ? null : { outcome: 'failed', message: 'For operators: host cmp1.', ...refusal },
  }) as unknown as Decided;

/** What happened to the record, and how often the scheduler decided. */
interface Observed {
  readonly failure: RpcFailure['failure'] | null;
  readonly events: readonly string[];
  readonly commands: readonly DecideCommand[];
  readonly log: string;
}

async function call(
  outcomes: readonly (Decided | Error)[],
  { args = bootCall()['args'] as Json, context = {} }: { args?: Json; context?: Partial<RpcContext> } = {},
): Promise<Observed> {
  const events: string[] = [];
  const commands: DecideCommand[] = [];
  const lines: unknown[] = [];
  const note = (event: string) => () => Promise.resolve(void events.push(event));
  const log = { error: () => undefined, info: () => undefined, debug: () => undefined, isLevelEnabled: () => false };
  const scheduler = new NovaScheduler(
    {
      decide: (command) => {
        commands.push(command);
        const outcome = outcomes[Math.min(commands.length, outcomes.length) - 1];
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome as Decided);
      },
    },
    assembleScheduler(DEFAULT_SCHEDULER_OPTIONS),
    { keep: () => void events.push('kept') },
    {
      open: () => Promise.resolve((events.push('open'), RECORD)),
      close: note('close'),
      undo: note('undo'),
      release: () => Promise.resolve((events.push('release'), true)),
    },
    { status: () => STATUS, refresh: () => Promise.resolve() },
    { ...log, warn: (fields, message) => void lines.push(fields, message) },
  );
  let failure: Observed['failure'] = null;
  try {
    await scheduler.selectDestinations(args, { ...CONTEXT, ...context }, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    ({ failure } = error);
  }
  return { failure, events, commands, log: JSON.stringify(lines) };
}

describe('the answer to a refusal', () => {
  it.each<[SchedulingRefusal['code'], string]>([
    ['scheduler.invalid_request', 'NoValidHost'],
    ['scheduler.unsupported', 'NoValidHost'],
    ['scheduler.no_candidates', 'NoValidHost'],
    ['scheduler.no_valid_host', 'NoValidHost'],
    ['scheduler.claims_lost', 'NoValidHost'],
    ['scheduler.search_gave_up', 'NoValidHost'],
    ['scheduler.generation_conflict', 'AllocationUpdateFailed'],
  ])('to %s is %s, and its record is closed', async (code, name) => {
    const { failure, events } = await call([decidedWith({ code })]);
    expect(failure).toMatchObject({ class: name, module: 'nova.exception' });
    expect(JSON.stringify(failure)).not.toContain('cmp1');
    expect(events).toEqual(['open', 'kept', 'close']);
  });

  it('is the sentence for tenants with the request id, in one line', async () => {
    const { failure } = await call([decidedWith({ code: 'scheduler.no_valid_host' })]);
    expect(failure?.kwargs).toEqual({ reason: 'The sentence for tenants. (request req-1)', code: 500 });
  });

  it('is tried again while the service is busy', async () => {
    const busy = decidedWith({ code: 'scheduler.unavailable' });
    const { failure, commands, events } = await call([busy, decidedWith({ code: 'scheduler.no_valid_host' })]);
    expect(commands).toHaveLength(2);
    expect(events).toEqual(['open', 'release', 'kept', 'close']);
    expect(failure?.class).toBe('NoValidHost');
  });

  it('is a RuntimeError when the caller has no time for another attempt', async () => {
    const expiresAtMs = Date.now() + 5_200;
    const { failure, commands, events } = await call([decidedWith({ code: 'scheduler.unavailable' })], {
      context: { expiresAtMs },
    });
    expect(commands).toHaveLength(1);
    expect(events).toEqual(['open', 'kept', 'undo']);
    expect(failure).toMatchObject({ class: 'RuntimeError', module: 'builtins' });
  });
});

describe('a call', () => {
  it('that fails leaves its record to be judged, and shows no cause', async () => {
    const { failure, events, log } = await call([new Error('SELECT secret')]);
    expect(failure).toMatchObject({ class: 'RuntimeError', message: 'The scheduler failed (request req-1).' });
    expect(events).toEqual(['open']);
    expect(log).not.toContain(TOKEN);
  });

  it.each<[string, Json, string]>([
    ['an unknown major version', { spec_obj: novaObject('RequestSpec', '2.0', {}) }, 'RuntimeError'],
    ['a flavor that breaks the schema', { spec_obj: bootSpec({ project_id: '', user_id: '' }) }, 'NoValidHost'],
  ])('with %s is refused before any claim', async (_what, change, name) => {
    const args = { ...(bootCall()['args'] as Json), ...change };
    const { failure, events } = await call([new InvalidInput('not reached')], { args });
    expect(failure?.class).toBe(name);
    expect(events).toEqual([]);
  });

  it('names the cells that are left out', async () => {
    const { commands } = await call([decidedWith(null)]);
    const why = 'it is unreachable, so its 7 hosts are left out: connect ECONNREFUSED';
    expect(commands[0]?.alsoIgnored).toEqual([{ field: 'cells.cell2', why }]);
  });

  it('that checks a rebuild has no record', async () => {
    const args = { ...(bootCall()['args'] as Json), spec_obj: bootSpec(REBUILD) };
    expect((await call([decidedWith(null)], { args })).events).toEqual(['kept']);
  });
});
