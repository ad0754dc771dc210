// `transport_url` of oslo.messaging: `rabbit://USER:PASSWORD@HOST:PORT[,USER:PASSWORD@HOST2:PORT2]/VHOST?OPTION=VALUE`.
// No message shows a part of the address: with an unencoded character in the password, any part can be the password.

const SCHEMES = ['rabbit', 'kombu'];
const PORT = 5672;
const PORT_MAX = 65_535;
const BROKERS_MAX = 32;

/** A broker of the cluster. `password` is a secret. */
export interface Broker {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface TransportUrl {
  /** At least one. */
  readonly brokers: readonly Broker[];
  readonly virtualHost: string;
  /** Options that take precedence over those of `[oslo_messaging_rabbit]`. */
  readonly options: Readonly<Record<string, string>>;
}

export class TransportUrlError extends Error {
  override readonly name = 'TransportUrlError';
}

export function parseTransportUrl(text: string): TransportUrl {
  const [, scheme, hosts = '', path = '', query = ''] = /^([\w+]+):\/\/([^/?]*)([^?]*)\??(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || !SCHEMES.includes(scheme)) {
    throw new TransportUrlError('transport_url must start with rabbit:// to name a RabbitMQ broker.');
  }
  const parts = hosts.split(',');
  if (parts.length > BROKERS_MAX) throw new TransportUrlError(`transport_url has more than ${BROKERS_MAX} brokers.`);
  return {
    brokers: parts.map(brokerOf),
    // The path without its first slash; without a name it is the default virtual host.
    virtualHost: decoded(path.slice(1), 'virtual host') || '/',
    options: Object.fromEntries(new URLSearchParams(query)),
  };
}

function brokerOf(part: string, index: number): Broker {
  const at = part.lastIndexOf('@');
  const [user = '', ...password] = part.slice(0, Math.max(at, 0)).split(':');
  const address = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(part.slice(at + 1));
  const port = Number(address?.[3] ?? PORT);
  if (address === null || port < 1 || port > PORT_MAX) {
    throw new TransportUrlError(
      `Broker ${index + 1} of transport_url must be USER:PASSWORD@HOST:PORT. Percent-encode special characters.`,
    );
  }
  return {
    host: (address[1] ?? address[2]) || 'localhost',
    port,
    // RabbitMQ's default user, if the address names none.
    user: at < 0 ? 'guest' : decoded(user, 'user'),
    password: at < 0 ? 'guest' : decoded(password.join(':'), 'password'),
  };
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TransportUrlError(`The ${part} in transport_url has an invalid percent-encoding.`);
  }
}
