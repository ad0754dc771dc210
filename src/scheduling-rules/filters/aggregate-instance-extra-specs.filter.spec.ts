import type { RejectionParams } from '../../placement/candidate-search';
import { hostInAggregates, requestSpec } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateInstanceExtraSpecsFilter } from './aggregate-instance-extra-specs.filter';
import { matchRequirement } from './extra-spec-operators';

const host = (...metadata: readonly Readonly<Record<string, string>>[]) => ({
  aggregates: hostInAggregates('h', ...metadata).aggregates,
});
const asking = (extraSpecs: Readonly<Record<string, string>>) => ({ flavor: { ...requestSpec().flavor, extraSpecs } });
const scoped = (key: string) => `aggregate_instance_extra_specs:${key}`;
const UNSCOPED = { filter_scheduler: { aggregate_instance_extra_specs_unscoped: true } };
const noKey = (extraSpec: string, key: string, wanted: string) => ({
  code: 'no_aggregate_key',
  params: { extra_spec: extraSpec, key, wanted, found: [] },
});
const mismatch = (key: string, wanted: string, ...found: readonly string[]) => ({
  code: 'aggregate_value_mismatch',
  params: { extra_spec: scoped(key), key, wanted, found },
});
const matches = ({ found, wanted }: RejectionParams) =>
  (found as readonly string[]).map((value) => matchRequirement(value, String(wanted)).kind);

describe('AggregateInstanceExtraSpecsFilter', () => {
  filterTable(aggregateInstanceExtraSpecsFilter, {
    reproduces: {
      no_aggregate_key: {
        rejects: ({ found }) => (found as readonly string[]).length === 0,
        unless: { found: ['true'], wanted: 'true' },
      },
      aggregate_value_mismatch: {
        rejects: (params) => matches(params).every((kind) => kind === 'fails'),
        unless: { found: ['false', 'true'], wanted: 'true' },
      },
      not_a_number: {
        rejects: (params) => !matches(params).includes('holds') && matches(params).includes('error'),
        unless: { found: ['x', '5'], wanted: '>= 5' },
      },
      operator_without_operand: {
        rejects: (params) => matches(params).includes('error'),
        unless: { found: ['5'], wanted: '>= 5' },
      },
    },
    rows: [
      {
        rule: 'a scoped key must be in the metadata',
        host: host({ ssd: 'true' }),
        spec: asking({ [scoped('ssd')]: 'true' }),
        verdict: 'pass',
        flip: { host: host({ hdd: 'true' }), verdict: noKey(scoped('ssd'), 'ssd', 'true') },
      },
      {
        rule: 'a host in no aggregate is rejected as soon as one spec applies',
        spec: asking({ 'hw:ssd': 'true' }),
        verdict: 'pass',
        flip: { spec: asking({ [scoped('ssd')]: 'true' }), verdict: noKey(scoped('ssd'), 'ssd', 'true') },
      },
      {
        rule: 'one value of all aggregates is enough, comma lists included',
        host: host({ ssd: 'a, b' }, { ssd: 'c' }),
        spec: asking({ [scoped('ssd')]: 'b' }),
        verdict: 'pass',
        flip: { spec: asking({ [scoped('ssd')]: 'd' }), verdict: mismatch('ssd', 'd', 'a', 'b', 'c') },
      },
      {
        rule: 'only the first colon ends the scope',
        host: host({ 'a:b': '1' }),
        spec: asking({ [scoped('a:b')]: '1' }),
        verdict: 'pass',
        flip: { host: host({ a: '1', b: '1' }), verdict: noKey(scoped('a:b'), 'a:b', '1') },
      },
      {
        rule: 'a negation holds where any value differs',
        host: host({ ssd: 'true' }, { ssd: 'false' }),
        spec: asking({ [scoped('ssd')]: 's!= false' }),
        verdict: 'pass',
        flip: { host: host({ ssd: 'false' }), verdict: mismatch('ssd', 's!= false', 'false') },
      },
      {
        rule: 'an un-scoped key is ignored, and compared as nova does with nova_compat',
        spec: asking({ group_policy: 'none' }),
        verdict: 'pass',
        flip: { env: { novaCompat: true }, verdict: noKey('group_policy', 'group_policy', 'none') },
      },
      {
        rule: 'an option brings un-scoped keys back',
        spec: asking({ ssd: 'true' }),
        verdict: 'pass',
        flip: { options: UNSCOPED, verdict: noKey('ssd', 'ssd', 'true') },
      },
      {
        rule: 'that option leaves out the keys that mean something elsewhere',
        spec: asking({ group_policy: 'none' }),
        options: UNSCOPED,
        verdict: 'pass',
        flip: { env: { novaCompat: true }, verdict: noKey('group_policy', 'group_policy', 'none') },
      },
      {
        rule: 'every spec must hold; the first that does not is told',
        host: host({ a: '1', b: '2' }),
        spec: asking({ [scoped('a')]: '>= 1', [scoped('b')]: '>= 2' }),
        verdict: 'pass',
        flip: { host: host({ a: '0', b: '1' }), verdict: mismatch('a', '>= 1', '0') },
      },
      {
        rule: 'a number operator without a number rejects with a code of its own; one value that holds is enough',
        host: host({ a: 'x, 1' }),
        spec: asking({ [scoped('a')]: '>= 2' }),
        verdict: {
          code: 'not_a_number',
          params: { extra_spec: scoped('a'), key: 'a', wanted: '>= 2', found: ['x', '1'], operator: '>=' },
        },
        flip: { host: host({ a: 'x, 2' }), verdict: 'pass' },
      },
      {
        rule: 'an operator without operand rejects',
        host: host({ a: '1' }),
        spec: asking({ [scoped('a')]: '<or>' }),
        verdict: {
          code: 'operator_without_operand',
          params: { extra_spec: scoped('a'), key: 'a', wanted: '<or>', found: ['1'], operator: '<or>' },
        },
        flip: { spec: asking({ [scoped('a')]: '<or> 1' }), verdict: 'pass' },
      },
    ],
  });

  it('runs once per request', () => expect(aggregateInstanceExtraSpecsFilter.once).toBe(true));
});
