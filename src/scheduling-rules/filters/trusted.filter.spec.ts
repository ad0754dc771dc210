import { filterTable } from '../pipeline/rule-table.fixture';
import { flavor } from './capacity-rules.fixture';
import { trustedFilter } from './trusted.filter';

const asking = (level: string) => flavor({ extraSpecs: { 'trust:trusted_host': level } });
const reporting = (level: string) => ({ stats: { 'trust:trusted_host': level } });
const rejected = (wanted: string, found: string) => ({ code: 'other_trust_level', params: { wanted, found } });

describe('TrustedFilter', () => {
  filterTable(trustedFilter, {
    reproduces: {
      other_trust_level: {
        rejects: ({ wanted, found }) => wanted !== found,
        unless: { wanted: 'trusted', found: 'trusted' },
      },
    },
    rows: [
      {
        rule: 'a flavor that asks for no level runs everywhere',
        host: reporting('untrusted'),
        verdict: 'pass',
        flip: { spec: asking('trusted'), verdict: rejected('trusted', 'untrusted') },
      },
      {
        rule: 'the level must be equal',
        host: reporting('trusted'),
        spec: asking('trusted'),
        verdict: 'pass',
        flip: { host: reporting('Trusted'), verdict: rejected('trusted', 'Trusted') },
      },
      {
        rule: 'a host that reports none is of unknown trust',
        host: { stats: {} },
        spec: asking('unknown'),
        verdict: 'pass',
        flip: { spec: asking('trusted'), verdict: rejected('trusted', 'unknown') },
      },
      {
        rule: 'an empty level asks for nothing',
        host: reporting('untrusted'),
        spec: asking(''),
        verdict: 'pass',
        flip: { spec: asking('x'), verdict: rejected('x', 'untrusted') },
      },
    ],
  });

  it('runs once per request', () => expect(trustedFilter.once).toBe(true));
});
