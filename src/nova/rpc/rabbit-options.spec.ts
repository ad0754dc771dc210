import type { RabbitOptions } from './rabbit-options';
import { RABBIT_OPTION_NAMES, rabbitOptionsFrom } from './rabbit-options';
import type { Topology } from './topology';
import { topologyOf } from './topology';

it('has the defaults of oslo.messaging', () => {
  expect(rabbitOptionsFrom({})).toMatchObject({
    isTls: false,
    loginMethod: 'AMQPLAIN',
    retryIntervalSeconds: 1,
    retryBackoffSeconds: 2,
    retryIntervalMaxSeconds: 30,
    heartbeatSeconds: 60,
    transientQueuesTtlSeconds: 1_800,
    missingConsumerRetrySeconds: 60,
    prefetchCount: 0,
  });
});

it.each<[string, string, Partial<RabbitOptions>]>([
  ['ssl', 'True', { isTls: true }],
  ['ssl', '0', { isTls: false }],
  ['rabbit_login_method', 'plain', { loginMethod: 'PLAIN' }],
  ['heartbeat_timeout_threshold', ' 0 ', { heartbeatSeconds: 0 }],
  ['ssl_ca_file', '/etc/ca.pem', { caFile: '/etc/ca.pem' }],
  ['unknown', 'x', {}],
])('reads %s = %s', (name, value, expected) => {
  expect(rabbitOptionsFrom({ [name]: value })).toEqual({ ...rabbitOptionsFrom({}), ...expected });
});

it.each([
  ['ssl', 'maybe', 'true or false'],
  ['rabbit_login_method', 'GSSAPI', 'AMQPLAIN, PLAIN, EXTERNAL'],
  ['rabbit_interval_max', '-1', 'a whole number'],
])('refuses %s = %s with the expected values', (name, value, expected) => {
  expect(() => rabbitOptionsFrom({ [name]: value })).toThrow(
    `Option ${name} of [oslo_messaging_rabbit] is '${value}'. It must be ${expected}.`,
  );
});

it('names each option once', () => expect(new Set(RABBIT_OPTION_NAMES).size).toBe(RABBIT_OPTION_NAMES.length));

describe('the queues', () => {
  const topic = { exchange: 'nova', topic: 'scheduler', server: 'control', fanoutId: 'f' };
  const planOf = (options: Record<string, string>): Topology => topologyOf(topic, rabbitOptionsFrom(options));

  it.each([
    ['by default', {}, [false, {}], [false, { 'x-expires': 1_800_000 }]],
    ['durable', { amqp_durable_queues: '1' }, [true, {}], [false, { 'x-expires': 1_800_000 }]],
    ['without expiry', { rabbit_transient_queues_ttl: '0' }, [false, {}], [false, {}]],
    [
      'mirrored',
      { rabbit_ha_queues: '1' },
      [false, { 'x-ha-policy': 'all' }],
      [false, { 'x-ha-policy': 'all', 'x-expires': 1_800_000 }],
    ],
    [
      'quorum',
      { rabbit_quorum_queue: '1', rabbit_quorum_delivery_limit: '2', rabbit_quorum_max_memory_bytes: '9' },
      [true, { 'x-queue-type': 'quorum', 'x-delivery-limit': 2, 'x-max-in-memory-bytes': 9 }],
      [false, { 'x-expires': 1_800_000 }],
    ],
    [
      'transient quorum',
      { rabbit_transient_quorum_queue: '1', rabbit_quorum_max_memory_length: '3' },
      [false, {}],
      [true, { 'x-queue-type': 'quorum', 'x-max-in-memory-length': 3, 'x-expires': 1_800_000 }],
    ],
    [
      'a stream for casts',
      { rabbit_stream_fanout: '1' },
      [false, {}],
      [true, { 'x-queue-type': 'stream', 'x-max-age': '1800s' }],
    ],
  ])('%s have the properties of oslo.messaging', (_, options, shared, fanout) => {
    const { queues } = planOf(options);
    const properties = queues.map((queue) => [queue.options.durable, queue.options.arguments]);
    expect(properties).toEqual([shared, shared, fanout]);
  });

  it('are bound to their exchanges', () => {
    expect(planOf({}).queues.map(({ name, exchange, key }) => [name, exchange, key])).toEqual([
      ['scheduler', 'nova', 'scheduler'],
      ['scheduler.control', 'nova', 'scheduler.control'],
      ['scheduler_fanout_f', 'scheduler_fanout', 'scheduler'],
    ]);
  });

  it('for casts belong to one process, unless they are a stream', () => {
    expect(planOf({}).ownQueue).toBe('scheduler_fanout_f');
    expect(planOf({ rabbit_stream_fanout: '1' }).ownQueue).toBeNull();
  });

  it('of a stream limit unacknowledged messages', () => {
    expect(planOf({ rabbit_stream_fanout: '1' }).queues.map(({ prefetch }) => prefetch)).toEqual([0, 0, 100]);
  });
});
