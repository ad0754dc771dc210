import { Conflict, TooManyRequests, Unavailable, UnknownReference } from '../../platform/values/errors';
import { invalid, unsupported } from '../../scheduling-rules/request-spec/request-refusal';
import { NoSuchHost } from '../../scheduling-rules/request-spec/target-host';
import { noValidHost, Refused, refusedByPlacement, schedulingRefusalOf } from './refused';

it.each<[string, Error, object]>([
  [
    'an invalid request',
    invalid('flavor.vcpus', 'is odd'),
    { code: 'scheduler.invalid_request', outcome: 'refused', message: "'flavor.vcpus' is odd." },
  ],
  [
    'something not supported',
    unsupported('retry', 'is not'),
    { code: 'scheduler.unsupported', outcome: 'refused', message: "'retry' is not." },
  ],
  [
    'an unknown target',
    new NoSuchHost({ host: 'h', node: null }),
    {
      code: 'scheduler.no_valid_host',
      outcome: 'no_valid_host',
      message: 'No valid host was found. No such host - host: h node: None ',
    },
  ],
  [
    'no hosts',
    noValidHost('scheduler.no_candidates', 'None.'),
    {
      code: 'scheduler.no_candidates',
      outcome: 'no_valid_host',
      message: 'No valid host was found. None.',
    },
  ],
  [
    'what cannot be reached',
    new Unavailable('down'),
    { code: 'scheduler.unavailable', outcome: 'failed', message: 'down' },
  ],
  [
    'too much at a time',
    new TooManyRequests('wait'),
    { code: 'scheduler.too_many_requests', outcome: 'failed', message: 'wait' },
  ],
])('%s keeps its own message', (_, error, expected) => expect(schedulingRefusalOf(error)).toEqual(expected));

it.each([new TypeError('odd'), new Conflict('an unexpected domain error')])('%s is rethrown', (error) =>
  expect(() => schedulingRefusalOf(error)).toThrow(error),
);

it('a query that Placement refuses is a bad request; other errors stay unchanged', () => {
  expect(refusedByPlacement(new UnknownReference('No such trait.'))).toBeInstanceOf(Refused);
  for (const error of [new Unavailable('down'), new TooManyRequests('wait'), new TypeError('odd')]) {
    expect(refusedByPlacement(error)).toBe(error);
  }
});
