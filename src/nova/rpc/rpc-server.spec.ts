// The server against a real broker: calls, casts and their refusals.
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { bootCall, INSTANCE, TOKEN } from '../objects/captured.fixture';
import { noValidHost } from '../objects/failure';
import { readObject } from '../objects/versioned-object';
import { bodyOf, hex, until } from './rpc-client.fixture';
import type { RpcAnswer, RpcCall } from './rpc-methods';
import { RpcFailure } from './rpc-methods';
import { describeWithRabbit } from './rpc-rig.fixture';

type Json = Record<string, any>;

const DISPATCHER = 'oslo_messaging.rpc.dispatcher';

describeWithRabbit('the server', (rig) => {
  describe('answers', () => {
    it('a call, with the result and the properties of a reply', async () => {
      await rig.start({ select: async () => ({ result: [[{ a: 1 }]], onReply: rig.onReply }) });
      const id = await rig.client.call('select_destinations', {});
      const { properties, _unique_id: uniqueId, ...reply } = await rig.client.replyTo(id);
      expect(reply).toEqual({ result: [[{ a: 1 }]], failure: null, ending: true, _msg_id: id });
      expect(uniqueId).toMatch(/^[0-9a-f]{32}$/);
      expect(properties).toMatchObject({
        contentType: 'application/json',
        contentEncoding: 'utf-8',
        deliveryMode: 2,
        priority: 0,
      });
      expect(await rig.outcomesOf(1)).toEqual(['delivered']);
    });

    it('the captured boot, with its context and without its token in the log', async () => {
      const received: unknown[] = [];
      await rig.start({
        select: async (args, context) => {
          received.push(args['instance_uuids'], readObject(args['spec_obj'], 'RequestSpec').version, context);
          throw new RpcFailure(noValidHost('All hosts are full.'));
        },
      });
      const sent: Json = {
        ...bootCall(),
        _reply_q: rig.client.replyQueue,
        _context_timestamp: '2026-11-22T01:27:59.232701',
      };
      await rig.client.publish('nova', 'scheduler', bodyOf(sent), { expiration: '1800000' });
      const reply = await rig.client.replyTo(sent['_msg_id'] as string);
      expect(JSON.parse(reply['failure'] as string)).toMatchObject({
        class: 'NoValidHost',
        module: 'nova.exception',
        args: ['No valid host was found. All hosts are full.'],
      });
      expect(reply['result']).toBeNull();
      expect(received).toEqual([
        [INSTANCE],
        '1.14',
        {
          requestId: 'req-2b9a288a-715d-4463-b513-57a6d673e9e4',
          globalRequestId: null,
          userId: '69a07054ea30488ab619d44e1599790e',
          projectId: 'c66dcb910cd6459ca5bd1b23d344d735',
          uniqueId: sent['_unique_id'],
          messageId: sent['_msg_id'],
          expiresAtMs: expect.any(Number),
          requestedAtMs: Date.parse('2026-11-22T01:27:59Z'),
          isCallerInDoubt: true,
        },
      ]);
      expect(rig.lines.join('\n')).not.toContain(TOKEN);
    });

    it.each([
      ['an unknown method', 'fly', {}, 'NoSuchMethod', DISPATCHER],
      ['an unknown major version', 'select_destinations', { version: '5.0' }, 'UnsupportedVersion', DISPATCHER],
      ['a newer minor version', 'select_destinations', { version: '4.6' }, 'UnsupportedVersion', DISPATCHER],
      ['a version before the first', 'select_destinations', { version: '4.4' }, 'UnsupportedVersion', DISPATCHER],
      ['another namespace', 'select_destinations', { namespace: 'x' }, 'UnsupportedVersion', DISPATCHER],
      ['a method of objects', 'toString', {}, 'NoSuchMethod', DISPATCHER],
    ])('%s with a failure', async (_, method, message, name, module) => {
      await rig.start();
      const reply = await rig.client.replyTo(await rig.client.call(method, {}, message));
      expect(JSON.parse(reply['failure'] as string)).toMatchObject({ class: name, module, tb: [] });
    });

    it('an unexpected error with a RuntimeError that hides its message', async () => {
      await rig.start({ select: () => Promise.reject(new Error('the secret of the house')) });
      const reply = await rig.client.replyTo(await rig.client.call('select_destinations', {}));
      const failure = JSON.parse(reply['failure'] as string) as Json;
      expect(failure).toMatchObject({ class: 'RuntimeError', module: 'builtins' });
      expect(failure['message']).toContain('req-1');
      expect(reply['failure']).not.toContain('secret');
    });

    it('objects of an unknown major version with their name', async () => {
      await rig.start({ select: async (args) => ({ result: readObject(args['spec'], 'RequestSpec').version }) });
      const spec = { 'nova_object.name': 'RequestSpec', 'nova_object.version': '2.0', 'nova_object.data': {} };
      const reply = await rig.client.replyTo(await rig.client.call('select_destinations', { spec }));
      const failure = JSON.parse(reply['failure'] as string) as Json;
      expect(failure['class']).toBe('IncompatibleObjectVersion');
      expect(failure['args'][0]).toContain("Version '2.0' of the versioned object RequestSpec");
    });

    it('a ping', async () => {
      await rig.start();
      const id = await rig.client.call('ping', { arg: 'x' }, { namespace: 'baseapi', version: '1.0' });
      expect((await rig.client.replyTo(id))['result']).toEqual({ service: 'scheduler', arg: 'x' });
    });

    it('a message of 5 MB', async () => {
      await rig.start();
      const args = { text: 'x'.repeat(5_000_000) };
      expect((await rig.client.replyTo(await rig.client.call('select_destinations', args)))['result']).toEqual(args);
    });

    it('a compressed message', async () => {
      await rig.start();
      const id = hex();
      const body = bodyOf({
        method: 'select_destinations',
        args: { a: 1 },
        version: '4.5',
        _msg_id: id,
        _reply_q: rig.client.replyQueue,
      });
      await rig.client.publish('nova', 'scheduler', deflateSync(body), {
        headers: { compression: 'application/x-gzip' },
      });
      expect((await rig.client.replyTo(id))['result']).toEqual({ a: 1 });
    });

    it('a call to the queue of its host', async () => {
      await rig.start({ name: 'control' });
      const id = hex();
      const message = {
        method: 'select_destinations',
        args: {},
        version: '4.5',
        _msg_id: id,
        _reply_q: rig.client.replyQueue,
      };
      await rig.client.publish('nova', 'scheduler.control', bodyOf(message));
      expect(await rig.client.replyTo(id)).toMatchObject({ ending: true });
    });
  });

  /** Answers after this number of heartbeats to any call. */
  const afterHeartbeats = (count: number) => async (): Promise<RpcAnswer> => {
    await until('heartbeats', () => rig.client.replies.length >= count);
    return { result: 'late' };
  };

  it('sends heartbeats at half of the timeout until the reply', async () => {
    await rig.start({ select: afterHeartbeats(3) });
    const startedAt = Date.now();
    const id = await rig.client.call('select_destinations', {}, { _timeout: 2 });
    const reply = await rig.client.replyTo(id);
    expect(reply).toMatchObject({ result: 'late', ending: true });
    expect(Date.now() - startedAt).toBeGreaterThan(2_900);
    const replies = rig.client.repliesTo(id);
    expect(replies[0]).toMatchObject({ result: null, failure: null, ending: false });
    expect(replies.slice(0, 3).map(({ ending }) => ending)).toEqual([false, false, false]);
    expect(new Set(replies.map(({ _unique_id: uniqueId }) => uniqueId)).size).toBe(replies.length);
  });

  it('sends heartbeats to a call that waits for another one', async () => {
    await rig.start({ limits: { callsInWork: 1 }, select: afterHeartbeats(2) });
    await rig.client.call('select_destinations', {});
    const second = await rig.client.call('select_destinations', {}, { _timeout: 2 });
    await rig.client.replyTo(second);
    const endings = rig.client.repliesTo(second).map(({ ending }) => ending);
    expect([endings.slice(0, 2), endings.at(-1)]).toEqual([[false, false], true]);
  });

  it.each([null, 0, 1, 'soon'])('sends no heartbeats for the timeout %p', async (timeout) => {
    await rig.start({ select: () => sleep(1_200, { result: 1 }) });
    const id = await rig.client.call('select_destinations', {}, { _timeout: timeout });
    await rig.client.replyTo(id);
    expect(rig.client.repliesTo(id)).toHaveLength(1);
  });

  it('runs a repeated message once', async () => {
    const server = await rig.start();
    const message = { _unique_id: hex() };
    const id = await rig.client.call('select_destinations', {}, message);
    const repeated = await rig.client.call('select_destinations', {}, message);
    const other = await rig.client.call('select_destinations', {});
    await Promise.all([rig.client.replyTo(id), rig.client.replyTo(other)]);
    expect(rig.client.repliesTo(repeated)).toEqual([]);
    expect(server.counters).toMatchObject({ calls: 2, duplicates: 1 });
  });

  it('gives each cast to every server, and each call to one', async () => {
    const [one, two] = await Promise.all([rig.start({ name: 'one' }), rig.start({ name: 'two' })]);
    await rig.client.cast('sync_instance_info', { host_name: 'h' });
    await until('two casts', () => rig.casts.length === 2);
    expect(rig.casts.map(({ name }) => name).sort()).toEqual(['one', 'two']);
    const ids = await Promise.all([1, 2, 3, 4].map(() => rig.client.call('select_destinations', {})));
    for (const id of ids) await rig.client.replyTo(id);
    expect([one.counters.calls, two.counters.calls]).toEqual([2, 2]);
  });

  it('acknowledges, counts and drops what it cannot read, and logs none of it', async () => {
    const server = await rig.start({ limits: { bodyBytes: 10_000 } });
    const bodies = [
      Buffer.from('garbage-content'),
      Buffer.from('[1]'),
      Buffer.from('{"oslo.version": "3.0", "oslo.message": "{}"}'),
      Buffer.from('{"oslo.version": "2.0", "oslo.message": "garbage-content"}'),
      bodyOf({ args: {} }),
      bodyOf({ method: 'select_destinations', args: ['garbage-content'] }),
      Buffer.alloc(10_001, 'x'),
    ];
    for (const body of bodies) await rig.client.publish('nova', 'scheduler', body);
    await rig.client.publish('nova', 'scheduler', Buffer.from('x'), { headers: { compression: 'application/x-bz2' } });
    await rig.client.replyTo(await rig.client.call('select_destinations', {}));
    expect(server.counters.refused).toBe(bodies.length + 1);
    expect(rig.lines.join('\n')).not.toContain('garbage-content');
    expect(rig.lines.join('\n')).toContain('its body has 10001 bytes; at most 10000 are accepted');
    expect(await rig.messagesIn('scheduler')).toBe(0);
  });

  describe('without a caller', () => {
    it('reports a reply whose queue does not exist as returned, and the next one at once', async () => {
      await rig.start({ rabbitOptions: { kombu_missing_consumer_retry_timeout: '1' } });
      const missing = { _reply_q: `reply_${hex()}` };
      await rig.client.call('select_destinations', {}, missing);
      await until('an outcome', () => rig.outcomes.length === 1);
      const before = Date.now();
      await rig.client.call('select_destinations', {}, missing);
      await until('an outcome', () => rig.outcomes.length === 2);
      expect(Date.now() - before).toBeLessThan(700);
      expect(rig.outcomes).toEqual(['returned', 'returned']);
    });

    it('delivers the reply when the queue exists again', async () => {
      await rig.start();
      await rig.client.channel.deleteQueue(rig.client.replyQueue);
      const id = await rig.client.call('select_destinations', {});
      await sleep(600);
      await rig.client.declareReplyQueue();
      await rig.client.replyTo(id);
      expect(await rig.outcomesOf(1)).toEqual(['delivered']);
    });

    it('aborts a call that has expired, and reports its reply as returned', async () => {
      let reason: unknown;
      const select: RpcCall = (_args, _context, signal) =>
        new Promise<RpcAnswer>((resolve) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve({ result: 1, onReply: rig.onReply });
          }),
        );
      await rig.start({ select });
      const id = await rig.client.call('select_destinations', {}, {}, { expiration: '500' });
      expect(await rig.outcomesOf(1)).toEqual(['returned']);
      expect(String(reason)).toContain('the caller does not wait any more');
      expect(rig.client.repliesTo(id)).toEqual([]);
    });

    it('drops a call that expired while it waited', async () => {
      let runs = 0;
      const select: RpcCall = async () => {
        runs += 1;
        return sleep(1_500, { result: 1 });
      };
      await rig.start({ select, limits: { callsInWork: 1 } });
      await rig.client.call('select_destinations', {});
      await rig.client.call('select_destinations', {}, {}, { expiration: '500' });
      await until('a log line', () => rig.lines.some((line) => line.includes('A call was dropped before its start')));
      expect(runs).toBe(1);
    });
  });

  it('refuses calls over the limit of waiting ones', async () => {
    await rig.start({ select: () => sleep(1_000, { result: 1 }), limits: { callsInWork: 1, callsWaiting: 1 } });
    const ids = [];
    for (let sent = 0; sent < 3; sent += 1) ids.push(await rig.client.call('select_destinations', {}));
    const replies = await Promise.all(ids.map((id) => rig.client.replyTo(id)));
    expect(replies.map(({ failure }) => failure === null)).toEqual([true, true, false]);
    expect(replies[2]?.['failure']).toContain('too many waiting calls');
  });
});
