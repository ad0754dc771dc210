// The server against a real broker.
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { hasRabbit, Rabbit, RABBIT_PASSWORD } from '../../../test/support/rabbit';
import { bootCall, INSTANCE, TOKEN } from '../objects/captured.fixture';
import { noValidHost } from '../objects/failure';
import { readObject } from '../objects/versioned-object';
import type { RabbitOptions } from './rabbit-options';
import { rabbitOptionsFrom } from './rabbit-options';
import { bodyOf, hex, RpcClient, until } from './rpc-client.fixture';
import type { ReplyOutcome, RpcAnswer, RpcCall, RpcMethods } from './rpc-methods';
import { baseEndpoint, RpcFailure } from './rpc-methods';
import type { RpcLimits } from './rpc-server';
import { DEFAULT_LIMITS, RpcServer } from './rpc-server';
import { parseTransportUrl } from './transport-url';

type Json = Record<string, any>;

const DISPATCHER = 'oslo_messaging.rpc.dispatcher';

const isRequired = process.env['BERTH_REQUIRE_RABBITMQ'] === '1';
const suite = hasRabbit() || isRequired ? describe : describe.skip;
const name = hasRabbit() ? 'the server' : 'the server, with RabbitMQ, which is not installed (Debian: rabbitmq-server)';

