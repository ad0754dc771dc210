/** @jest-environment node */
// Change streams: reported events, reconnection and termination.
import type { ServerResponse } from 'node:http';
import { Calls } from './calls.ts';
import type { ChangeEvent } from './changes.ts';
import { streamChanges } from './changes.ts';
import { noauth } from './credentials.ts';
import { Forbidden, InvalidRequest } from './errors.ts';
import { CLIENT_LIMITS } from './limits.ts';
import type { ScriptedAnswer } from './scripted-server.fixture.ts';
import { answers, ScriptedServer } from './scripted-server.fixture.ts';
import { Session } from './session.ts';

jest.mock('./limits.ts', () => {
  const { CLIENT_LIMITS: usual } = jest.requireActual<{ CLIENT_LIMITS: object }>('./limits.ts');
  return { CLIENT_LIMITS: { ...usual, streamPauseMs: 5, pauseMs: 1, eventCharacters: 2_000 } };
});

const text = (event: string, id: string, data: object): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
const hello = (id: string): string => text('hello', id, { position: id, at: 'then' });
const change = (id: string): string =>
  text('change', id, { at: 'then', hosts: ['h'], hosts_truncated: false, kinds: ['usage'] });

/** Sends each piece as a separate chunk, then ends, breaks off or stays open. */
const streams =
  (pieces: readonly string[], then: 'ends' | 'breaks' | 'stays'): ScriptedAnswer =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (at: number): void => {
      const piece = pieces[at];
      if (piece !== undefined) response.write(piece, () => setImmediate(() => send(at + 1)));
      else if (then === 'ends') response.end();
      else if (then === 'breaks') response.socket?.destroy();
    };
    send(0);
  };

describe('changes', () => {
  let server: ScriptedServer;
  let calls: Calls;
  beforeEach(async () => {
    server = await ScriptedServer.start();
    calls = new Calls(new Session({ endpoint: server.url, credentials: noauth('admin') }), '1.39');
  });
  afterEach(() => server.stop());

  /** The first `count` events; then ends the iteration. */
  async function first(count: number, position?: string): Promise<readonly ChangeEvent[]> {
    const received: ChangeEvent[] = [];
    for await (const event of streamChanges(calls)({ position })) {
      received.push(event);
      if (received.length === count) break;
    }
    return received;
  }
  const asked = (): readonly string[] => server.received.map(({ url }) => url);

  it('are delivered with the position after each, for any split into chunks', async () => {
    const all = `${hello('p1')}: beat\nid: p2\n\n${change('p3')}`;
    server.plays(streams([...all], 'stays'));
    expect(await first(2)).toEqual([
      { event: 'hello', position: 'p1', at: 'then' },
      { event: 'change', position: 'p3', at: 'then', hosts: ['h'], hosts_truncated: false, kinds: ['usage'] },
    ]);
    expect(server.received[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'x-auth-token': 'admin' });
  });

  it('resume from the last position after a regular end, without a notice', async () => {
    server.plays(
      streams([hello('p1'), ': beat\nid: p2\n\n', text('bye', 'p2', { why: 'age' })], 'ends'),
      streams([hello('p2')], 'stays'),
    );
    expect((await first(2, 'p0')).map(({ event }) => event)).toEqual(['hello', 'hello']);
    expect(asked()).toEqual(['/reports/changes?position=p0', '/reports/changes?position=p2']);
  });

  it('say that a stream was lost, and try again', async () => {
    server.plays(
      streams([hello('p1')], 'breaks'),
      answers(503, {}, { 'retry-after': '0' }),
      streams([change('p2')], 'stays'),
    );
    const received = await first(4);
    expect(received.map(({ event }) => event)).toEqual(['hello', 'lost', 'lost', 'change']);
    expect(received[1]).toMatchObject({ position: 'p1' });
    expect(asked().slice(1)).toEqual(['/reports/changes?position=p1', '/reports/changes?position=p1']);
  });

  it('give up a stream that falls silent', async () => {
    const limits = CLIENT_LIMITS as { silenceMs: number };
    const usual = limits.silenceMs;
    let response: ServerResponse | undefined;
    const first: ScriptedAnswer = (given, received) => {
      response = given;
      streams([hello('p1')], 'stays')(given, received);
    };
    server.plays(first, streams([hello('p2')], 'stays'));
    const received: string[] = [];
    try {
      for await (const { event, position } of streamChanges(calls)()) {
        received.push(event);
        if (position === 'p2') break;
        // The silence timeout restarts with each sign of life, however long the first event took.
        limits.silenceMs = event === 'hello' ? 20 : usual;
        if (event === 'hello') response?.write(': beat\n\n');
      }
    } finally {
      limits.silenceMs = usual;
    }
    expect(received).toEqual(['hello', 'lost', 'hello']);
  });

  it('give up a stream whose event never ends', async () => {
    server.plays(
      streams([hello('p1'), 'x'.repeat(CLIENT_LIMITS.eventCharacters + 1)], 'stays'),
      streams([hello('p2')], 'stays'),
    );
    expect((await first(3)).map(({ event }) => event)).toEqual(['hello', 'lost', 'hello']);
  });

  it.each([
    [400, InvalidRequest],
    [403, Forbidden],
  ])('throw what no waiting mends: %i', async (status, kind) => {
    server.plays(answers(status, { errors: [{ status, detail: 'no' }] }));
    await expect(first(1)).rejects.toBeInstanceOf(kind);
    expect(server.received).toHaveLength(1);
  });

  it('end without a word when the signal says so, within a stream and between two', async () => {
    for (const answer of [streams([hello('p1')], 'stays'), answers(503, {}, { 'retry-after': '60' })]) {
      server.plays(answer);
      const end = new AbortController();
      const received: string[] = [];
      for await (const { event } of streamChanges(calls)({ signal: end.signal })) {
        received.push(event);
        setImmediate(() => end.abort(new Error('enough')));
      }
      expect(received).toHaveLength(1);
    }
  });
});
