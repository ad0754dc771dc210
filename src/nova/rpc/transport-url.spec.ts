import { parseTransportUrl } from './transport-url';

const broker = (host: string, port = 5672, user = 'nova', password = 'pw'): object => ({ host, port, user, password });

it.each([
  ['rabbit://nova:pw@h:5673/', [broker('h', 5673)], '/'],
  ['rabbit://nova:pw@h', [broker('h')], '/'],
  ['rabbit://nova:pw@h//', [broker('h')], '/'],
  ['rabbit://nova:pw@h/%2F', [broker('h')], '/'],
  ['rabbit://nova:pw@h/nova', [broker('h')], 'nova'],
  ['rabbit://nova:pw@h/a%25b', [broker('h')], 'a%b'],
  ['kombu://nova:pw@h/', [broker('h')], '/'],
  ['rabbit://nova:pw@one:1,nova:pw@two:2/v', [broker('one', 1), broker('two', 2)], 'v'],
  ['rabbit://n%40va:p%3Aw%2F@h/', [broker('h', 5672, 'n@va', 'p:w/')], '/'],
  ['rabbit://nova:p@s:s@h/', [broker('h', 5672, 'nova', 'p@s:s')], '/'],
  ['rabbit://nova:pw@[::1]:5673/', [broker('::1', 5673)], '/'],
  ['rabbit://h/', [broker('h', 5672, 'guest', 'guest')], '/'],
  ['rabbit://', [broker('localhost', 5672, 'guest', 'guest')], '/'],
])('reads %s', (url, brokers, virtualHost) => {
  expect(parseTransportUrl(url)).toEqual({ brokers, virtualHost, options: {} });
});

it('has options in its query', () => {
  expect(parseTransportUrl('rabbit://h/v?ssl=1&ssl_ca_file=/etc/ca.pem').options).toEqual({
    ssl: '1',
    ssl_ca_file: '/etc/ca.pem',
  });
});

it.each([
  ['amqp://nova:SECRET@h/', 'rabbit://'],
  ['SECRET', 'rabbit://'],
  ['rabbit://nova:SECRET@h:port/', 'Broker 1'],
  ['rabbit://nova:pw@h,nova:SEC/RET@h/', 'Broker 2'],
  ['rabbit://nova:SECRET@h:70000/', 'Broker 1'],
  ['rabbit://nova:SECRET%zz@h/', 'password'],
  [`rabbit://${'SECRET@h,'.repeat(33)}/`, 'more than 32'],
])('refuses %s and shows no part of it', (url, message) => {
  const parse = (): unknown => parseTransportUrl(url);
  expect(parse).toThrow(message);
  expect(parse).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/SEC|RET/) }));
});
