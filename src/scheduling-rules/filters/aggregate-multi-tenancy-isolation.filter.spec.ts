import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateMultiTenancyIsolation } from './aggregate-multi-tenancy-isolation.filter';

const host = (...metadata: readonly Readonly<Record<string, string>>[]) => ({
  aggregates: hostInAggregates('h', ...metadata).aggregates,
});
const rejected = (wanted: string, ...found: readonly string[]) => ({
  code: 'project_not_named',
  params: { wanted, found, aggregates: ['h-0'] },
});
const rejectedByBoth = (wanted: string, ...found: readonly string[]) => ({
  code: 'project_not_named',
  params: { wanted, found, aggregates: ['h-0', 'h-1'] },
});

describe('AggregateMultiTenancyIsolation', () => {
  filterTable(aggregateMultiTenancyIsolation, {
    reproduces: {
      project_not_named: {
        rejects: ({ wanted, found }) => !(found as readonly string[]).includes(String(wanted)),
        unless: { wanted: 'p', found: ['p'] },
      },
    },
    rows: [
      {
        rule: 'hosts whose aggregates name no project take all',
        host: host({ other: 'q' }),
        spec: { projectId: 'p' },
        verdict: 'pass',
        flip: { host: host({ filter_tenant_id: 'q' }), verdict: rejected('p', 'q') },
      },
      {
        rule: 'a named project passes, from a comma list too',
        host: host({ filter_tenant_id: 'q, p' }),
        spec: { projectId: 'p' },
        verdict: 'pass',
        flip: { host: host({ filter_tenant_id: 'q, pp' }), verdict: rejected('p', 'q', 'pp') },
      },
      {
        rule: 'keys with a suffix count',
        host: host({ filter_tenant_id: 'q', filter_tenant_id2: 'p' }),
        spec: { projectId: 'p' },
        verdict: 'pass',
        flip: { host: host({ filter_tenant_id: 'q', filter_tenant: 'p' }), verdict: rejected('p', 'q') },
      },
      {
        rule: 'a host in two such aggregates takes the projects of both',
        host: host({ filter_tenant_id: 'q' }, { 'filter_tenant_id:a': 'p' }),
        spec: { projectId: 'p' },
        verdict: 'pass',
        flip: { spec: { projectId: 'r' }, verdict: rejectedByBoth('r', 'q', 'p') },
      },
    ],
  });

  it('runs once per request', () => expect(aggregateMultiTenancyIsolation.once).toBe(true));
});
