import { instancesOf } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { sameHostFilter } from './same-host.filter';

const hint = (...uuids: readonly string[]) => ({ schedulerHints: { same_host: uuids } });
const running = (...uuids: readonly string[]) => ({ instances: instancesOf(...uuids) });
const rejected = (wanted: readonly string[], found: readonly string[]) => ({
  code: 'runs_no_named_instance',
  params: { wanted, found },
});

describe('SameHostFilter', () => {
  filterTable(sameHostFilter, {
    reproduces: {
      runs_no_named_instance: {
        rejects: ({ wanted, found }) => {
          const running = new Set(found as readonly string[]);
          return (wanted as readonly string[]).every((uuid) => !running.has(uuid));
        },
        unless: { wanted: ['a', 'b'], found: ['b', 'c'] },
      },
    },
    rows: [
      {
        rule: 'without the hint every host passes',
        host: running('a'),
        verdict: 'pass',
        flip: { spec: hint('b'), verdict: rejected(['b'], ['a']) },
      },
      {
        rule: 'an empty hint passes every host',
        host: running('a'),
        spec: hint(''),
        verdict: 'pass',
        flip: { spec: hint('', 'b'), verdict: rejected(['b'], ['a']) },
      },
      {
        rule: 'one of several named instances is enough',
        host: running('a', 'b'),
        spec: hint('x', 'b'),
        verdict: 'pass',
        flip: { host: running('a', 'c'), verdict: rejected(['x', 'b'], ['a', 'c']) },
      },
      {
        rule: 'an unknown instance rejects all hosts',
        host: running(),
        spec: hint('nobody'),
        verdict: rejected(['nobody'], []),
        flip: { host: running('nobody'), verdict: 'pass' },
      },
      {
        rule: 'uuids are compared in lower case',
        host: running('a'),
        spec: hint('A'),
        verdict: 'pass',
        flip: { host: running('b'), verdict: rejected(['a'], ['b']) },
      },
    ],
  });

  it('runs once per request', () => expect(sameHostFilter.once).toBe(true));
});
