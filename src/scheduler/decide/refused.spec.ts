import { Conflict, Unavailable, UnknownReference } from '../../errors/domain-errors';
import { invalid, unsupported } from '../request/request-refusal';
import { NoSuchHost } from '../request/target-host';
import { Refused, noValidHost, refusalOf, refusedByPlacement } from './refused';

it.each<[string, Error, object]>([
  [
    'an invalid request',
    invalid('flavor.vcpus', 'is odd'),
    { status: 400, code: 'scheduler.invalid_request', outcome: 'refused', message: 'flavor.vcpus: is odd' },
  ],
  [
    'something not supported',
    unsupported('retry', 'is not'),
    { status: 400, code: 'scheduler.unsupported', outcome: 'refused', message: 'retry: is not' },
  ],
  [
    'a target that nobody knows',
    new NoSuchHost({ host: 'h', node: null }),
    {
      ...{ status: 409, code: 'scheduler.no_valid_host', outcome: 'no_valid_host' },
      message: 'No valid host was found. No such host - host: h node: None ',
    },
  ],
  [
    'no hosts',
    noValidHost('scheduler.no_candidates', 'None.'),
    {
      ...{ status: 409, code: 'scheduler.no_candidates', outcome: 'no_valid_host' },
      message: 'No valid host was found. None.',
    },
  ],
  [
    'what cannot be reached',
    new Unavailable('down'),
    { status: 503, code: 'scheduler.unavailable', outcome: 'failed', message: 'down' },
  ],
])('%s is told as it is', (_, error, expected) => expect(refusalOf(error)).toEqual(expected));

it.each([new TypeError('odd'), new Conflict('a domain error that nobody expected')])('%s is thrown on', (error) =>
  expect(() => refusalOf(error)).toThrow(error),
);

it('a query that placement refuses is a bad request; what is broken stays what it is', () => {
  expect(refusedByPlacement(new UnknownReference('No such trait.'))).toBeInstanceOf(Refused);
  for (const error of [new Unavailable('down'), new TypeError('odd')]) expect(refusedByPlacement(error)).toBe(error);
});
