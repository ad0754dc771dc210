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

  it('gives the reason and the numbers for every root that Placement did not return', async () => {
    await loadWorld(service, MIXED);
    const { json } = await explain(service, { ...ASKED, ignore_hosts: ['ROOMY'] });
    const { placement } = json.decision;
    const reported = Object.fromEntries(placement.rejections.hosts.map(({ host, message }: Json) => [host, message]));
    expect(reported).toEqual({
      full: 'VCPU: 14 used + 4 asked > 16 capacity',
      coarse: 'VCPU: 4 asked > max_unit 2',
      odd: 'VCPU: 4 asked is no multiple of step_size 3',
      traitless: 'the providers with room lack trait CUSTOM_X',
      alone: 'no inventory of DISK_GB, and no aggregate in common with 1 sharing provider of it',
      disabled: 'the root provider has trait COMPUTE_STATUS_DISABLED, which is forbidden',
      bare: expect.stringMatching(/^no inventory of DISK_GB/),
      pool: 'no inventory of MEMORY_MB',
    });
    expect(placement).toMatchObject({ hosts: 2, not_considered: 0, rejections: { truncated: false } });
    expect(placement.rejections.by_code).toEqual({
      not_enough_left: 1,
      above_max_unit: 1,
      no_multiple_of_step_size: 1,
      not_collectively_met: 1,
      not_connected: 2,
      forbidden_trait: 1,
      no_inventory: 1,
    });
    expect(placesOf(json.decision).sort()).toEqual(
      ['alone', 'bare', 'coarse', 'disabled', 'fits', 'full', 'odd', 'pool', 'roomy', 'traitless'].sort(),
    );
  });

  it('gives each rejection its stage, code, uuid and values', async () => {
    await loadWorld(service, MIXED);
    const { json } = await select(service, { ...ASKED, explain: 'all' });
    const [shown] = json.decision.placement.rejections.hosts.filter(({ host }: Json) => host === 'full');
    expect(shown).toMatchObject({
      host: 'full',
      uuid: providerUuid('full'),
      group: '',
      stage: 'room',
      code: 'not_enough_left',
      params: { resource_class: 'VCPU', used: 14, asked: 4, capacity: 16, provider_name: 'full', providers: 1 },
    });
  });

  it('names the child with the most room, and the requesting group', async () => {
    await loadWorld(service, 'cn1 VCPU:8 MEMORY_MB:4096\n  gpu0 CUSTOM_GPU:4/3\n  gpu1 CUSTOM_GPU:4/2');
    const { json } = await explain(service, flavorWith({ 'resources_GPU:CUSTOM_GPU': 3 }));
    expect(json.decision.placement.rejections.hosts[0].message).toBe(
      'group _GPU: CUSTOM_GPU: 2 used + 3 asked > 4 capacity on gpu1, the nearest of 2 providers',
    );
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
    const seen = jest.spyOn(service.app.get(AllocationCandidatesService), 'explainHosts');
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
    expect(decision.summary.nearest_misses).toEqual([
      { hosts: 2, lack: 'trait CUSTOM_X' },
      { hosts: 1, lack: '2 VCPU' },
      { hosts: 1, lack: 'freedom from trait COMPUTE_STATUS_DISABLED' },
    ]);
    expect(decision.summary.sentence).toBe(
      'No host has trait CUSTOM_X (3 of 5 hosts), required by the flavor (extra spec trait:CUSTOM_X), and also has room ' +
        'for 4 VCPU (3 of 5 hosts), asked by the flavor, and also is enabled (4 of 5 hosts); 3 hosts fit apart from ' +
        'these; 2 hosts (a, b) lack trait CUSTOM_X; 2 hosts (c, d) have no room for 4 VCPU (6 used of 8); ' +
        '1 host (d) can never hold 512 MEMORY_MB, asked by the flavor (capacity 128); ' +
        '1 host (e) is disabled by trait COMPUTE_STATUS_DISABLED.',
    );
    expect(decision.summary.cause).toEqual({
      kind: 'conflict',
      conditions: ['required=CUSTOM_X', 'resources=VCPU:4', 'root_required=!COMPUTE_STATUS_DISABLED'],
    });
    expect(decision.summary.conditions).toContainEqual({
      condition: 'resources=MEMORY_MB:512',
      by: 'placement',
      satisfied: 4,
      failed: 1,
      reasons: ['1 host (d) can never hold 512 MEMORY_MB, asked by the flavor (capacity 128)'],
    });
    expect(decision.summary.user_message).not.toMatch(/CUSTOM_X|VCPU/);
    expect(decision.summary.rejected).toMatchObject({ 'placement.not_enough_left': 2 });
  });

  it('of a cloud without providers reports that there are none', async () => {
    const { json } = await explain(service);
    expect(json.decision.summary.sentence).toBe('There are no resource providers.');
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
