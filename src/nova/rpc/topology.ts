// Exchanges and queues of a topic. What exists is used as it is; what is missing is created with the options of
// `[oslo_messaging_rabbit]`. So a bus keeps the properties that its other services gave it.

import type { ChannelModel, Options } from 'amqplib';
import type { RabbitOptions } from './rabbit-options';

const NOT_FOUND = 404;
const SECOND_MS = 1_000;
/** A stream needs a limit of unacknowledged messages. */
const STREAM_PREFETCH = 100;

export interface Topic {
  readonly exchange: string;
  readonly topic: string;
  /** Name of this service's host. */
  readonly server: string;
  /** Makes the name of the fanout queue unique. */
  readonly fanoutId: string;
}

interface QueuePlan {
  readonly name: string;
  readonly exchange: string;
  readonly key: string;
  readonly options: Options.AssertQueue;
  readonly consume: Options.Consume;
  /** 0: unlimited. */
  readonly prefetch: number;
}

interface ExchangePlan {
  readonly name: string;
  readonly type: 'topic' | 'fanout';
  readonly options: Options.AssertExchange;
}

export interface Topology {
  readonly exchanges: readonly ExchangePlan[];
  readonly queues: readonly QueuePlan[];
  /** The queue of this process alone, which is deleted at the stop; null: all services share a stream. */
  readonly ownQueue: string | null;
}

export function topologyOf({ exchange, topic, server, fanoutId }: Topic, rabbit: RabbitOptions): Topology {
  const isDurable = rabbit.hasDurableQueues || rabbit.hasQuorumQueues;
  const properties = { durable: isDurable, autoDelete: rabbit.hasAutoDeleteQueues };
  const fanout = `${topic}_fanout`;
  const shared = {
    exchange,
    options: { ...properties, arguments: queueArguments(rabbit, rabbit.hasQuorumQueues) },
    consume: consumeOptions(rabbit),
    prefetch: rabbit.prefetchCount,
  };
  return {
    exchanges: [
      { name: exchange, type: 'topic', options: properties },
      { name: fanout, type: 'fanout', options: { durable: rabbit.hasTransientQuorumQueues, autoDelete: true } },
    ],
    queues: [
      { ...shared, name: topic, key: topic },
      { ...shared, name: `${topic}.${server}`, key: `${topic}.${server}` },
      rabbit.hasStreamFanout
        ? streamOf(fanout, topic, rabbit)
        : fanoutQueueOf(`${fanout}_${fanoutId}`, fanout, topic, rabbit),
    ],
    ownQueue: rabbit.hasStreamFanout ? null : `${fanout}_${fanoutId}`,
  };
}

function fanoutQueueOf(name: string, exchange: string, key: string, rabbit: RabbitOptions): QueuePlan {
  const { hasTransientQuorumQueues: isQuorum, transientQueuesTtlSeconds: ttl } = rabbit;
  const expiry = ttl > 0 && { 'x-expires': ttl * SECOND_MS };
  return {
    name,
    exchange,
    key,
    options: { durable: isQuorum, autoDelete: false, arguments: { ...queueArguments(rabbit, isQuorum), ...expiry } },
    consume: consumeOptions(rabbit),
    prefetch: rabbit.prefetchCount,
  };
}

/** One stream for all services: each consumer starts with the newest messages. */
const streamOf = (name: string, key: string, rabbit: RabbitOptions): QueuePlan => ({
  name,
  exchange: name,
  key,
  options: {
    durable: true,
    autoDelete: false,
    arguments: { 'x-queue-type': 'stream', 'x-max-age': `${rabbit.transientQueuesTtlSeconds}s` },
  },
  consume: { arguments: { 'x-stream-offset': 'last' } },
  prefetch: rabbit.prefetchCount || STREAM_PREFETCH,
});

function queueArguments(rabbit: RabbitOptions, isQuorum: boolean): Readonly<Record<string, unknown>> {
  if (!isQuorum) return rabbit.hasMirroredQueues ? { 'x-ha-policy': 'all' } : {};
  const { quorumDeliveryLimit, quorumMaxMemoryLength, quorumMaxMemoryBytes } = rabbit;
  return {
    'x-queue-type': 'quorum',
    ...(quorumDeliveryLimit > 0 && { 'x-delivery-limit': quorumDeliveryLimit }),
    ...(quorumMaxMemoryLength > 0 && { 'x-max-in-memory-length': quorumMaxMemoryLength }),
    ...(quorumMaxMemoryBytes > 0 && { 'x-max-in-memory-bytes': quorumMaxMemoryBytes }),
  };
}

const consumeOptions = ({ cancelsOnFailover }: RabbitOptions): Options.Consume =>
  cancelsOnFailover ? { arguments: { 'x-cancel-on-ha-failover': true } } : {};

/** Declares what is missing, and binds the queues. */
export async function declareTopology(model: ChannelModel, { exchanges, queues }: Topology): Promise<void> {
  for (const { name, type, options } of exchanges) {
    if (await exists(model, (channel) => channel.checkExchange(name))) continue;
    await onChannel(model, (channel) => channel.assertExchange(name, type, options));
  }
  for (const { name, exchange, key, options } of queues) {
    const isThere = await exists(model, (channel) => channel.checkQueue(name));
    await onChannel(model, async (channel) => {
      if (!isThere) await channel.assertQueue(name, options);
      await channel.bindQueue(name, exchange, key);
    });
  }
}

type Channel = Awaited<ReturnType<ChannelModel['createChannel']>>;

async function exists(model: ChannelModel, check: (channel: Channel) => Promise<unknown>): Promise<boolean> {
  try {
    await onChannel(model, check);
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === NOT_FOUND) return false;
    throw error;
  }
}

/** Uses a channel of its own, because the broker closes the channel of a refused declaration. */
async function onChannel(model: ChannelModel, use: (channel: Channel) => Promise<unknown>): Promise<void> {
  const channel = await model.createChannel();
  // The refusal reaches the caller as a rejection.
  channel.on('error', () => undefined);
  await use(channel);
  await channel.close();
}
