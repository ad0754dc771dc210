// Checks the message broker with the connection of the service, without consuming a message.

import type { ChannelModel } from 'amqplib';
import { BrokerConnection } from '../rpc/broker-connection';
import type { RpcOptions } from '../rpc/rpc-server';
import type { Finding } from './finding';
import { failed, ok, warning } from './finding';

const SUBJECT = 'message broker';
const WAIT_MS = 15_000;

export async function checkBroker({ transport, rabbit, program, topic }: RpcOptions): Promise<readonly Finding[]> {
  let settle: (findings: readonly Finding[]) => void = () => undefined;
  const settled = new Promise<readonly Finding[]>((resolve) => (settle = resolve));
  let attempts = 0;
  const log = {
    info: () => undefined,
    warn: (_fields: object, message: string): void => {
      attempts += 1;
      if (attempts >= transport.brokers.length) settle([failed(SUBJECT, message)]);
    },
  };
  const connection = new BrokerConnection({ transport, rabbit, log, name: `${program}:check` }, async (model) => {
    settle([ok(SUBJECT, 'The connection works.'), await consumersOf(model, topic)]);
    return model.createChannel();
  });
  const timer = setTimeout(() => settle([failed(SUBJECT, `No answer within ${WAIT_MS / 1000} s.`)]), WAIT_MS);
  connection.start();
  try {
    return await settled;
  } finally {
    clearTimeout(timer);
    await connection.stop();
  }
}

/** A passive declaration of a queue that does not exist closes its channel. */
async function consumersOf(model: ChannelModel, queue: string): Promise<Finding> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  try {
    const { consumerCount, messageCount } = await channel.checkQueue(queue);
    if (consumerCount === 0) return ok(SUBJECT, `Queue ${queue} has no consumer and ${messageCount} messages.`);
    return warning(SUBJECT, `Queue ${queue} has ${consumerCount} consumers: stop nova-scheduler before the switch.`);
  } catch {
    return warning(
      SUBJECT,
      `Queue ${queue} does not exist. Berth creates it; nova-scheduler has not run on this broker.`,
    );
  }
}
