// The server and faults of its broker: what exists already, what is gone, blocked or silent; and the end of the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { Certificates } from '../../../test/support/certificates';
import { RABBIT_PASSWORD } from '../../../test/support/rabbit';
import { hex, until } from './rpc-client.fixture';
import type { RpcCall } from './rpc-methods';
import { describeWithRabbit } from './rpc-rig.fixture';

/** Replies wait longer than the broker is away. */
const PATIENT = { rabbitOptions: { kombu_missing_consumer_retry_timeout: '30' } };

describeWithRabbit('the server', (rig) => {
  describe('the broker', () => {
    it('has the queues of oslo.messaging, and their exchanges', async () => {
      await rig.start({ name: 'control' });
      const queues = await rig.rabbit.control(
        'list_queues',
        'name',
        'durable',
        'auto_delete',
        'arguments',
        'consumers',
      );
      expect(queues).toMatch(/^scheduler\tfalse\tfalse\t\[\]\t1$/m);
      expect(queues).toMatch(/^scheduler\.control\tfalse\tfalse\t\[\]\t1$/m);
      expect(queues).toMatch(/^scheduler_fanout_[0-9a-f]{32}\tfalse\tfalse\t\[\{"x-expires",\s?1800000\}\]\t1$/m);
      const exchanges = await rig.rabbit.control('list_exchanges', 'name', 'type', 'durable', 'auto_delete');
      expect(exchanges).toMatch(/^nova\ttopic\tfalse\tfalse$/m);
      expect(exchanges).toMatch(/^scheduler_fanout\tfanout\tfalse\ttrue$/m);
      expect(await rig.rabbit.control('list_connections', 'client_properties')).toContain('berth-scheduler:');
    });

    it('keeps a queue that exists with other properties', async () => {
      await rig.client.channel.deleteQueue('scheduler');
      await rig.client.channel.assertQueue('scheduler', { durable: true });
      await rig.start();
      await rig.client.replyTo(await rig.client.call('select_destinations', {}));
      await rig.client.channel.deleteQueue('scheduler');
    });

    it.each([
      ['durable queues', { amqp_durable_queues: 'true' }, /^durable\ttrue/m],
      ['quorum queues', { rabbit_quorum_queue: 'true', rabbit_quorum_delivery_limit: '3' }, /"x-queue-type","quorum"/],
      ['a stream for casts', { rabbit_stream_fanout: 'true' }, /"x-queue-type","stream"/],
    ])('creates %s if the options say so', async (_, options, expected) => {
      await deleteAll();
      await rig.start({ rabbitOptions: options });
      const queues = await rig.rabbit.control('list_queues', 'name', 'durable', 'arguments');
      expect(queues.replace('scheduler\ttrue', 'durable\ttrue').replaceAll(', ', ',')).toMatch(expected);
      await rig.client.replyTo(await rig.client.call('select_destinations', {}));
      await rig.client.cast('sync_instance_info', {});
      await until('a cast', () => rig.casts.length > 0);
      await rig.stopServers();
      await deleteAll();
    });

    const deleteAll = async (): Promise<void> => {
      for (const queue of ['scheduler', 'scheduler.one', 'scheduler_fanout'])
        await rig.client.channel.deleteQueue(queue);
      for (const exchange of ['nova', 'scheduler_fanout']) await rig.client.channel.deleteExchange(exchange);
    };

    it('can delete a queue: the server declares it again', async () => {
      const server = await rig.start();
      await rig.client.channel.deleteQueue('scheduler');
      await rig.logged('cancelled the consumer of queue scheduler');
      await until('a connection', () => server.isReady);
      await rig.client.replyTo(await rig.client.call('select_destinations', {}));
    });

    it('can restart while a call is in work', async () => {
      const { server, id, finish } = await rig.startWithCall(PATIENT);
      await rig.rabbit.stop();
      await until('the loss of the connections', () => !server.isReady);
      finish({ result: 'after the restart', onReply: rig.onReply });
      await rig.rabbit.run();
      const { replyQueue } = rig.client;
      // The caller declares its queue again.
      rig.client = await rig.newClient();
      Object.assign(rig.client, { replyQueue });
      await rig.client.declareReplyQueue();
      expect((await rig.client.replyTo(id))['result']).toBe('after the restart');
      expect(await rig.outcomesOf(1)).toEqual(['delivered']);
      await until('a connection', () => server.isReady);
    });

    it('can block publishers: the reply arrives when it accepts messages again', async () => {
      const { id, finish } = await rig.startWithCall(PATIENT);
      await rig.rabbit.control('set_vm_memory_high_watermark', '0');
      finish({ result: 1, onReply: rig.onReply });
      await rig.logged('blocks all publishers');
      await sleep(300);
      expect(rig.outcomes).toEqual([]);
      await rig.rabbit.control('set_vm_memory_high_watermark', '0.4');
      await rig.client.replyTo(id);
      expect(await rig.outcomesOf(1)).toEqual(['delivered']);
    });

    it('refuses wrong credentials, and the log has no password', async () => {
      const server = rig.startServer({ url: rig.rabbit.transportUrl.replace('nova:', 'nova:wrong') });
      await rig.logged('ACCESS');
      expect(server.isReady).toBe(false);
      const text = rig.lines.join('\n');
      expect(text).not.toContain(RABBIT_PASSWORD);
      expect(text).not.toContain(encodeURIComponent(RABBIT_PASSWORD));
    });

    it.each(['PLAIN', 'AMQPLAIN'])('accepts %s', async (method) => {
      await rig.start({ rabbitOptions: { rabbit_login_method: method } });
      await rig.client.replyTo(await rig.client.call('select_destinations', {}));
    });

    it('is used if the one before it is down', async () => {
      const [, rest = ''] = rig.rabbit.transportUrl.split('://');
      await rig.start({ url: `rabbit://nova:x@127.0.0.1:1,${rest}` });
      await rig.client.replyTo(await rig.client.call('select_destinations', {}));
    });
  });

  describe('a drain', () => {
    it('finishes calls in work and takes no others', async () => {
      const server = await rig.start({
        select: () => sleep(1_000, { result: 'done', onReply: rig.onReply }),
        limits: { callsInWork: 1 },
      });
      const ids = [await rig.client.call('select_destinations', {}), await rig.client.call('select_destinations', {})];
      await until('two calls', () => server.counters.calls === 2);
      const drained = server.drain();
      await sleep(300);
      await rig.client.call('select_destinations', {});
      await drained;
      // The broker confirms a reply before its caller has it.
      for (const id of ids) await rig.client.replyTo(id);
      expect(ids.map((id) => rig.client.repliesTo(id).length)).toEqual([1, 1]);
      expect(rig.outcomes).toEqual(['delivered', 'delivered']);
      expect(await rig.messagesIn('scheduler')).toBe(1);
      expect(await rig.rabbit.control('list_queues', 'name')).not.toContain('scheduler_fanout_');
      await rig.client.channel.purgeQueue('scheduler');
    });

    it('ends after its time, and aborts the calls', async () => {
      const select: RpcCall = (_args, _context, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ result: 1, onReply: rig.onReply })));
      const server = await rig.start({ select, limits: { drainMs: 300 } });
      await rig.client.call('select_destinations', {});
      await until('a call', () => server.counters.calls === 1);
      await server.drain();
      expect(rig.outcomes).toEqual(['returned']);
    });

    it('reports a reply that still waits for its queue', async () => {
      const server = await rig.start({
        limits: { drainMs: 300 },
        rabbitOptions: { kombu_missing_consumer_retry_timeout: '60' },
      });
      await rig.client.call('select_destinations', {}, { _reply_q: `reply_${hex()}` });
      await until('a call', () => server.counters.calls === 1);
      await server.drain();
      expect(rig.outcomes).toEqual(['returned']);
    });

    it('ends although the broker does not answer, and the outcome of a reply is unconfirmed', async () => {
      const { server, finish } = await rig.startWithCall({ limits: { drainMs: 300 } });
      rig.rabbit.pause();
      finish({ result: 1, onReply: rig.onReply });
      await server.drain();
      rig.rabbit.resume();
      expect(rig.outcomes).toEqual(['unconfirmed']);
    });

    it('does not connect again if its connection ends meanwhile', async () => {
      const { server, finish } = await rig.startWithCall(PATIENT);
      const drained = server.drain();
      await rig.rabbit.control('close_all_connections', 'test');
      finish({ result: 1, onReply: rig.onReply });
      rig.client = await rig.newClient();
      await drained;
      expect(rig.lines.filter((line) => line.startsWith('Connected') && line.includes(':requests'))).toHaveLength(1);
    });

    it('ends before the first connection', async () => {
      const server = rig.startServer({ url: 'rabbit://nova:x@127.0.0.1:1/' });
      await sleep(100);
      await server.drain();
    });
  });
});

