import { PARAM_ITEMS_SHOWN } from '../pipeline/limits';
import { instancesOf } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { differentHostFilter } from './different-host.filter';

const A = 'aaaaaaaa-0000-4000-8000-000000000001';
const B = 'aaaaaaaa-0000-4000-8000-000000000002';
const C = 'aaaaaaaa-0000-4000-8000-000000000003';
const hint = (...uuids: readonly string[]) => ({ schedulerHints: { different_host: uuids } });
const running = (...uuids: readonly string[]) => ({ instances: instancesOf(...uuids) });
const rejected = (...instances: readonly string[]) => ({ code: 'runs_named_instance', params: { instances } });
const many = Array.from({ length: PARAM_ITEMS_SHOWN + 3 }, (_, at) => `i${at}`);

describe('DifferentHostFilter', () => {
  filterTable(differentHostFilter, {
    reproduces: {
      runs_named_instance: {
        rejects: ({ instances }) => Array.isArray(instances) && instances.length > 0,
        unless: { instances: [] },
      },
    },
    rows: [
      {
        rule: 'without the hint every host passes',
        host: running(A),
        verdict: 'pass',
        flip: { spec: hint(A), verdict: rejected(A) },
      },
      {
        rule: 'an empty hint passes every host',
        host: running(A),
        spec: hint(),
        verdict: 'pass',
        flip: { spec: hint('', A), verdict: rejected(A) },
      },
      {
        rule: 'an instance elsewhere passes; any overlap rejects',
        host: running(A, B),
        spec: hint(C),
        verdict: 'pass',
        flip: { spec: hint(C, B), verdict: rejected(B) },
      },
      {
        rule: 'an unknown instance passes every host',
        host: running(A),
        spec: hint('nobody'),
        verdict: 'pass',
        flip: { host: running(A, 'nobody'), verdict: rejected('nobody') },
      },
      {
        rule: 'an empty host passes',
        host: running(),
        spec: hint(A),
        verdict: 'pass',
        flip: { host: running(A), verdict: rejected(A) },
      },
      {
        rule: 'all overlapping instances are named, each once',
        host: running(A, B),
        spec: hint(A, B, A, C),
        verdict: rejected(A, B),
        flip: { host: running(), verdict: 'pass' },
      },
      {
        rule: 'uuids are compared in lower case',
        host: running(A),
        spec: hint(A.toUpperCase()),
        verdict: rejected(A),
        flip: { host: running(B), verdict: 'pass' },
      },
      {
        rule: 'long overlaps are cut and counted',
        host: running(...many),
        spec: hint(...many),
        verdict: rejected(...many.slice(0, PARAM_ITEMS_SHOWN), '3 more'),
        flip: { host: running(), verdict: 'pass' },
      },
    ],
  });

  it('runs once per request', () => expect(differentHostFilter.once).toBe(true));
});
