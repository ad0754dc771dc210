import type { UnderstoodRequest } from './decision-document';
import { headlineOf } from './decision-headline';
import { decision, pass } from './decision.fixture';

/** Only the fields that a headline reads. */
const request = (given: object): UnderstoodRequest =>
  ({
    flavor: { name: 'cutter' },
    image: { name: 'debian' },
    num_instances: 1,
    availability_zone: null,
    ...given,
  }) as UnderstoodRequest;

const on = (host: string) => pass({ selected: { host, node: host } });

describe('the headline of a decision', () => {
  it.each([
    ['one instance', decision({ request: request({}), passes: [on('tug-04')] }), 'Placed cutter (debian) on tug-04'],
    [
      'several, some of them on the same host',
      decision({
        request: request({ num_instances: 3, image: null }),
        passes: [on('tug-04'), on('tug-05'), on('tug-04'), pass({ phase: 'alternates' })],
        passes_made: 4,
      }),
      'Placed 3 × cutter on tug-04 (2), tug-05',
    ],
    [
      'fewer than were asked for',
      decision({ request: request({ num_instances: 2 }), passes: [on('tug-04'), pass()], passes_made: 2 }),
      'Placed 2 × cutter (debian) on tug-04, fewer than asked',
    ],
    [
      'more than the record keeps',
      decision({ request: request({ num_instances: 90 }), passes: [on('tug-04')], passes_made: 90 }),
      'Placed 90 × cutter (debian) on tug-04 and more',
    ],
    [
      'none',
      decision({ outcome: 'no_valid_host', request: request({ availability_zone: 'dock' }) }),
      'No host for cutter (debian) in zone dock',
    ],
    [
      'a request that was not understood',
      decision({ outcome: 'refused' }),
      'Refused: a request that was not understood',
    ],
  ])('says it of %s', (_what, given, says) => {
    expect(headlineOf(given)).toBe(says);
  });
});
