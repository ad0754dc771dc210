// The retry rules, against a server that fails in every way.
import type { Fetch } from './exchange.ts';
import {
  Client,
  NotFound,
  Refusal,
  Session,
  token,
  Unanswered,
  Unavailable,
  Unreachable,
  UnreadableAnswer,
} from './index.ts';
import type { ScriptedAnswer } from './scripted-server.fixture.ts';
import { answers, hangsUp, ScriptedServer, UNREACHABLE_URL } from './scripted-server.fixture.ts';
import type { SessionSettings } from './session.ts';

/** Retries without delay and without a practical time limit, for slow test machines. */
const PATIENT = { pauseMs: 1, retriesWithinMs: 1_000_000 };
const NOW = { 'retry-after': '0' };
const fine = answers(200, { traits: [] });

let server: ScriptedServer;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(() => server.stop());

const clientOf = (settings: Partial<SessionSettings> = {}): Client =>
  new Client(new Session({ endpoint: server.url, credentials: token('t'), retry: PATIENT, ...settings }), '1.39');

const claim = { allocations: {}, project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };
const request = { num_instances: 1, project_id: 'p', user_id: 'u', flavor: 'm1.small' };

/** One call of each kind that the retry rules distinguish. */
const CALLS = {
  'a list': (client: Client): Promise<unknown> => client.traits.list(),
  'a write that makes what its path names': (client: Client): Promise<unknown> => client.traits.create('CUSTOM_A'),
  'a question that is a POST': (client: Client): Promise<unknown> =>
    client.scheduler.selectDestinations({ ...request, dry_run: true }),
  'a claim with a generation': (client: Client): Promise<unknown> =>
    client.allocations.put('c', { ...claim, consumer_generation: 1 }),
  'a claim without one': (client: Client): Promise<unknown> => client.at('1.27').allocations.put('c', claim as never),
  'a release': (client: Client): Promise<unknown> => client.allocations.delete('c'),
  'a placement': (client: Client): Promise<unknown> => client.scheduler.selectDestinations(request),
} as const;
type Call = keyof typeof CALLS;

const REPEATABLE: readonly Call[] = [
  'a list',
  'a write that makes what its path names',
  'a question that is a POST',
  'a claim with a generation',
];
const ONCE: readonly Call[] = ['a claim without one', 'a release', 'a placement'];

const FAULTS = {
  'no answer': hangsUp,
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => response.socket?.destroy());
  },
  '503 with Retry-After': answers(503, {}, NOW),
  '502': answers(502, 'no gateway'),
  '504': answers(504, 'no gateway'),
} satisfies Record<string, ScriptedAnswer>;
type Fault = keyof typeof FAULTS;

const each = <A extends string, B extends string>(some: readonly A[], others: readonly B[]): [A, B][] =>
  some.flatMap((one) => others.map((other): [A, B] => [one, other]));

describe('is repeated', () => {
  it.each(each(REPEATABLE, Object.keys(FAULTS) as Fault[]))('%s after %s', async (call, fault) => {
    server.plays(FAULTS[fault], FAULTS[fault], fine);
    await CALLS[call](clientOf());
    expect(server.received).toHaveLength(3);
    expect(new Set(server.received.map(({ url, body }) => url + body)).size).toBe(1);
  });

  it.each(Object.keys(CALLS) as Call[])('%s after 429 with Retry-After: the service did nothing', async (call) => {
    server.plays(answers(429, {}, NOW), fine);
    await CALLS[call](clientOf());
    expect(server.received).toHaveLength(2);
  });

  it.each(Object.keys(CALLS) as Call[])('%s after a connection that was refused: nothing was sent', async (call) => {
    let asked = 0;
    const firstRefused: Fetch = (url, init) => {
      asked += 1;
      return fetch(asked === 1 ? UNREACHABLE_URL : url, init);
    };
    server.plays(fine);
    await CALLS[call](clientOf({ fetch: firstRefused }));
    expect([asked, server.received.length]).toEqual([2, 1]);
  });

  it('what its caller says may be done twice', async () => {
    server.plays(hangsUp, answers(204));
    await clientOf().allocations.delete('c', { repeatable: true });
    expect(server.received).toHaveLength(2);
  });
});

