// What a decision shows about rejected hosts, including those of Placement: every root provider occurs exactly once in
// the document, with numbers; only requests for an explanation pay for it.
import { AllocationCandidatesService } from '../../src/placement/allocation-candidates/allocation-candidates.service';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { clear, explain, flavorWith, instance, loadWorld, select } from './scheduler-cloud';

const MIXED = `
  fits      VCPU:16 MEMORY_MB:8192     {CUSTOM_X}  @rack
  roomy     VCPU:16 MEMORY_MB:9000     {CUSTOM_X}  @rack
  full      VCPU:16/14 MEMORY_MB:8192  {CUSTOM_X}  @rack
  coarse    VCPU:16(max=2) MEMORY_MB:8192 {CUSTOM_X} @rack
  odd       VCPU:16(step=3) MEMORY_MB:8192 {CUSTOM_X} @rack
  traitless VCPU:16 MEMORY_MB:8192                 @rack
  alone     VCPU:16 MEMORY_MB:8192     {CUSTOM_X}
  disabled  VCPU:16 MEMORY_MB:8192     {CUSTOM_X COMPUTE_STATUS_DISABLED} @rack
  bare
  pool      DISK_GB:1000 {SHARES} @rack
`;
const ASKED = flavorWith({ 'trait:CUSTOM_X': 'required' }, { vcpus: 4, root_gb: 10 });

/** The names of all hosts in the document, without the hosts that are only counted. */
function placesOf({ placement, passes }: Json): string[] {
  const [first] = passes;
  return [
    ...placement.rejections.hosts.map(({ host }: Json) => host),
    ...(first?.stages ?? []).flatMap(({ rejections }: Json) => rejections.hosts.map(({ host }: Json) => host)),
    ...(first?.ranking ?? []).map(({ host }: Json) => host),
  ];
}