suite(name, () => {
  let rabbit: Rabbit;
  let client: RpcClient;
  const servers: RpcServer[] = [];
  let lines: string[] = [];
  let outcomes: ReplyOutcome[] = [];
  let casts: Json[] = [];

  beforeAll(async () => {
    rabbit = await Rabbit.start();
  });
  afterAll(() => rabbit.remove());
  beforeEach(async () => {
    [lines, outcomes, casts] = [[], [], []];
    client = await clientOf();
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.drain()));
    await client.close();
  });

  const clientOf = (): Promise<RpcClient> => RpcClient.open(rabbit.transportUrl.replace('rabbit:', 'amqp:'));
  const write = (fields: object, message: string): void => {
    const texts = Object.values(fields).map((value) =>
      value instanceof Error ? value.message : JSON.stringify(value),
    );
    lines.push([message, ...texts].join(' '));
  };
  const log = { info: write, warn: write };
  const onReply = (outcome: ReplyOutcome): void => void outcomes.push(outcome);

  const methodsOf = (select: RpcCall, name = 'one'): RpcMethods => [
    {
      namespace: null,
      version: '4.5',
      calls: { select_destinations: select },
      casts: { sync_instance_info: (args) => void casts.push({ name, ...args }) },
      oldest: { select_destinations: '4.5' },
    },
    baseEndpoint('scheduler'),
  ];
  const echo: RpcCall = async (args) => ({ result: args, onReply });

  interface Start {
    readonly select?: RpcCall;
    readonly limits?: Partial<RpcLimits>;
    readonly rabbitOptions?: Record<string, string>;
    readonly url?: string;
    readonly name?: string;
  }

  const begin = ({ select = echo, limits, rabbitOptions = {}, url, name = 'one' }: Start): RpcServer => {
    const options: RabbitOptions = rabbitOptionsFrom({
      rabbit_retry_interval: '0',
      kombu_missing_consumer_retry_timeout: '3',
      ...rabbitOptions,
    });
    const server = new RpcServer(
      {
        exchange: 'nova',
        topic: 'scheduler',
        server: name,
        program: 'berth-scheduler',
        transport: parseTransportUrl(url ?? rabbit.transportUrl),
        rabbit: options,
        limits: { ...DEFAULT_LIMITS, drainMs: 10_000, ...limits },
      },
      methodsOf(select, name),
      log,
    );
    servers.push(server);
    server.start();
    return server;
  };
  const start = async (options: Start = {}): Promise<RpcServer> => {
    const server = begin(options);
    await until('a connection', () => server.isReady);
    return server;
  };

  describe('answers', () => {
    it('a call, with the result and the properties of a reply', async () => {
      await start({ select: async () => ({ result: [[{ a: 1 }]], onReply }) });
      const id = await client.call('select_destinations', {});
      const { properties, _unique_id: uniqueId, ...reply } = await client.replyTo(id);
      expect(reply).toEqual({ result: [[{ a: 1 }]], failure: null, ending: true, _msg_id: id });
      expect(uniqueId).toMatch(/^[0-9a-f]{32}$/);
      expect(properties).toMatchObject({
        contentType: 'application/json',
        contentEncoding: 'utf-8',
        deliveryMode: 2,
        priority: 0,
      });
      await until('an outcome', () => outcomes.length > 0);
      expect(outcomes).toEqual(['delivered']);
    });

    it('the captured boot, with its context and without its token in the log', async () => {
      const received: unknown[] = [];
      await start({
        select: async (args, context) => {
          received.push(args['instance_uuids'], readObject(args['spec_obj'], 'RequestSpec').version, context);
          throw new RpcFailure(noValidHost('All hosts are full.'));
        },
      });
      const { _reply_q: _, ...message } = bootCall();
      const sent = { ...message, _reply_q: client.replyQueue };
      await client.publish('nova', 'scheduler', bodyOf(sent), { expiration: '1800000' });
      const reply = await client.replyTo(sent['_msg_id'] as string);
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
        },
      ]);
      expect(lines.join('\n')).not.toContain(TOKEN);
    });

    it.each([
      ['an unknown method', 'fly', {}, 'NoSuchMethod', DISPATCHER],
      ['an unknown major version', 'select_destinations', { version: '5.0' }, 'UnsupportedVersion', DISPATCHER],
      ['a newer minor version', 'select_destinations', { version: '4.6' }, 'UnsupportedVersion', DISPATCHER],
      ['a version before the first', 'select_destinations', { version: '4.4' }, 'UnsupportedVersion', DISPATCHER],
      ['another namespace', 'select_destinations', { namespace: 'x' }, 'UnsupportedVersion', DISPATCHER],
      ['a method of objects', 'toString', {}, 'NoSuchMethod', DISPATCHER],
    ])('%s with a failure', async (_, method, message, name, module) => {
      await start();
      const reply = await client.replyTo(await client.call(method, {}, message));
      expect(JSON.parse(reply['failure'] as string)).toMatchObject({ class: name, module, tb: [] });
    });

    it('an unexpected error with a RuntimeError that hides its message', async () => {
      await start({ select: () => Promise.reject(new Error('the secret of the house')) });
      const reply = await client.replyTo(await client.call('select_destinations', {}));
      const failure = JSON.parse(reply['failure'] as string) as Json;
      expect(failure).toMatchObject({ class: 'RuntimeError', module: 'builtins' });
      expect(failure['message']).toContain('req-1');
      expect(reply['failure']).not.toContain('secret');
    });

    it('objects of an unknown major version with their name', async () => {
      await start({ select: async (args) => ({ result: readObject(args['spec'], 'RequestSpec').version }) });
      const spec = { 'nova_object.name': 'RequestSpec', 'nova_object.version': '2.0', 'nova_object.data': {} };
      const reply = await client.replyTo(await client.call('select_destinations', { spec }));
      const failure = JSON.parse(reply['failure'] as string) as Json;
      expect(failure['class']).toBe('IncompatibleObjectVersion');
      expect(failure['args'][0]).toContain("Version '2.0' of the versioned object RequestSpec");
    });

    it('a ping', async () => {
      await start();
      const id = await client.call('ping', { arg: 'x' }, { namespace: 'baseapi', version: '1.0' });
      expect((await client.replyTo(id))['result']).toEqual({ service: 'scheduler', arg: 'x' });
    });

    it('a message of 5 MB', async () => {
      await start();
      const args = { text: 'x'.repeat(5_000_000) };
      expect((await client.replyTo(await client.call('select_destinations', args)))['result']).toEqual(args);
    });

    it('a compressed message', async () => {
      await start();
      const id = hex();
      const body = bodyOf({
        method: 'select_destinations',
        args: { a: 1 },
        version: '4.5',
        _msg_id: id,
        _reply_q: client.replyQueue,
      });
      await client.publish('nova', 'scheduler', deflateSync(body), { headers: { compression: 'application/x-gzip' } });
      expect((await client.replyTo(id))['result']).toEqual({ a: 1 });
    });

    it('a call to the queue of its host', async () => {
      await start({ name: 'control' });
      const id = hex();
      const message = {
        method: 'select_destinations',
        args: {},
        version: '4.5',
        _msg_id: id,
        _reply_q: client.replyQueue,
      };
      await client.publish('nova', 'scheduler.control', bodyOf(message));
      expect(await client.replyTo(id)).toMatchObject({ ending: true });
    });
  });

  it('sends heartbeats at half of the timeout until the reply', async () => {
    await start({ select: () => sleep(3_500, { result: 'late' }) });
    const id = await client.call('select_destinations', {}, { _timeout: 2 });
    const reply = await client.replyTo(id);
    expect(reply['result']).toBe('late');
    const replies = client.repliesTo(id);
    expect(replies.map(({ ending }) => ending)).toEqual([false, false, false, true]);
    expect(replies[0]).toMatchObject({ result: null, failure: null });
    expect(new Set(replies.map(({ _unique_id: uniqueId }) => uniqueId)).size).toBe(4);
  });

  it('sends heartbeats to a call that waits for another one', async () => {
    await start({ limits: { callsInWork: 1 }, select: () => sleep(1_500, { result: 1 }) });
    await client.call('select_destinations', {});
    const second = await client.call('select_destinations', {}, { _timeout: 2 });
    await client.replyTo(second);
    expect(client.repliesTo(second).map(({ ending }) => ending)).toEqual([false, false, true]);
  });

  it('runs a repeated message once', async () => {
    const server = await start();
    const message = { _unique_id: hex() };
    const id = await client.call('select_destinations', {}, message);
    const repeated = await client.call('select_destinations', {}, message);
    const other = await client.call('select_destinations', {});
    await Promise.all([client.replyTo(id), client.replyTo(other)]);
    expect(client.repliesTo(repeated)).toEqual([]);
    expect(server.counters).toMatchObject({ calls: 2, duplicates: 1 });
  });

  it('gives each cast to every server, and each call to one', async () => {
    const [one, two] = await Promise.all([start({ name: 'one' }), start({ name: 'two' })]);
    await client.cast('sync_instance_info', { host_name: 'h' });
    await until('two casts', () => casts.length === 2);
    expect(casts.map(({ name }) => name).sort()).toEqual(['one', 'two']);
    const ids = await Promise.all([1, 2, 3, 4].map(() => client.call('select_destinations', {})));
    for (const id of ids) await client.replyTo(id);
    expect([one.counters.calls, two.counters.calls]).toEqual([2, 2]);
  });

  it('acknowledges, counts and drops what it cannot read, and logs none of it', async () => {
    const server = await start({ limits: { bodyBytes: 10_000 } });
    const bodies = [
      Buffer.from('garbage-content'),
      Buffer.from('[1]'),
      Buffer.from('{"oslo.version": "3.0", "oslo.message": "{}"}'),
      Buffer.from('{"oslo.version": "2.0", "oslo.message": "garbage-content"}'),
      bodyOf({ args: {} }),
      bodyOf({ method: 'select_destinations', args: ['garbage-content'] }),
      Buffer.alloc(10_001, 'x'),
    ];
    for (const body of bodies) await client.publish('nova', 'scheduler', body);
    await client.publish('nova', 'scheduler', Buffer.from('x'), { headers: { compression: 'application/x-bz2' } });
    await client.replyTo(await client.call('select_destinations', {}));
    expect(server.counters.refused).toBe(bodies.length + 1);
    expect(lines.join('\n')).not.toContain('garbage-content');
    expect(lines.join('\n')).toContain('its body has 10001 bytes; at most 10000 are accepted');
    expect(await messagesIn('scheduler')).toBe(0);
  });

  const messagesIn = async (queue: string): Promise<number> => {
    const rows = (await rabbit.control('list_queues', 'name', 'messages')).split('\n').map((row) => row.split('\t'));
    return Number(rows.find(([name]) => name === queue)?.[1] ?? NaN);
  };

  describe('without a caller', () => {
    it('reports a reply whose queue does not exist as returned, and the next one at once', async () => {
      await start({ rabbitOptions: { kombu_missing_consumer_retry_timeout: '1' } });
      const missing = { _reply_q: `reply_${hex()}` };
      await client.call('select_destinations', {}, missing);
      await until('an outcome', () => outcomes.length === 1);
      const before = Date.now();
      await client.call('select_destinations', {}, missing);
      await until('an outcome', () => outcomes.length === 2);
      expect(Date.now() - before).toBeLessThan(700);
      expect(outcomes).toEqual(['returned', 'returned']);
    });

    it('delivers the reply when the queue exists again', async () => {
      await start();
      await client.channel.deleteQueue(client.replyQueue);
      const id = await client.call('select_destinations', {});
      await sleep(600);
      await client.declareReplyQueue();
      await client.replyTo(id);
      await until('an outcome', () => outcomes.length > 0);
      expect(outcomes).toEqual(['delivered']);
    });

    it('aborts a call that has expired, and reports its reply as returned', async () => {
      let reason: unknown;
      const select: RpcCall = (_args, _context, signal) =>
        new Promise<RpcAnswer>((resolve) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve({ result: 1, onReply });
          }),
        );
      await start({ select });
      const id = await client.call('select_destinations', {}, {}, { expiration: '500' });
      await until('an outcome', () => outcomes.length > 0);
      expect(outcomes).toEqual(['returned']);
      expect(String(reason)).toContain('the caller does not wait any more');
      expect(client.repliesTo(id)).toEqual([]);
    });

    it('drops a call that expired while it waited', async () => {
      let runs = 0;
      const select: RpcCall = async () => {
        runs += 1;
        return sleep(1_500, { result: 1 });
      };
      await start({ select, limits: { callsInWork: 1 } });
      await client.call('select_destinations', {});
      await client.call('select_destinations', {}, {}, { expiration: '500' });
      await until('a log line', () => lines.some((line) => line.includes('A call was dropped before its start')));
      expect(runs).toBe(1);
    });
  });

  it('refuses calls over the limit of waiting ones', async () => {
    await start({ select: () => sleep(1_000, { result: 1 }), limits: { callsInWork: 1, callsWaiting: 1 } });
    const ids = [];
    for (let sent = 0; sent < 3; sent += 1) ids.push(await client.call('select_destinations', {}));
    const replies = await Promise.all(ids.map((id) => client.replyTo(id)));
    expect(replies.map(({ failure }) => failure === null)).toEqual([true, true, false]);
    expect(replies[2]?.['failure']).toContain('too many waiting calls');
  });

  describe('the broker', () => {
    it('has the queues of oslo.messaging, and their exchanges', async () => {
      await start({ name: 'control' });
      const queues = await rabbit.control('list_queues', 'name', 'durable', 'auto_delete', 'arguments', 'consumers');
      expect(queues).toMatch(/^scheduler\tfalse\tfalse\t\[\]\t1$/m);
      expect(queues).toMatch(/^scheduler\.control\tfalse\tfalse\t\[\]\t1$/m);
      expect(queues).toMatch(/^scheduler_fanout_[0-9a-f]{32}\tfalse\tfalse\t\[\{"x-expires",\s?1800000\}\]\t1$/m);
      const exchanges = await rabbit.control('list_exchanges', 'name', 'type', 'durable', 'auto_delete');
      expect(exchanges).toMatch(/^nova\ttopic\tfalse\tfalse$/m);
      expect(exchanges).toMatch(/^scheduler_fanout\tfanout\tfalse\ttrue$/m);
      expect(await rabbit.control('list_connections', 'client_properties')).toContain('berth-scheduler:');
    });

    it('keeps a queue that exists with other properties', async () => {
      await client.channel.deleteQueue('scheduler');
      await client.channel.assertQueue('scheduler', { durable: true });
      await start();
      await client.replyTo(await client.call('select_destinations', {}));
      await client.channel.deleteQueue('scheduler');
    });

    it.each([
      ['durable queues', { amqp_durable_queues: 'true' }, /^durable\ttrue/m],
      ['quorum queues', { rabbit_quorum_queue: 'true', rabbit_quorum_delivery_limit: '3' }, /"x-queue-type","quorum"/],
      ['a stream for casts', { rabbit_stream_fanout: 'true' }, /"x-queue-type","stream"/],
    ])('creates %s if the options say so', async (_, options, expected) => {
      await deleteAll();
      await start({ rabbitOptions: options });
      const queues = await rabbit.control('list_queues', 'name', 'durable', 'arguments');
      expect(queues.replace('scheduler\ttrue', 'durable\ttrue').replaceAll(', ', ',')).toMatch(expected);
      await client.replyTo(await client.call('select_destinations', {}));
      await client.cast('sync_instance_info', {});
      await until('a cast', () => casts.length > 0);
      await Promise.all(servers.splice(0).map((server) => server.drain()));
      await deleteAll();
    });

    const deleteAll = async (): Promise<void> => {
      for (const queue of ['scheduler', 'scheduler.one', 'scheduler_fanout']) await client.channel.deleteQueue(queue);
      for (const exchange of ['nova', 'scheduler_fanout']) await client.channel.deleteExchange(exchange);
    };

    it('can delete a queue: the server declares it again', async () => {
      const server = await start();
      await client.channel.deleteQueue('scheduler');
      await until('a restart', () => lines.some((line) => line.includes('cancelled the consumer of queue scheduler')));
      await until('a connection', () => server.isReady);
      await client.replyTo(await client.call('select_destinations', {}));
    });

    it('can restart while a call is in work', async () => {
      let finish: (answer: RpcAnswer) => void = () => undefined;
      const server = await start({
        select: () => new Promise((resolve) => (finish = resolve)),
        rabbitOptions: { kombu_missing_consumer_retry_timeout: '30' },
      });
      const id = await client.call('select_destinations', {});
      await until('a call', () => server.counters.calls === 1);
      await rabbit.stop();
      await until('the loss of the connections', () => !server.isReady);
      finish({ result: 'after the restart', onReply });
      await rabbit.run();
      const { replyQueue } = client;
      client = await clientOf();
      Object.assign(client, { replyQueue });
      await client.declareReplyQueue();
      expect((await client.replyTo(id))['result']).toBe('after the restart');
      await until('an outcome', () => outcomes.length > 0);
      expect(outcomes).toEqual(['delivered']);
      await until('a connection', () => server.isReady);
    });

    it('can block publishers: the reply arrives when it accepts messages again', async () => {
      let finish: (answer: RpcAnswer) => void = () => undefined;
      const server = await start({
        select: () => new Promise((resolve) => (finish = resolve)),
        rabbitOptions: { kombu_missing_consumer_retry_timeout: '30' },
      });
      const id = await client.call('select_destinations', {});
      await until('a call', () => server.counters.calls === 1);
      await rabbit.control('set_vm_memory_high_watermark', '0');
      finish({ result: 1, onReply });
      await until('a log line', () => lines.some((line) => line.includes('blocks all publishers')));
      await sleep(300);
      expect(outcomes).toEqual([]);
      await rabbit.control('set_vm_memory_high_watermark', '0.4');
      await client.replyTo(id);
      await until('an outcome', () => outcomes.length > 0);
      expect(outcomes).toEqual(['delivered']);
    });

    it('refuses wrong credentials, and the log has no password', async () => {
      const server = begin({ url: rabbit.transportUrl.replace('nova:', 'nova:wrong') });
      await until('a refusal', () => lines.some((line) => line.includes('ACCESS')));
      expect(server.isReady).toBe(false);
      const text = lines.join('\n');
      expect(text).not.toContain(RABBIT_PASSWORD);
      expect(text).not.toContain(encodeURIComponent(RABBIT_PASSWORD));
    });

    it.each(['PLAIN', 'AMQPLAIN'])('accepts %s', async (method) => {
      await start({ rabbitOptions: { rabbit_login_method: method } });
      await client.replyTo(await client.call('select_destinations', {}));
    });

    it('is used if the one before it is down', async () => {
      const [, rest = ''] = rabbit.transportUrl.split('://');
      await start({ url: `rabbit://nova:x@127.0.0.1:1,${rest}` });
      await client.replyTo(await client.call('select_destinations', {}));
    });
  });

  describe('a drain', () => {
    it('finishes calls in work and takes no others', async () => {
      const server = await start({
        select: () => sleep(1_000, { result: 'done', onReply }),
        limits: { callsInWork: 1 },
      });
      const ids = [await client.call('select_destinations', {}), await client.call('select_destinations', {})];
      await until('two calls', () => server.counters.calls === 2);
      const drained = server.drain();
      await sleep(300);
      await client.call('select_destinations', {});
      await drained;
      expect(ids.map((id) => client.repliesTo(id).length)).toEqual([1, 1]);
      expect(outcomes).toEqual(['delivered', 'delivered']);
      expect(await messagesIn('scheduler')).toBe(1);
      expect(await rabbit.control('list_queues', 'name')).not.toContain('scheduler_fanout_');
      await client.channel.purgeQueue('scheduler');
    });

    it('ends after its time, and aborts the calls', async () => {
      const select: RpcCall = (_args, _context, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ result: 1, onReply })));
      const server = await start({ select, limits: { drainMs: 300 } });
      await client.call('select_destinations', {});
      await until('a call', () => server.counters.calls === 1);
      await server.drain();
      expect(outcomes).toEqual(['returned']);
    });

    it('reports a reply that still waits for its queue', async () => {
      const server = await start({
        limits: { drainMs: 300 },
        rabbitOptions: { kombu_missing_consumer_retry_timeout: '60' },
      });
      await client.call('select_destinations', {}, { _reply_q: `reply_${hex()}` });
      await until('a call', () => server.counters.calls === 1);
      await server.drain();
      expect(outcomes).toEqual(['returned']);
    });

    it('ends although the broker does not answer, and the outcome of a reply is unconfirmed', async () => {
      let finish: (answer: RpcAnswer) => void = () => undefined;
      const server = await start({
        select: () => new Promise((resolve) => (finish = resolve)),
        limits: { drainMs: 300 },
      });
      await client.call('select_destinations', {});
      await until('a call', () => server.counters.calls === 1);
      rabbit.pause();
      finish({ result: 1, onReply });
      await server.drain();
      rabbit.resume();
      expect(outcomes).toEqual(['unconfirmed']);
    });

    it('ends before the first connection', async () => {
      const server = begin({ url: 'rabbit://nova:x@127.0.0.1:1/' });
      await sleep(100);
      await server.drain();
    });
  });
});