describe('is not repeated', () => {
  it.each(each(ONCE, Object.keys(FAULTS) as Fault[]))('%s after %s: it may have been done', async (call, fault) => {
    server.plays(FAULTS[fault], fine);
    const isUnanswered = fault === 'no answer' || fault === 'half an answer';
    await expect(CALLS[call](clientOf())).rejects.toThrow(isUnanswered ? Unanswered : Refusal);
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, ScriptedAnswer]>([
    ['503 without Retry-After', answers(503, {})],
    ['429 without Retry-After', answers(429, {})],
    ['500', answers(500, {}, NOW)],
    ['404', answers(404, {}, NOW)],
    ['a redirection', answers(307, '', { location: 'http://127.0.0.1:9/elsewhere', ...NOW })],
  ])('a list after %s', async (_, answer) => {
    server.plays(answer, fine);
    await expect(CALLS['a list'](clientOf())).rejects.toThrow(Refusal);
    expect(server.received).toHaveLength(1);
  });

  it('a list that its caller forbids to', async () => {
    server.plays(hangsUp, fine);
    await expect(clientOf().traits.list({}, { repeatable: false })).rejects.toThrow(Unanswered);
  });
});

describe('ends', () => {
  it('after so many tries, with what the last one threw', async () => {
    server.plays(hangsUp, hangsUp, answers(503, {}, NOW), fine);
    const call = clientOf({ retry: { ...PATIENT, tries: 3 } }).traits.list();
    await expect(call).rejects.toMatchObject({ constructor: Unavailable, tries: 3, retryAfterMs: 0 });
    expect(server.received).toHaveLength(3);
  });

  it('if there is no server', async () => {
    const call = clientOf({ endpoint: UNREACHABLE_URL, retry: { ...PATIENT, tries: 2 } }).allocations.delete('c');
    await expect(call).rejects.toMatchObject({
      constructor: Unreachable,
      tries: 2,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('at once if the service asks for a longer pause than there is time', async () => {
    server.plays(answers(503, {}, { 'retry-after': '3600' }), fine);
    await expect(clientOf().traits.list()).rejects.toMatchObject({ tries: 1, retryAfterMs: 3_600_000 });
  });

  it('when a try takes too long', async () => {
    server.plays(() => undefined);
    const call = clientOf({ timeoutMs: 1, retry: { ...PATIENT, tries: 2 } }).traits.list();
    await expect(call).rejects.toMatchObject({
      constructor: Unanswered,
      tries: 2,
      message: expect.stringContaining('within 1 ms'),
    });
    await expect(clientOf().traits.list({}, { timeoutMs: 1, repeatable: false })).rejects.toThrow(Unanswered);
  });

  it('when its caller has had enough: while it waits for an answer', async () => {
    const enough = new AbortController();
    server.plays(() => enough.abort('enough'));
    await expect(clientOf().traits.list({}, { signal: enough.signal })).rejects.toBe('enough');
    expect(server.received).toHaveLength(1);
  });

  it('when its caller has had enough: between two tries', async () => {
    const enough = new AbortController();
    const hour = { pauseMs: 3_600_000, retriesWithinMs: 10_000_000 };
    const thenEnough: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      // The pause has started once the handlers of this answer have run.
      setImmediate(() => setImmediate(() => enough.abort('enough')));
      return response;
    };
    server.plays(answers(503, '', { 'retry-after': '3600' }), fine);
    const client = clientOf({ retry: hour, fetch: thenEnough });
    await expect(client.traits.list({}, { signal: enough.signal })).rejects.toBe('enough');
    expect(server.received).toHaveLength(1);
  });

  it('before it begins, if its caller had enough already', async () => {
    await expect(clientOf().traits.list({}, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
    expect(server.received).toHaveLength(0);
  });

  it('with an answer that is too large, or no JSON', async () => {
    server.plays(answers(200, { traits: ['CUSTOM_A'] }));
    await expect(clientOf({ answerBytes: 10 }).traits.list()).rejects.toThrow(UnreadableAnswer);
    server.plays(answers(200, '<html>It works!</html>'));
    await expect(clientOf().traits.list()).rejects.toThrow('no JSON: <html>It works!');
    expect(server.received).toHaveLength(2);
  });
});

describe('a claim whose answer was lost', () => {
  const asked = {
    allocations: { '5E5E5E5E-0000-4000-8000-000000000000': { resources: { VCPU: 2, MEMORY_MB: 512 } } },
    project_id: 'p',
    user_id: 'u',
    consumer_type: 'INSTANCE',
    consumer_generation: null,
  };
  const conflict = answers(409, {
    errors: [
      {
        status: 409,
        code: 'placement.concurrent_update',
        detail: 'There was a conflict.\n\n consumer generation conflict - expected 1 but got null  ',
      },
    ],
  });
  const held = (change: object = {}): ScriptedAnswer =>
    answers(200, {
      allocations: {
        '5e5e5e5e-0000-4000-8000-000000000000': { generation: 3, resources: { MEMORY_MB: 512, VCPU: 2 } },
      },
      project_id: 'p',
      user_id: 'u',
      consumer_type: 'INSTANCE',
      consumer_generation: 1,
      ...change,
    });

  it('is made if the consumer holds it', async () => {
    server.plays(hangsUp, conflict, held());
    await clientOf().allocations.put('c', asked);
    expect(server.received.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
  });

  it.each<[string, object]>([
    ['other amounts', { allocations: { '5e5e5e5e-0000-4000-8000-000000000000': { resources: { VCPU: 2 } } } }],
    ['another owner', { project_id: 'q' }],
    ['another type', { consumer_type: 'MIGRATION' }],
    ['nothing', { allocations: {} }],
  ])('is a conflict where it holds %s', async (_, change) => {
    server.plays(hangsUp, conflict, held(change));
    await expect(clientOf().allocations.put('c', asked)).rejects.toMatchObject({ name: 'GenerationConflict' });
  });

  it('is a conflict if nothing was lost', async () => {
    server.plays(conflict, held());
    await expect(clientOf().allocations.put('c', asked)).rejects.toMatchObject({ isOfConsumer: true, tries: 1 });
    expect(server.received).toHaveLength(1);
  });

  it('is what it is refused for if that is something else', async () => {
    server.plays(hangsUp, answers(404, {}));
    await expect(clientOf().allocations.put('c', asked)).rejects.toThrow(NotFound);
  });
});