describe.each(testDatabaseKinds())('the explanation on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());
  afterEach(() => clear(service));

  it('gives the reason and the numbers for every host that Placement did not return', async () => {
    await loadWorld(service, MIXED);
    const { json } = await explain(service, { ...ASKED, ignore_hosts: ['ROOMY'] });
    const { placement } = json.decision;
    const reported = Object.fromEntries(placement.rejections.hosts.map(({ host, message }: Json) => [host, message]));
    expect(reported).toEqual({
      full: 'lacks 2 VCPU (2 free, 4 asked)',
      coarse: 'can never hold 4 VCPU (max_unit 2)',
      odd: 'can never hold 4 VCPU (step_size 3)',
      traitless: 'lacks trait CUSTOM_X (flavor m1.small)',
      alone: 'has no DISK_GB, and no aggregate in common with a provider that shares it',
      disabled: 'is disabled (trait COMPUTE_STATUS_DISABLED)',
      bare: expect.stringMatching(/^has no DISK_GB.*; lacks trait CUSTOM_X \(flavor m1.small\)$/),
    });
    expect(placement).toMatchObject({ hosts: 2, not_considered: 0, rejections: { truncated: false } });
    expect(placement.rejections.by_code).toEqual({
      not_enough_left: 1,
      above_max_unit: 1,
      no_multiple_of_step_size: 1,
      missing_trait: 1,
      not_connected: 2,
      forbidden_trait: 1,
    });
    expect(placesOf(json.decision).sort()).toEqual(
      ['alone', 'bare', 'coarse', 'disabled', 'fits', 'full', 'odd', 'roomy', 'traitless'].sort(),
    );
  });

  it('gives each rejection its code, uuid and words', async () => {
    await loadWorld(service, MIXED);
    const { json } = await select(service, { ...ASKED, explain: 'all' });
    const [shown] = json.decision.placement.rejections.hosts.filter(({ host }: Json) => host === 'full');
    expect(shown).toMatchObject({
      host: 'full',
      uuid: providerUuid('full'),
      code: 'not_enough_left',
      message: 'lacks 2 VCPU (2 free, 4 asked)',
    });
  });

  it('names the child with the most room', async () => {
    await loadWorld(service, 'cn1 VCPU:8 MEMORY_MB:4096\n  gpu0 CUSTOM_GPU:4/3\n  gpu1 CUSTOM_GPU:4/2');
    const { json } = await explain(service, flavorWith({ 'resources_GPU:CUSTOM_GPU': 3 }));
    expect(json.decision.placement.rejections.hosts[0].message).toBe('lacks 1 CUSTOM_GPU on gpu1 (2 free, 3 asked)');
  });

  it('is narrowed to one host by ?host=, with exact counts', async () => {
    await loadWorld(service, MIXED);
    const { json } = await explain(service, ASKED, '?host=full');
    const { rejections } = json.decision.placement;
    expect(rejections.hosts.map(({ host }: Json) => host)).toEqual(['full']);
    expect(rejections.by_code.not_connected).toBe(2);
    expect(json.decision.passes[0].ranking).toEqual([]);
  });

  it('cuts long lists, keeps exact counts, and shows everything in mode all', async () => {
    const full = Array.from({ length: 120 }, (_, at) => `full${at} VCPU:2 MEMORY_MB:256`);
    await loadWorld(service, ['fits VCPU:2 MEMORY_MB:4096', ...full].join('\n'));
    const none = await select(service, { ...flavorWith({}, { vcpus: 3 }), explain: 'first' });
    const { rejections } = none.json.errors[0].decision.placement;
    expect(rejections).toMatchObject({ by_code: { not_enough_left: 121 }, truncated: true });
    expect(rejections.hosts).toHaveLength(100);
    const all = await select(service, { instances: [instance(1)], explain: 'all', dry_run: true });
    expect(placesOf(all.json.decision)).toHaveLength(121);
    const counts = await select(service, { ...flavorWith({}, { vcpus: 3 }), explain: 'summary' });
    expect(counts.json.errors[0].decision.placement.rejections).toEqual({
      by_code: { not_enough_left: 121 },
      hosts: [],
      truncated: true,
    });
    const summary = await select(service, { instances: [instance(1)], explain: 'summary', dry_run: true });
    expect(all.json.selections).toEqual(summary.json.selections);
  });

  it('costs nothing if all is placed, unless requested, and does not change the decision', async () => {
    await loadWorld(service, MIXED);
    const seen = jest.spyOn(service.app.get(AllocationCandidatesService), 'judgeHosts');
    const none = await select(service, { ...ASKED, explain: 'none', dry_run: true, instances: [instance(1)] });
    expect(seen).not.toHaveBeenCalled();
    expect(none.json.decision).toBeUndefined();
    const first = await select(service, { ...ASKED, dry_run: true, instances: [instance(1)] });
    expect(seen).not.toHaveBeenCalled();
    expect(first.json.decision.placement.rejections).toBeNull();
    const empty = await select(service, { ...flavorWith({}, { vcpus: 99 }) });
    expect(seen).toHaveBeenCalledTimes(1);
    expect(empty.json.errors[0].decision.placement.rejections.hosts.length).toBeGreaterThan(0);
    const refused = await select(service, { ...flavorWith({}, { vcpus: 99 }), explain: 'none' });
    expect(seen).toHaveBeenCalledTimes(2);
    expect(refused.json.errors[0].decision.summary.sentence).toBe(empty.json.errors[0].decision.summary.sentence);
    const all = await select(service, { ...ASKED, explain: 'all', dry_run: true, instances: [instance(1)] });
    expect(seen).toHaveBeenCalledTimes(3);
    expect(all.json.selections).toEqual(none.json.selections);
    expect(first.json.selections).toEqual(none.json.selections);
    seen.mockRestore();
  });

  it('of an empty answer names the cause and the nearest hosts', async () => {
    await loadWorld(
      service,
      `
       a VCPU:8 MEMORY_MB:4096
       b VCPU:8 MEMORY_MB:4096
       c VCPU:8/6 MEMORY_MB:4096 {CUSTOM_X}
       d VCPU:8/6 MEMORY_MB:128 {CUSTOM_X}
       e VCPU:8 MEMORY_MB:4096 {CUSTOM_X COMPUTE_STATUS_DISABLED}`,
    );
    const answer = await select(service, flavorWith({ 'trait:CUSTOM_X': 'required' }, { vcpus: 4 }));
    expect(answer.status).toBe(409);
    const [{ code, decision }] = answer.json.errors;
    expect(code).toBe('scheduler.no_candidates');
    const { nearest, sentence, cause, counts } = decision.summary;
    expect(nearest.map(({ names, text }: Json) => [names, text])).toEqual([
      [['a', 'b'], 'a, b lack only trait CUSTOM_X (flavor m1.small)'],
      [['c'], 'c lacks only 2 VCPU (2 free, 4 asked)'],
      [['e'], 'e is only disabled (trait COMPUTE_STATUS_DISABLED)'],
    ]);
    expect(sentence).toBe(
      '0 of 5 hosts fit: closest: a, b lack only trait CUSTOM_X (flavor m1.small), c lacks only 2 VCPU, e is only disabled ' +
        '(trait COMPUTE_STATUS_DISABLED); 1 can never hold 512 MEMORY_MB (capacity 128).',
    );
    const names = cause.map(({ kind, what }: Json) => `${kind} ${what}`).sort();
    expect(names).toEqual(['enabled COMPUTE_STATUS_DISABLED', 'resource VCPU', 'trait CUSTOM_X']);
    expect(counts).toContainEqual(
      expect.objectContaining({ failed: 1, never: 1, text: '1 can never hold 512 MEMORY_MB (capacity 128)' }),
    );
    expect(decision.summary.user_message).not.toMatch(/CUSTOM_X|VCPU/);
    expect(decision.summary.rejected).toMatchObject({ 'placement.not_enough_left': 2 });
  });

  it('of a cloud without providers reports that there are none', async () => {
    const { json } = await explain(service);
    expect(json.decision.summary.sentence).toBe('There are no hosts.');
  });
});

describe.each(testDatabaseKinds())('a search with a limit, on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: { BERTH_SCHEDULER__MAX_PLACEMENT_RESULTS: '2', BERTH_SCHEDULER__CANDIDATES_PER_HOST: '1' },
    });
    const hosts = Array.from({ length: 7 }, (_, at) => `cn${at} VCPU:2 MEMORY_MB:${at === 6 ? 256 : 4096}`);
    await loadWorld(service, hosts.join('\n'));
  });
  afterAll(() => service.stop());

  it('counts the hosts after its limit, and explains the others', async () => {
    const { json } = await explain(service);
    expect(json.decision.placement).toMatchObject({
      hosts: 2,
      truncated: true,
      not_considered: 4,
      rejections: { by_code: { not_enough_left: 1 }, hosts: [{ host: 'cn6' }] },
    });
  });

  it('has no limit for a hint that compares hosts with instances', async () => {
    const { json } = await explain(service, { scheduler_hints: { different_host: instance(1) } });
    expect(json.decision.placement).toMatchObject({ hosts: 6, truncated: false, not_considered: 0 });
  });
});
