// Options of `[oslo_messaging_rabbit]`, with oslo.messaging's names and defaults. All services of one bus must agree on
// those that change queues and exchanges: the broker refuses a declaration that differs.

import { booleanOf } from '../../scheduling-rules/request-spec/boolean-text';

const LOGIN_METHODS = ['AMQPLAIN', 'PLAIN', 'EXTERNAL'] as const;

interface Option<T> {
  readonly name: string;
  readonly fallback: T;
  readonly parse: (text: string) => T | null;
  readonly expected: string;
}

const flag = (name: string): Option<boolean> => ({
  name,
  fallback: false,
  parse: booleanOf,
  expected: 'true or false',
});

const text = (name: string): Option<string> => ({ name, fallback: '', parse: (value) => value, expected: 'a text' });

const number = (name: string, fallback: number): Option<number> => ({
  name,
  fallback,
  parse: (value) => (/^\d{1,12}$/.test(value) ? Number(value) : null),
  expected: 'a whole number',
});

const loginMethod: Option<(typeof LOGIN_METHODS)[number]> = {
  name: 'rabbit_login_method',
  fallback: 'AMQPLAIN',
  parse: (value) => LOGIN_METHODS.find((method) => method === value.toUpperCase()) ?? null,
  expected: LOGIN_METHODS.join(', '),
};

const OPTIONS = {
  isTls: flag('ssl'),
  /** Files; empty: none. With a certificate authority, the broker's certificate is verified. */
  caFile: text('ssl_ca_file'),
  certificateFile: text('ssl_cert_file'),
  keyFile: text('ssl_key_file'),
  verifiesHostname: flag('ssl_enforce_hostname_verification'),
  loginMethod,
  retryIntervalSeconds: number('rabbit_retry_interval', 1),
  retryBackoffSeconds: number('rabbit_retry_backoff', 2),
  retryIntervalMaxSeconds: number('rabbit_interval_max', 30),
  /** Heartbeat of a connection; 0: none. */
  heartbeatSeconds: number('heartbeat_timeout_threshold', 60),
  hasDurableQueues: flag('amqp_durable_queues'),
  hasAutoDeleteQueues: flag('amqp_auto_delete'),
  hasQuorumQueues: flag('rabbit_quorum_queue'),
  /** Quorum queues for fanout as well. */
  hasTransientQuorumQueues: flag('rabbit_transient_quorum_queue'),
  /** Limits of quorum queues; 0: none. */
  quorumDeliveryLimit: number('rabbit_quorum_delivery_limit', 0),
  quorumMaxMemoryLength: number('rabbit_quorum_max_memory_length', 0),
  quorumMaxMemoryBytes: number('rabbit_quorum_max_memory_bytes', 0),
  hasMirroredQueues: flag('rabbit_ha_queues'),
  /** How long a fanout queue exists without a consumer; 0: for ever. */
  transientQueuesTtlSeconds: number('rabbit_transient_queues_ttl', 1_800),
  /** One shared stream instead of a fanout queue for each service. */
  hasStreamFanout: flag('rabbit_stream_fanout'),
  cancelsOnFailover: flag('enable_cancel_on_failover'),
  /** 0: unlimited. */
  prefetchCount: number('rabbit_qos_prefetch_count', 0),
  /** How long a reply is sent again while its queue does not exist. */
  missingConsumerRetrySeconds: number('kombu_missing_consumer_retry_timeout', 60),
};

export type RabbitOptions = { readonly [Key in keyof typeof OPTIONS]: (typeof OPTIONS)[Key]['fallback'] };

/** Names of the options that are read. */
export const RABBIT_OPTION_NAMES: readonly string[] = Object.values(OPTIONS).map(({ name }) => name);

/** Options from their texts; a missing one has its default. Names that are not in the table are ignored. */
export function rabbitOptionsFrom(values: Readonly<Record<string, string>>): RabbitOptions {
  const entries = Object.entries(OPTIONS).map(([key, option]) => [key, valueOf(option, values[option.name])]);
  return Object.fromEntries(entries) as RabbitOptions;
}

function valueOf({ name, fallback, parse, expected }: Option<unknown>, value: string | undefined): unknown {
  if (value === undefined) return fallback;
  const parsed = parse(value.trim());
  if (parsed === null) {
    throw new RangeError(`Option ${name} of [oslo_messaging_rabbit] is '${value}'. It must be ${expected}.`);
  }
  return parsed;
}
