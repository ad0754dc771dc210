import { hostState, instancesOf, requestSpec, verdictOf } from '../pipeline/pipeline.fixture';
import { differentHostFilter } from './different-host.filter';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'aaaaaaaa-0000-4000-8000-000000000002';
const C = 'aaaaaaaa-0000-4000-8000-000000000003';

describe('DifferentHostFilter', () => {
  it.each([
    ['no hint', undefined, [A], 'pass'],
    ['an empty hint', [], [A], 'pass'],
    ['an instance elsewhere', [C], [A, B], 'pass'],
    ['an unknown instance', ['nobody'], [A], 'pass'],
    ['an empty host', [A], [], 'pass'],
    ['the instance of this host', [A], [A], `host runs ${A}, named by the hint different_host`],
    ['one of several', [C, B], [A, B], `host runs ${B}, named by the hint different_host`],
    ['all of several', [A, B], [A, B], `host runs ${A}, ${B}, named by the hint different_host`],
    ['upper case', [A.toUpperCase()], [A], `host runs ${A}, named by the hint different_host`],
  ])('%s', (_, hint, onHost, verdict) => {
    const spec = requestSpec(hint === undefined ? {} : { schedulerHints: { different_host: hint } });
    expect(verdictOf(differentHostFilter, hostState({ instances: instancesOf(...onHost) }), spec)).toBe(verdict);
  });

  it('runs once per request', () => expect(differentHostFilter.once).toBe(true));
});