describe('TLS', () => {
  const certificates = new Certificates();
  beforeAll(() => {
    for (const name of ['authority', 'stranger']) certificates.authority(name);
    certificates.issue('broker', { by: 'authority', alternative: 'DNS:broker.test' });
  });
  afterAll(() => certificates.remove());

  const broker = (): { authority: string; certificate: string; key: string } => ({
    authority: certificates.file('authority.crt'),
    certificate: certificates.file('broker.crt'),
    key: certificates.file('broker.key'),
  });

  describeWithRabbit(
    'to the broker',
    (rig) => {
      it.each([
        ['with the authority', () => ({ ssl_ca_file: certificates.file('authority.crt') })],
        ['without an authority, unverified', () => ({})],
      ])('is used %s', async (_, options) => {
        await rig.start({ url: rig.rabbit.tlsTransportUrl, rabbitOptions: { ssl: 'true', ...options() } });
        await rig.client.replyTo(await rig.client.call('select_destinations', {}));
      });

      it.each([
        ['another authority', () => ({ ssl_ca_file: certificates.file('stranger.crt') }), 'certificate'],
        [
          'another host name',
          () => ({ ssl_ca_file: certificates.file('authority.crt'), ssl_enforce_hostname_verification: 'true' }),
          "IP: 127.0.0.1 is not in the cert's list",
        ],
        ['a missing file', () => ({ ssl_ca_file: '/nonexistent/ca.pem' }), '/nonexistent/ca.pem'],
      ])('is refused with %s', async (_, options, reason) => {
        const rabbitOptions = { ssl: 'true', rabbit_retry_interval: '1', ...options() };
        const server = rig.startServer({ url: rig.rabbit.tlsTransportUrl, rabbitOptions });
        await rig.logged(reason);
        expect(server.isReady).toBe(false);
      });
    },
    broker,
  );
});
