import { BUILT_IN_PREFILTERS } from '../../scheduling-rules/prefilters';
import { decideOn, FixtureCloud, uuidOf } from '../scheduler.fixture';
import type { DecisionView } from './decision.presenter';
import { presentDecision } from './decision.presenter';

const clouds = (): FixtureCloud =>
  new FixtureCloud([{ name: 'a', memoryMb: 8192 }, { name: 'b' }, { name: 'c', instances: [uuidOf(90)] }]);
const PARTS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'], weightClasses: ['RAMWeigher'] };
const request = {
  body: { scheduler_hints: { different_host: uuidOf(90) } },
  command: { returnAlternates: true },
  options: PARTS,
};

interface Shown {
  readonly placement: { readonly rejections: { readonly hosts: readonly object[] } };
}

describe('the decision document', () => {
  it('shows each stage, weight, claim and choice', async () => {
    const { decision } = await decideOn(clouds(), request);
    expect(presentDecision(decision, { level: 'first' })).toMatchObject({
      request_id: 'req-1',
      at: '1970-01-01T00:00:00.000Z',
      outcome: 'placed',
      code: null,
      seed: 7,
      request: { num_instances: 1, flavor: { vcpus: 1, memory_mb: 512, root_gb: 0 }, image: null, ignored: [] },
      prefilters: BUILT_IN_PREFILTERS.map(({ name }) =>
        name === 'ComputeStatusPrefilter'
          ? { name, ran: true, added: { root_forbidden: ['COMPUTE_STATUS_DISABLED'] } }
          : { name, ran: false, why_not: expect.any(String) },
      ),
      placement: { microversion: '1.36', candidates: 3, hosts: 3, not_considered: 0, truncated: false },
      passes: [
        {
          phase: 'select',
          stages: [
            { kind: 'preselection', in: 3, out: 3 },
            { kind: 'filter', name: 'NumInstancesFilter', in: 3, out: 3 },
            {
              name: 'DifferentHostFilter',
              in: 3,
              out: 2,
              rejections: {
                by_code: { runs_named_instance: 1 },
                hosts: [{ host: 'c', node: 'c', code: 'runs_named_instance', params: { instances: [uuidOf(90)] } }],
                truncated: false,
              },
            },
          ],
          weighers: [
            { name: 'RAMWeigher', hosts: [{ host: 'a', raw: 8192, normalized: 1, multiplier: 1, score: 1 }, {}] },
          ],
          ranking: [
            { host: 'a', node: 'a', weight: 1 },
            { host: 'b', node: 'b', weight: 0.5 },
          ],
          drawn_from: 1,
          claims: [{ host: 'a', candidate: 0, outcome: 'claimed', attempts: 1 }],
          selected: { host: 'a', node: 'a' },
          alternates: [{ host: 'b', node: 'b' }],
        },
      ],
      summary: {
        rejected: { 'DifferentHostFilter.runs_named_instance': 1 },
        sentence: `Placed 1 instance: ${uuidOf(1)} on a.`,
        user_message: 'Placed.',
      },
    });
  });

  it('at level summary holds exact counts and no lists', async () => {
    const { decision } = await decideOn(clouds(), request);
    expect(presentDecision(decision, { level: 'summary' })).toMatchObject({
      passes: [{ ranked: 2, ranking: [], ranking_truncated: true, claims_tried: { claimed: 1 }, claims: [] }],
    });
  });

  it('can be narrowed to one host without effect on the counts', async () => {
    const { decision } = await decideOn(clouds(), request);
    const shown = presentDecision(decision, { level: 'all', host: 'b' });
    expect(shown).toMatchObject({ passes: [{ ranked: 2, ranking: [{ host: 'b' }], claims: [] }] });
    expect(JSON.stringify(shown)).toContain('"by_code":{"runs_named_instance":1},"hosts":[]');
  });

  it('cuts long lists and marks them', async () => {
    const hosts = Array.from({ length: 150 }, (_, at) => ({ name: `h${at}` }));
    const { decision } = await decideOn(new FixtureCloud(hosts));
    const { passes } = presentDecision(decision, { level: 'first' }) as { passes: { ranking: object[] }[] };
    expect(passes[0]?.ranking).toHaveLength(100);
    expect(passes[0]).toMatchObject({ ranked: 150, ranking_truncated: true });
  });

  it('lists what Placement rejected: exact counts, cut lists, complete at level all', async () => {
    const { decision } = await decideOn(clouds());
    const condition = { kind: 'trait', names: ['CUSTOM_X'], amount: null, groups: [], parts: [] } as const;
    const rejections = Array.from({ length: 150 }, (_, at) => ({
      root: { id: at, uuid: uuidOf(at), name: `h${at}` },
      failures: [{ condition, code: 'missing_trait', params: {}, isNever: false }],
      isNear: true,
    }));
    const placement = decision.placement === null ? null : { ...decision.placement, rejections };
    const shown = (view: DecisionView): { readonly hosts: readonly object[] } =>
      (presentDecision({ ...decision, placement }, view) as Shown).placement.rejections;
    expect(shown({ level: 'first' })).toMatchObject({ by_code: { missing_trait: 150 }, truncated: true });
    expect(shown({ level: 'first' }).hosts).toHaveLength(100);
    expect(shown({ level: 'all' }).hosts).toHaveLength(150);
    expect(shown({ level: 'summary' })).toEqual({ by_code: { missing_trait: 150 }, hosts: [], truncated: true });
    expect(shown({ level: 'first', host: 'h140' }).hosts).toEqual([
      { host: 'h140', uuid: uuidOf(140), code: 'missing_trait', message: 'lacks trait CUSTOM_X' },
    ]);
  });

  it('exists for a request that was refused at once', async () => {
    const { decision } = await decideOn(clouds(), { body: { flavor: 'm1.small' } });
    expect(presentDecision(decision, { level: 'first' })).toMatchObject({
      outcome: 'refused',
      code: 'scheduler.invalid_request',
      request: null,
      placement: null,
      passes: [],
    });
  });

  it('shows cells and devices in the form of a request, derived or given', async () => {
    const extraSpecs = { 'hw:numa_nodes': '1', 'pci_passthrough:alias': 'gpu:2' };
    const flavor = { vcpus: 1, memory_mb: 512, extra_specs: extraSpecs };
    const alternatives = [{ vendor_id: '10de', product_id: '1db4' }];
    const pciAliases = new Map([['gpu', { name: 'gpu', alternatives, numaPolicy: null }]]);
    const options = { ...PARTS, pciAliases };
    const understood = async (body: object): Promise<{ numa_topology: object | null; pci_requests: object[] }> => {
      const { decision } = await decideOn(clouds(), { body: { flavor, ...body }, options });
      return presentDecision(decision, { level: 'first' }).request as never;
    };
    const first = await understood({});
    expect(first.numa_topology).toMatchObject({ cells: [{ id: 0, cpuset: [0], memory: 512 }] });
    expect(first.pci_requests).toMatchObject([{ alias_name: 'gpu', count: 2, spec: alternatives }]);
    const { numa_topology, pci_requests } = first;
    expect(await understood({ numa_topology, pci_requests })).toMatchObject({ numa_topology, pci_requests });
    expect(await understood({ numa_topology: null, pci_requests: [] })).toMatchObject({
      numa_topology: null,
      pci_requests: [],
    });
  });

  it('can be sent again as a request', async () => {
    const { decision } = await decideOn(clouds(), request);
    const { request: understood } = presentDecision(decision, { level: 'first' }) as { request: { ignored: unknown } };
    const { ignored: _, ...body } = understood;
    const again = await decideOn(clouds(), { body, options: PARTS, command: { seed: decision.seed } });
    expect(again.decision.passes[0]?.selected).toEqual(decision.passes[0]?.selected);
  });
});
