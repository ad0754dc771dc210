// Berth in the place of nova-scheduler: a conductor calls it over RabbitMQ, with nova's databases on MariaDB.
import { randomUUID } from 'node:crypto';
import { runCli } from '../../src/cli/program';
import { PolledNovaFacts } from '../../src/nova/cells/polled-nova-facts';
import { CallRecords } from '../../src/nova/decide/call-records';
import type { Json } from '../../src/nova/objects/captured.fixture';
import { imageMeta, novaObject } from '../../src/nova/objects/captured.fixture';
import type { Answer, Conductor } from '../nova/conductor';
import { NovaCloud } from '../nova/nova-cloud';
import { eventually, flavor, group, hostsOf, spec } from '../nova/requests';
import { testDatabaseKinds } from '../support/databases';
import { hasRabbit } from '../support/rabbit';
import type { TestService } from '../support/service';
import { ALL_POWERFUL } from '../support/service';

const CELL = 'a04e711c-bef7-47a3-8ffc-a19e4e47af49';
const kinds = testDatabaseKinds();
const isAble = kinds.includes('mysql') && hasRabbit();
if (!isAble && process.env['BERTH_REQUIRE_RABBITMQ'] === '1') throw new Error('RabbitMQ or MariaDB is missing');

const selection = ({ result }: Answer, at = 0): any => result[0][at]['nova_object.data'];

