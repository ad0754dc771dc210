import type { Candidate } from '../../placement/candidate-search';
import { hostState, requestSpec, verdictOf } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import { pciPassthroughFilter } from './pci-passthrough.filter';

const pool = (count: number, given: Partial<PciPool> = {}): PciPool => ({
  vendorId: '8086',
  productId: '1572',
  devType: 'type-PCI',
  numaNode: null,
  count,
  tags: {},
  ...given,
});
const request = (count: number, given: Partial<PciRequest> = {}): PciRequest => ({
  requestId: 'r',
  aliasName: 'nic',
  count,
  alternatives: [{ vendor_id: '8086' }],
  numaPolicy: null,
  ...given,
});
const candidate = (mappings: Candidate['mappings'] = {}): Candidate => ({ rootUuid: 'h', allocations: {}, mappings });

const ONE = { candidates: [candidate()] };
const A = pool(1, { tags: { rp_uuid: 'A' } });
const B = pool(2, { tags: { rp_uuid: 'B' } });
const OF_A = candidate({ 'r-0': ['A'], 'r-1': ['A'] });
const OF_B = candidate({ 'r-0': ['B'], 'r-1': ['B'] });
const tooFew = (request: string, asked: number, matching: number, free = matching) => ({
  code: 'too_few_devices',
  params: {
    request,
    asked,
    matching,
    free,
    wanted: expect.stringMatching(/^vendor_id [0-9a-f]{4}$/) as string,
    pools: expect.stringMatching(/^(?:none|[0-9a-f]{4}:1572 type-P[A-Z]+ with \d free)/) as string,
  },
});

describe('PciPassthroughFilter', () => {
  filterTable(pciPassthroughFilter, {
    reproduces: {
      no_pci_data: { rejects: ({ asked }) => Number(asked) > 0, unless: { asked: 0 } },
      no_candidates: { rejects: ({ candidates }) => candidates === 0, unless: { candidates: 1 } },
      too_few_devices: {
        rejects: ({ asked, free }) => Number(free) < Number(asked),
        unless: { request: 'nic', asked: 2, matching: 2, free: 2 },
      },
    },
    rows: [
      {
        rule: 'no requests: any host; requests: a host with PCI data',
        host: ONE,
        verdict: 'pass',
        flip: {
          spec: { pciRequests: [request(1), request(2)] },
          verdict: { code: 'no_pci_data', params: { asked: 3 } },
        },
      },
      {
        rule: 'as many devices as asked for, not one less',
        host: { ...ONE, pciPools: [pool(2)] },
        spec: { pciRequests: [request(2)] },
        verdict: 'pass',
        flip: { host: { pciPools: [pool(1)] }, verdict: tooFew('nic', 2, 1) },
      },
      {
        rule: 'requests are charged one after the other',
        host: { ...ONE, pciPools: [pool(3)] },
        spec: { pciRequests: [request(1), request(2)] },
        verdict: 'pass',
        flip: { spec: { pciRequests: [request(2), request(2, { aliasName: null })] }, verdict: tooFew('r', 2, 3, 1) },
      },
      {
        rule: 'a request without any name is told by its place',
        host: { ...ONE, pciPools: [pool(2)] },
        spec: { pciRequests: [request(1), request(2, { aliasName: null, requestId: null })] },
        verdict: tooFew('#2', 2, 2, 1),
        flip: { host: { pciPools: [pool(3)] }, verdict: 'pass' },
      },
      {
        rule: 'devices of other kinds do not count',
        host: { ...ONE, pciPools: [pool(1, { vendorId: '10DE' })] },
        spec: { pciRequests: [request(1, { alternatives: [{ vendor_id: '10de' }] })] },
        verdict: 'pass',
        flip: { host: { pciPools: [pool(1)] }, verdict: tooFew('nic', 1, 0) },
      },
      {
        rule: 'PFs match and do not count unless they are asked for',
        host: { ...ONE, pciPools: [pool(1, { devType: 'type-PF' })] },
        spec: { pciRequests: [request(1)] },
        verdict: tooFew('nic', 1, 1, 0),
        flip: {
          spec: { pciRequests: [request(1, { alternatives: [{ vendor_id: '8086', dev_type: 'type-PF' }] })] },
          verdict: 'pass',
        },
      },
      {
        rule: 'devices that match count although earlier requests of the instance took them',
        host: { ...ONE, pciPools: [pool(1), pool(1, { vendorId: '10de' })] },
        spec: { pciRequests: [request(1), request(1)] },
        verdict: tooFew('nic', 1, 1, 0),
        flip: { spec: { pciRequests: [request(1), request(1, { alternatives: [{}] })] }, verdict: 'pass' },
      },
      {
        rule: 'NUMA policies are left to the NUMA filter',
        host: { ...ONE, pciPools: [pool(1, { numaNode: 7 })] },
        spec: { pciRequests: [request(1, { numaPolicy: 'required' })] },
        verdict: 'pass',
        flip: { host: { pciPools: [] }, verdict: tooFew('nic', 1, 0) },
      },
      {
        rule: 'without candidates there is nothing to judge',
        host: { pciPools: [pool(1)], candidates: [] },
        spec: { pciRequests: [request(1)] },
        verdict: { code: 'no_candidates', params: { candidates: 0 } },
        flip: { host: ONE, verdict: 'pass' },
      },
      {
        rule: 'candidates whose providers lack the devices are dropped',
        host: { pciPools: [A, B], candidates: [OF_A, OF_B] },
        spec: { pciRequests: [request(2)] },
        verdict: { passed: true, candidates: [OF_B] },
        flip: { host: { candidates: [OF_A] }, verdict: tooFew('nic', 2, 3, 0) },
      },
      {
        rule: 'candidates that choose nothing are judged by all pools, and kept beside those that do',
        host: { pciPools: [A, B], candidates: [OF_A, candidate(), OF_B, candidate({ other: ['A'] })] },
        spec: { pciRequests: [request(2)] },
        verdict: { passed: true, candidates: [candidate(), OF_B, candidate({ other: ['A'] })] },
        flip: { spec: { pciRequests: [request(4)] }, verdict: tooFew('nic', 4, 3, 0) },
      },
    ],
  });

  it('keeps the same candidate array if all of them fit', () => {
    const host = hostState({ pciPools: [B], candidates: [OF_B] });
    const spec = requestSpec({ pciRequests: [request(2)] });
    expect(verdictOf(pciPassthroughFilter, host, spec)).toBe('pass');
  });

  it('is skipped if the request has no device', () => {
    expect(pciPassthroughFilter.applies(requestSpec(), {})).toBe(false);
    expect(pciPassthroughFilter.applies(requestSpec({ pciRequests: [request(1)] }), {})).toBe(true);
  });

  it('runs for every instance of a batch', () => expect(pciPassthroughFilter.once).toBe(false));
});