(isAble ? describe.each(kinds) : describe.skip.each(kinds))('the place of nova-scheduler on %s', (kind) => {
  let cloud: NovaCloud;
  let berth: TestService;
  let conductor: Conductor;

  beforeAll(async () => {
    cloud = await NovaCloud.prepare();
    berth = await cloud.start(kind);
    await cloud.report(berth);
    conductor = await cloud.conductor();
  }, 120_000);
  afterAll(async () => {
    await conductor.close();
    await cloud.remove();
  }, 60_000);

  const allocationsOf = async (uuid: string): Promise<any> =>
    (await berth.request({ path: `/allocations/${uuid}` })).json.allocations;
  const providersOf = async (uuid: string): Promise<string[]> => Object.keys(await allocationsOf(uuid)).sort();
  const put = (uuid: string, nodes: readonly string[], generation: number | null): Promise<unknown> =>
    berth.request({
      method: 'PUT',
      path: `/allocations/${uuid}`,
      body: {
        allocations: Object.fromEntries(
          nodes.map((node) => [node, { resources: { VCPU: 1, MEMORY_MB: 256, DISK_GB: 1 } }]),
        ),
        project_id: 'p',
        user_id: 'u',
        consumer_generation: generation,
        consumer_type: 'INSTANCE',
      },
    });

  it('places an instance, claims it and offers alternates of the cell', async () => {
    const uuid = randomUUID();
    const answer = await conductor.select({ instance_uuids: [uuid], spec_obj: spec() });
    expect(answer.failure).toBeNull();
    const [hosts = []] = hostsOf(answer);
    expect(new Set(hosts)).toEqual(new Set(['cmp1', 'cmp2', 'cmp3']));
    const chosen = selection(answer);
    expect(chosen).toMatchObject({
      cell_uuid: CELL,
      compute_node_uuid: cloud.nodes[hosts[0] as 'cmp1'],
      nodename: hosts[0],
      allocation_request_version: '1.36',
    });
    const { allocations, mappings } = JSON.parse(chosen.allocation_request);
    expect(await allocationsOf(uuid)).toMatchObject(allocations);
    expect(mappings).toEqual({ '': [chosen.compute_node_uuid] });
  });

  it('takes the owner of the spec, records the decision, and forgets the call after its answer', async () => {
    const [uuid, requestId] = [randomUUID(), `req-${randomUUID()}`];
    await conductor.select({ instance_uuids: [uuid], spec_obj: spec({ share_trees: true }) }, { requestId });
    const { json } = await berth.request({ path: `/allocations/${uuid}` });
    expect(json).toMatchObject({ project_id: 'c66dcb910cd6459ca5bd1b23d344d735', consumer_type: 'INSTANCE' });
    const decision = await eventually(async () => {
      const found = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
      return found.status === 200 ? found : undefined;
    });
    expect(decision.json.request.ignored).toContainEqual(expect.objectContaining({ field: 'spec_obj.share_trees' }));
    expect(decision.text).not.toContain('a-live-token');
    expect(await eventually(async () => ((await records()) === 0 ? true : undefined))).toBe(true);
  });

  const records = async (): Promise<number> =>
    Number(
      (await berth.database.read((sql) => sql.query<{ n: number }>('SELECT COUNT(*) AS n FROM nova_calls')))[0]?.n,
    );

  it('refuses with NoValidHost, one sentence for tenants and the request id', async () => {
    const requestId = `req-${randomUUID()}`;
    const huge = spec(flavor({ vcpus: 1_000 }));
    const { result, failure } = await conductor.select(
      { instance_uuids: [randomUUID()], spec_obj: huge },
      { requestId },
    );
    expect(result).toBeNull();
    expect(failure).toMatchObject({ class: 'NoValidHost', module: 'nova.exception' });
    expect(failure.args[0]).toMatch(new RegExp(`^No valid host was found\\. [^\\n]*${requestId}\\)$`));
    expect(failure.args[0]).not.toContain('cmp');
  });

  const onHost = (host: string): Json => ({
    requested_destination: novaObject('Destination', '1.4', { host, node: host }),
  });

  it.each<[string, Json, string, number?]>([
    ['an unknown host', onHost('moon'), 'The host that the request names does not exist or is not available.'],
    [
      'a host of another zone',
      { ...onHost('cmp3'), availability_zone: 'az1' },
      'The host that the request names is not in its availability zone.',
    ],
    [
      'a host that is too full',
      { ...onHost('cmp3'), ...flavor({ memory_mb: 17_000 }) },
      'The host that the request names has no room for the flavor.',
    ],
    [
      'a host that its image does not run on',
      { ...onHost('cmp3'), ...flavor(), image: imageMeta({ img_hv_type: 'hyperv' }) },
      'The host that the request names does not satisfy the properties of the image.',
    ],
    ['an image', { image: imageMeta({ img_hv_type: 'hyperv' }) }, 'No host satisfies the properties of the image.'],
    ['a batch', flavor({ memory_mb: 10_000 }), 'Only 3 of 4 instances fit.', 4],
    [
      'a flavor',
      flavor({ vcpus: 1_000 }),
      'There is not enough capacity for what was asked, or nothing satisfies its conditions.',
    ],
  ])('tells the tenant which condition it was: %s', async (_what, data, expected, count = 1) => {
    const args = { instance_uuids: Array.from({ length: count }, () => randomUUID()), spec_obj: spec(data) };
    const { failure } = await conductor.select(args);
    expect(failure.args[0]).toMatch(/^No valid host was found\. .* \(request req-[0-9a-f-]+\)$/);
    expect(failure.args[0]).toContain(` ${expected} `);
  });

  it('places a batch as a whole or not at all', async () => {
    const two = [randomUUID(), randomUUID()];
    expect(hostsOf(await conductor.select({ instance_uuids: two, spec_obj: spec() }))).toHaveLength(2);
    const many = Array.from({ length: 3 }, () => randomUUID());
    const wide = spec(flavor({ memory_mb: 10_000 }));
    const extra = [...many, randomUUID()];
    expect((await conductor.select({ instance_uuids: extra, spec_obj: wide })).failure.class).toBe('NoValidHost');
    expect(await Promise.all(extra.map(providersOf))).toEqual([[], [], [], []]);
  });

  it('checks a rebuild on its host without a claim', async () => {
    const uuid = randomUUID();
    await put(uuid, [cloud.nodes.cmp2], null);
    const rebuild = spec({ scheduler_hints: { _nova_check_type: ['rebuild'] }, force_hosts: ['cmp2'] });
    const args = { instance_uuids: [uuid], spec_obj: rebuild, return_alternates: false };
    const answer = await conductor.select(args);
    expect(hostsOf(answer)).toEqual([['cmp2']]);
    expect(selection(answer)).toMatchObject({ allocation_request: 'null', allocation_request_version: null });
    expect(await providersOf(uuid)).toEqual([cloud.nodes.cmp2]);
  });

  it('adds the new host of an evacuation to the allocations', async () => {
    const uuid = randomUUID();
    await put(uuid, [cloud.nodes.cmp1], null);
    const evacuate = spec({ ignore_hosts: ['cmp1', 'cmp3'] });
    const args = { instance_uuids: [uuid], spec_obj: evacuate, return_alternates: false };
    expect(hostsOf(await conductor.select(args))).toEqual([['cmp2']]);
    expect(await providersOf(uuid)).toEqual([cloud.nodes.cmp1, cloud.nodes.cmp2].sort());
  });

  it('evacuates an instance that nova built on an alternate host', async () => {
    const uuid = randomUUID();
    const chosen = selection(await conductor.select({ instance_uuids: [uuid], spec_obj: spec() }))
      .service_host as 'cmp1';
    const [other = 'cmp1', third = 'cmp1'] = (['cmp1', 'cmp2', 'cmp3'] as const).filter((name) => name !== chosen);
    // The build failed there; the conductor claimed an alternate.
    await put(uuid, [cloud.nodes[other]], 1);
    const evacuate = spec({ ignore_hosts: [other, third] });
    const args = { instance_uuids: [uuid], spec_obj: evacuate, return_alternates: false };
    expect(hostsOf(await conductor.select(args))).toEqual([[chosen]]);
    expect(await providersOf(uuid)).toEqual([cloud.nodes[other], cloud.nodes[chosen]].sort());
  });

  it('places a resized instance again, whose allocations nova moved to the migration', async () => {
    const [uuid, migration] = [randomUUID(), randomUUID()];
    const before = selection(await conductor.select({ instance_uuids: [uuid], spec_obj: spec() }));
    await berth.request({ method: 'DELETE', path: `/allocations/${uuid}` });
    await put(migration, [before.compute_node_uuid], null);
    const resize = spec({ ignore_hosts: [before.service_host] });
    const [[host]] = hostsOf(await conductor.select({ instance_uuids: [uuid], spec_obj: resize })) as [[string]];
    expect(host).not.toBe(before.service_host);
    const { json } = await berth.request({ path: `/scheduler/instances/${uuid}`, headers: ALL_POWERFUL });
    expect(json).toMatchObject({ host, state: 'placed' });
  });

  it('holds anti-affinity of a group from nova, by allocations and under races of two processes', async () => {
    const second = await cloud.start(kind, { sameDatabaseAs: berth });
    try {
      await eventually(async () => {
        const shown = await cloud.rabbit.control('list_queues', 'name', 'consumers');
        return /^scheduler\s+2$/m.test(shown) ? true : undefined;
      });
      for (let round = 0; round < 5; round += 1) {
        const uuid = randomUUID();
        const members = Array.from({ length: 4 }, () => randomUUID());
        // Each message knows only its own member, as if all were sent at the same time.
        const answers = await Promise.all(
          members.map((member) =>
            conductor.select({ instance_uuids: [member], spec_obj: spec(group(uuid, 'anti-affinity', [member])) }),
          ),
        );
        const placed = answers.filter(({ failure }) => failure === null).map((answer) => hostsOf(answer)[0]?.[0]);
        expect(placed.sort()).toEqual(['cmp1', 'cmp2', 'cmp3']);
        expect(answers.find(({ failure }) => failure !== null)?.failure.class).toBe('NoValidHost');
        // nova deletes one instance: its host is free for the group again.
        const [gone = '', ...left] = members.filter((_, at) => answers[at]?.failure === null);
        await berth.request({ method: 'DELETE', path: `/allocations/${gone}` });
        const late = randomUUID();
        const again = spec(group(uuid, 'anti-affinity', [late, gone, ...left]));
        expect((await conductor.select({ instance_uuids: [late], spec_obj: again })).failure).toBeNull();
        const more = randomUUID();
        const further = spec(group(uuid, 'anti-affinity', [more, late, ...left]));
        const { failure } = await conductor.select({ instance_uuids: [more], spec_obj: further });
        expect(failure.args[0]).toContain('No host satisfies the policy of the server group.');
        for (const each of [...left, late]) await berth.request({ method: 'DELETE', path: `/allocations/${each}` });
      }
    } finally {
      await second.stop();
    }
  }, 60_000);

  it('keeps an affinity group on one host although nova does not know the host yet', async () => {
    const [uuid, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    // Without the group, the host with the least memory would not be chosen.
    const requested_destination = novaObject('Destination', '1.4', { host: 'cmp3', node: 'cmp3' });
    const first = { ...group(uuid, 'affinity', [one]), requested_destination };
    expect((await conductor.select({ instance_uuids: [one], spec_obj: spec(first) })).failure).toBeNull();
    const next = await conductor.select({ instance_uuids: [two], spec_obj: spec(group(uuid, 'affinity', [one, two])) });
    expect(hostsOf(next)[0]?.[0]).toBe('cmp3');
  });

  /** The usage of each node, by the sums that placement keeps. */
  const usages = async (): Promise<unknown[]> => {
    const found = Object.values(cloud.nodes).map(async (node) => {
      const { json } = await berth.request({ path: `/resource_providers/${node}/usages` });
      return json.usages as unknown;
    });
    return Promise.all(found);
  };

  it('releases a claim whose caller is gone', async () => {
    const uuid = randomUUID();
    const before = await usages();
    void conductor.select({ instance_uuids: [uuid], spec_obj: spec() }, { replyTo: 'reply_of_nobody' });
    await eventually(async () => ((await providersOf(uuid)).length > 0 ? true : undefined));
    await eventually(async () => ((await providersOf(uuid)).length === 0 ? true : undefined));
    await eventually(async () => ((await records()) === 0 ? true : undefined));
    expect(await usages()).toEqual(before);
  });

  it.each<[string, (uuid: string, host: string) => Promise<unknown>, boolean]>([
    ['releases a claim without a known outcome that nova does not know', async () => undefined, false],
    [
      'keeps a claim whose instance is being built',
      (uuid) => insertInstance(uuid, { host: null, vm_state: 'building', task_state: 'scheduling' }),
      true,
    ],
    [
      'keeps a claim whose instance is on the host',
      (uuid, host) => insertInstance(uuid, { host, vm_state: 'active', task_state: null }),
      true,
    ],
    [
      'keeps a claim whose instance moves to the host',
      async (uuid, host) => {
        await insertInstance(uuid, { host: 'cmp0', vm_state: 'active', task_state: null });
        await insertMigration(uuid, host);
      },
      true,
    ],
    [
      'releases a claim whose instance is elsewhere',
      (uuid) => insertInstance(uuid, { host: 'cmp0', vm_state: 'error', task_state: null }),
      false,
    ],
  ])('%s', async (_what, atNova, isKept) => {
    const [uuid, requestId] = [randomUUID(), `req-${randomUUID()}`];
    const calls = berth.app.get(CallRecords, { strict: false });
    const before = await usages();
    const record = await calls.open(requestId, [uuid], 0);
    const answer = await conductor.select({ instance_uuids: [uuid], spec_obj: spec() }, { requestId });
    await atNova(uuid, hostsOf(answer)[0]?.[0] ?? '');
    await berth.database.write((tx) => tx.run('UPDATE nova_calls SET judge_at = 0 WHERE uuid = ?', [record.uuid]));
    expect(await calls.recover()).toBe(1);
    expect(await providersOf(uuid)).toHaveLength(isKept ? 1 : 0);
    if (!isKept) expect(await usages()).toEqual(before);
  });

  it('restores the allocations of an evacuation without a known outcome', async () => {
    const [uuid, requestId] = [randomUUID(), `req-${randomUUID()}`];
    await put(uuid, [cloud.nodes.cmp1], null);
    const calls = berth.app.get(CallRecords, { strict: false });
    const record = await calls.open(requestId, [uuid], 0);
    const args = { instance_uuids: [uuid], spec_obj: spec({ ignore_hosts: ['cmp1'] }) };
    await conductor.select(args, { requestId });
    expect(await providersOf(uuid)).toHaveLength(2);
    await insertInstance(uuid, { host: 'cmp1', vm_state: 'error', task_state: null });
    await berth.database.write((tx) => tx.run('UPDATE nova_calls SET judge_at = 0 WHERE uuid = ?', [record.uuid]));
    expect(await calls.recover()).toBe(1);
    expect(await providersOf(uuid)).toEqual([cloud.nodes.cmp1]);
  });

  const insertMigration = (uuid: string, target: string): Promise<unknown> =>
    cloud.databases.run(
      "INSERT INTO cell1.migrations (instance_uuid, dest_compute, status, deleted) VALUES (?, ?, 'pre-migrating', 0)",
      [uuid, target],
    );

  const insertInstance = (uuid: string, row: Json): Promise<unknown> =>
    cloud.databases.run(
      'INSERT INTO cell1.instances (uuid, host, vm_state, task_state, deleted, updated_at) VALUES (?, ?, ?, ?, 0, UTC_TIMESTAMP())',
      [uuid, row['host'], row['vm_state'], row['task_state']],
    );

  const check = async (env: Record<string, string> = {}): Promise<{ code: number; text: string }> => {
    let text = '';
    const write = (part: string): void => void (text += part);
    const world = {
      env: {
        DATABASE_URL: berth.databaseUrl,
        BERTH_NOVA__CONFIG_FILE: 'nova.conf',
        BERTH_NOVA__RELEASE: '26',
        BERTH_DEFAULT__SERVICE_DOWN_TIME: '3600',
        ...env,
      },
      cwd: cloud.folder,
    };
    return { code: await runCli(['scheduler', 'check'], { stdout: write, stderr: write }, world), text };
  };

  it('is checked before the switch', async () => {
    const { code, text } = await check();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'ok       message broker: The connection works.',
        expect.stringMatching(/^warning {2}message broker: Queue scheduler has \d consumers: stop nova-scheduler/),
        expect.stringMatching(/^ok {7}API database: Readable, schema \w+\.$/),
        expect.stringMatching(/^ok {7}cell cell1: Readable, schema \w+; 3 nodes/),
        'ok       hosts: 3 hosts are known.',
        'ok       decision: 3 hosts can be chosen for flavor of 1 VCPU and 1 MiB, the smallest one.',
        expect.stringMatching(/^warning {2}aggregates: Aggregate agg-fast lacks 2 hosts in Placement \(cmp1, cmp2\)/),
      ]),
    );
    expect(code).toBe(0);
  });

  it('is refused by the check for what would stop the start', async () => {
    const { code, text } = await check({
      BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: 'ComputeFilter,BlazarFilter',
      BERTH_FILTER_SCHEDULER__AVAILABLE_FILTERS: 'blazarnova.scheduler.filters.blazar_filter.BlazarFilter',
    });
    expect(text).toMatch(/^error {4}configuration: .*BlazarFilter/m);
    expect(text).not.toMatch(/can be chosen/);
    expect(code).toBe(1);
    const invalid = await check({ BERTH_SCHEDULER__MAX_ATTEMPTS: 'many' });
    expect(invalid).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^error {4}configuration: .*must be an integer/),
    });
  });

  it('is refused by the check if no host can be chosen for the smallest flavor of nova', async () => {
    await cloud.databases.run(
      'CREATE TABLE api.flavors (id INT, name VARCHAR(255), vcpus INT, memory_mb INT, root_gb INT, ephemeral_gb INT, ' +
        'swap INT, disabled BOOLEAN)',
    );
    await cloud.databases.run(
      'CREATE TABLE api.flavor_extra_specs (flavor_id INT, `key` VARCHAR(255), value VARCHAR(255))',
    );
    await cloud.databases.run(
      "INSERT INTO api.flavors VALUES (1, 'm1.big', 4, 4096, 1, 0, 0, 0), (2, 'm1.tiny', 1, 64, 1, 0, 0, 0), (3, 'off', 1, 1, 0, 0, 0, 1)",
    );
    for (const table of ['flavors', 'flavor_extra_specs'])
      await cloud.databases.run(`GRANT SELECT ON api.${table} TO '${cloud.databases.user}'@'%'`);
    expect((await check()).text).toContain('decision: 3 hosts can be chosen for flavor m1.tiny, the smallest one.');
    await cloud.databases.run("UPDATE cell1.services SET disabled = 1 WHERE `binary` = 'nova-compute'");
    const disabled = await check();
    await cloud.databases.run("UPDATE cell1.services SET disabled = 0 WHERE `binary` = 'nova-compute'");
    expect(disabled.text).toMatch(/^error {4}decision: No host can be chosen for flavor m1\.tiny.*disabled/m);
    expect(disabled.code).toBe(1);
  });

  it('is refused by the check without a broker, and without its password in the text', async () => {
    const { code, text } = await check({ OS_DEFAULT__TRANSPORT_URL: 'rabbit://nova:the-password@127.0.0.1:1/' });
    expect(text).toMatch(/^error {4}message broker: .*ECONNREFUSED/m);
    expect(text).not.toContain('the-password');
    expect(code).toBe(1);
  });

  /** The weights of the hosts before they are normalised. */
  const freeMemoryOf = async (host: string): Promise<number> => {
    const body = {
      num_instances: 1,
      flavor: { vcpus: 1, memory_mb: 1 },
      project_id: 'p',
      user_id: 'u',
      explain: 'all',
    };
    const { json } = await berth.request({ method: 'POST', path: '/scheduler/explain', body, headers: ALL_POWERFUL });
    const ram = json.decision.passes[0].weighers.find(({ name }: { name: string }) => name === 'RAMWeigher');
    return ram.hosts.find((each: { host: string }) => each.host === host).raw;
  };

  it('counts a placement until the figures of its host do, and never twice', async () => {
    const uuid = randomUUID();
    const before = await freeMemoryOf('cmp3');
    const destination = novaObject('Destination', '1.4', { host: 'cmp3', node: 'cmp3' });
    const args = { instance_uuids: [uuid], spec_obj: spec({ requested_destination: destination }) };
    expect(hostsOf(await conductor.select(args))[0]?.[0]).toBe('cmp3');
    expect(await freeMemoryOf('cmp3')).toBe(before - 256);
    // The compute commits the instance first, then its figures.
    await insertInstance(uuid, { host: 'cmp3', vm_state: 'building', task_state: 'spawning' });
    await new Promise((resume) => setTimeout(resume, 1_500));
    expect(await freeMemoryOf('cmp3')).toBe(before - 256);
    await cloud.databases.run(
      "UPDATE cell1.compute_nodes SET free_ram_mb = free_ram_mb - 300, updated_at = UTC_TIMESTAMP() + INTERVAL 5 SECOND WHERE host = 'cmp3'",
    );
    await new Promise((resume) => setTimeout(resume, 1_500));
    expect(await freeMemoryOf('cmp3')).toBe(before - 300);
  });

  /** Changes the compute services of the cell as nova-api does. */
  const setServices = (set: string, host: string): Promise<unknown> =>
    cloud.databases.run(`UPDATE cell1.services SET ${set} WHERE \`binary\` = 'nova-compute' AND host = '${host}'`);

  it.each([
    ['disabled', 'disabled = 1', 'disabled = 0'],
    ['forced down', 'forced_down = 1', 'forced_down = 0'],
    [
      'without heartbeats',
      'last_seen_up = UTC_TIMESTAMP() - INTERVAL 1 HOUR',
      'last_seen_up = UTC_TIMESTAMP() + INTERVAL 10 MINUTE',
    ],
  ])('sees at once that the host of the request is %s, and that it is not any more', async (_what, off, on) => {
    const requested_destination = novaObject('Destination', '1.4', { host: 'cmp3', node: 'cmp3' });
    const boot = (): Promise<Answer> =>
      conductor.select({ instance_uuids: [randomUUID()], spec_obj: spec({ requested_destination }) });
    for (let round = 0; round < 3; round += 1) {
      expect((await boot()).failure).toBeNull();
      await setServices(off, 'cmp3');
      expect((await boot()).failure?.class).toBe('NoValidHost');
      await setServices(on, 'cmp3');
    }
  });

  it.each([
    ['an instance', 1],
    ['a batch', 2],
  ])('does not claim for %s on a host that went down after the last read', async (_what, count) => {
    const boot = async (requestId = `req-${randomUUID()}`): Promise<readonly (string | undefined)[]> => {
      const instance_uuids = Array.from({ length: count }, () => randomUUID());
      const answer = await conductor.select({ instance_uuids, spec_obj: spec() }, { requestId });
      expect(answer.failure).toBeNull();
      for (const uuid of instance_uuids) await berth.request({ method: 'DELETE', path: `/allocations/${uuid}` });
      return hostsOf(answer).map(([host]) => host);
    };
    const [best = ''] = await boot();
    // The last read stays the last one, however long the test takes.
    const refresh = jest.spyOn(berth.app.get(PolledNovaFacts, { strict: false }), 'refresh').mockResolvedValue();
    await setServices("disabled = 1, disabled_reason = 'smoke'", best);
    const requestId = `req-${randomUUID()}`;
    expect(await boot(requestId)).not.toContain(best);
    const decision = await eventually(async () => {
      const found = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
      return found.status === 200 ? found.json : undefined;
    });
    expect(decision.passes[0].claims).toContainEqual(
      expect.objectContaining({
        host: best,
        outcome: 'host_unavailable',
        attempts: 0,
        message: 'the compute service is disabled: smoke',
      }),
    );
    refresh.mockRestore();
    await setServices('disabled = 0, disabled_reason = NULL', best);
  });

  it('names its guarantees', async () => {
    const { json } = await berth.request({ path: '/scheduler', headers: ALL_POWERFUL });
    expect(json.guarantees).toEqual({
      host_facts: 'external',
      claims: 'exact',
      group_policy: 'when_claiming',
      pending_placements: 'counted',
    });
  });

  it('names a cell that it cannot read in the decision, after a cast of nova-api', async () => {
    await cloud.databases.addCell(randomUUID(), () => 'mysql+pymysql://nova:the-password@127.0.0.1:1/none');
    conductor.cast('update_aggregates', '4.1', { aggregates: [] });
    const fields = await eventually(async () => {
      const requestId = `req-${randomUUID()}`;
      expect(
        (await conductor.select({ instance_uuids: [randomUUID()], spec_obj: spec() }, { requestId })).failure,
      ).toBeNull();
      await new Promise((resume) => setTimeout(resume, 300));
      const { json, text } = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
      expect(text).not.toContain('the-password');
      const ignored = (json.request?.ignored ?? []) as { field: string }[];
      return ignored.some(({ field }) => field.startsWith('cells.')) ? ignored.map(({ field }) => field) : undefined;
    });
    expect(fields).toContain('cells.cell2');
  });

  it('counts messages, and knows the broker and the cells, in its metrics', async () => {
    const { text } = await berth.request({ path: '/metrics' });
    expect(text).toContain('berth_nova_broker_connected 1');
    expect(text).toMatch(/berth_nova_messages_total\{kind="call"\} [1-9]/);
    expect(text).toMatch(/berth_nova_cell_ready\{cell="cell1"\} [01]/);
  });

  const get = async (path: string): Promise<any> => (await berth.request({ path, headers: ALL_POWERFUL })).json;

  it("lists nova's hosts, services, host aggregates and zones in its registries", async () => {
    await setServices("disabled = 1, disabled_reason = 'smoke'", 'cmp3');
    await eventually(async () => {
      const { services } = await get('/scheduler/services?status=disabled');
      return services.length === 1 && services[0].host === 'cmp3' ? true : undefined;
    });
    const { hosts, next_marker: marker } = await get('/scheduler/hosts?limit=2');
    expect(hosts.map(({ host }: any) => host)).toEqual(['cmp1', 'cmp2']);
    expect(hosts[0]).toMatchObject({
      uuid: cloud.nodes.cmp1,
      cell: CELL,
      status: 'enabled',
      state: 'up',
      generation: 0,
    });
    expect((await get(`/scheduler/hosts?limit=2&marker=${marker}`)).hosts).toMatchObject([
      { host: 'cmp3', node: 'cmp3', disabled_reason: 'smoke', memory_mb: 8_192 },
    ]);
    expect((await get('/scheduler/hosts?zone=az1')).hosts).toHaveLength(2);
    expect((await get(`/scheduler/hosts?uuid=${cloud.nodes.cmp2}`)).hosts).toMatchObject([{ host: 'cmp2' }]);
    expect(await get('/scheduler/hosts/cmp3/cmp3')).toMatchObject({ host: 'cmp3' });
    expect(await get('/scheduler/services/cmp1')).toMatchObject({ nodes: ['cmp1'], availability_zone: 'az1' });
    const { host_aggregates: aggregates } = await get('/scheduler/host_aggregates?host=cmp1');
    expect(aggregates).toMatchObject([{ name: 'agg-fast', availability_zone: 'az1', hosts: ['cmp1', 'cmp2'] }]);
    expect(await get(`/scheduler/host_aggregates/${aggregates[0].uuid}`)).toEqual(aggregates[0]);
    const { availability_zones: zones } = await get('/scheduler/availability_zones');
    expect(zones).toMatchObject([
      { name: 'az1', hosts_total: 2, hosts_up: 2, available: true },
      { name: 'nova', default: true, hosts: [{ host: 'cmp3', status: 'disabled' }] },
    ]);
    for (const path of ['hosts/moon/moon', 'services/moon', `host_aggregates/${randomUUID()}`, 'hosts?marker=moon'])
      expect([400, 404]).toContain((await berth.request({ path: `/scheduler/${path}`, headers: ALL_POWERFUL })).status);
    await setServices('disabled = 0, disabled_reason = NULL', 'cmp3');
  });

  it.each([
    ['PATCH', 'services/cmp1', { status: 'disabled' }, 'openstack compute service set --disable cmp1 nova-compute'],
    ['DELETE', 'services/cmp1', undefined, 'the id of the service of cmp1'],
    ['PUT', 'hosts/cmp1/cmp1', {}, 'nova-compute on cmp1 reports it to nova'],
    ['POST', 'host_aggregates', { name: 'a' }, 'openstack aggregate create'],
    ['POST', `host_aggregates/${CELL}/hosts`, { host: 'cmp1' }, 'openstack aggregate add host'],
  ])("refuses %s %s with nova's command", async (method, path, body, command) => {
    const request = { method, path: `/scheduler/${path}`, body, headers: ALL_POWERFUL } as const;
    const { status, json } = await berth.request(request as Parameters<TestService['request']>[0]);
    expect([status, json.errors[0].code]).toEqual([409, 'scheduler.in_use']);
    expect(json.errors[0].detail).toContain(command);
  });

  it('shows the hosts of nova in reports', async () => {
    const { json } = await berth.request({ path: '/reports/hosts', headers: ALL_POWERFUL });
    expect(JSON.stringify(json)).toContain('cmp1');
  });
});
