// The commands that call a running service: what they print in a terminal, and what they change.
import { setTimeout as sleep } from 'node:timers/promises';
import { HistoryService } from '../../src/reports/history/history.service';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const INSTANCE = '0f1e2d3c-4b5a-4678-8b9a-0c1d2e3f4a5b';
const REPORT = { vcpus_total: 8, memory_mb: 16_384, local_gb: 100, report_providers: true };

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  let url: string;
  const must = async (method: 'PUT' | 'POST' | 'PATCH', path: string, body: object): Promise<void> => {
    const { status, text } = await service.request({ method, path: `/scheduler/${path}`, body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  beforeAll(async () => {
    service = await startTestService(kind, { overrides: { berth: { history_interval_seconds: 300 } } });
    await service.app.listen(0, '127.0.0.1');
    url = await service.app.getUrl();
    for (const host of ['quay-1', 'quay-2', 'quay-3']) await must('PUT', `hosts/${host}/${host}`, REPORT);
    await must('POST', 'host_aggregates', {
      name: 'harbour',
      availability_zone: 'harbour',
      hosts: ['quay-1', 'quay-2', 'quay-3'],
    });
    await must('PATCH', 'services/quay-3', { status: 'disabled', disabled_reason: 'broken fan' });
    await must('POST', 'flavors', { name: 'm1.small', vcpus: 4, memory_mb: 1_024 });
    await must('POST', 'flavors', { name: 'm1.huge', vcpus: 64, memory_mb: 1_024 });
  });
  afterAll(() => service.stop());

  const command = (...args: readonly string[]): Promise<CommandResult> => berth({ BERTH_URL: url }, args);

  /** A decision is recorded shortly after its answer. */
  async function recorded(id: string): Promise<CommandResult> {
    for (;;) {
      const result = await command('decisions', id);
      if (result.code === 0) return result;
      await sleep(20);
    }
  }

  it('hosts are listed with dedicated CPUs, if one has some', async () => {
    expect((await command('hosts')).out).not.toContain('pcpu');
    const root = (await service.request({ path: '/resource_providers?name=quay-2' })).json.resource_providers[0];
    const path = `/resource_providers/${root.uuid}/inventories`;
    const body = { resource_class: 'PCPU', total: 16 };
    expect((await service.request({ method: 'POST', path, body })).status).toBe(201);
    const { out } = await command('hosts');
    expect(out).toMatch(/^host +zone +status +state +instances +vcpu +pcpu +memory +disk/);
    expect(out).toMatch(/quay-2 +harbour +enabled +up +0 +0 \/ \d+ +0 \/ 16 +0 MiB \/ \d+/);
    await service.request({ method: 'DELETE', path: `${path}/PCPU` });
  });

  it('hosts are listed and filtered', async () => {
    const { code, out } = await command('hosts');
    expect(code).toBe(0);
    expect(out).toMatch(/^host +zone +status +state +instances +vcpu/);
    expect(out).toMatch(/quay-1 +harbour +enabled +up +0 +0 \/ \d+ +0 MiB \/ 1\d(\.\d)? GiB +0 GiB \/ \d+ GiB/);
    expect((await command('hosts', '-o', 'wide')).out).toContain('broken fan');
    expect((await command('hosts', '-o', 'name')).out).toBe('quay-1\nquay-2\nquay-3\n');
    expect((await command('hosts', '-o', 'yaml')).out).toMatch(/^- host: quay-1\n/);
    expect((await command('hosts', '--status', 'disabled')).out.trim().split('\n')).toHaveLength(2);
    const listed = JSON.parse((await command('hosts', '--zone', 'harbour', '--json')).out) as readonly object[];
    expect(listed).toHaveLength(3);
    expect(await command('hosts', '--zone', 'harbor')).toEqual({
      code: 1,
      out: '',
      err: "berth: Availability zone 'harbor' does not exist. Did you mean 'harbour'?\n",
    });
    expect(await command('hosts', '--state', 'down')).toEqual({ code: 0, out: '', err: 'No host matches.\n' });
  });

  it('a host that is disabled by its trait alone is not shown as enabled', async () => {
    const [{ uuid }] = JSON.parse((await command('hosts', '--json')).out) as [{ readonly uuid: string }];
    const path = `/resource_providers/${uuid}/traits`;
    const put = async (traits: readonly string[]): Promise<void> => {
      const { json } = await service.request({ path });
      const body = { traits, resource_provider_generation: json.resource_provider_generation };
      expect((await service.request({ method: 'PUT', path, body })).status).toBe(200);
    };
    const before = (await service.request({ path })).json.traits;
    await put([...before, 'COMPUTE_STATUS_DISABLED']);
    expect((await command('hosts')).out).toMatch(/quay-1 +harbour +disabled by trait +up/);
    await put(before);
  });

  it('a host shows its free amounts', async () => {
    const { code, out } = await command('host', 'quay-3');
    expect(code).toBe(0);
    expect(out).toContain('quay-3, node quay-3: disabled (broken fan), up, last seen up ');
    expect(out).toMatch(/quay-3 +MEMORY_MB +16 GiB +\d+ MiB +1(\.\d+)? +0 MiB +\d+/);
    expect(out).toContain('traits of quay-3: COMPUTE_STATUS_DISABLED');
    expect(await command('host', 'quay-9')).toMatchObject({
      code: 1,
      err: expect.stringContaining("Host 'quay-9' does not exist. Did you mean 'quay-1'?"),
    });
  });

  it('projects are listed with their shares, and one shows its largest consumers', async () => {
    const body = { flavor: 'm1.small', project_id: 'web', user_id: 'user', instances: [INSTANCE] };
    const path = '/scheduler/select_destinations';
    const named = { ...body, instance_names: { [INSTANCE]: 'front' } };
    expect((await service.request({ method: 'POST', path, body: named })).status).toBe(200);
    const { code, out } = await command('projects', '--sort', 'VCPU');
    expect(code).toBe(0);
    expect(out).toMatch(/^project +instances +VCPU +MEMORY_MB\nweb +1 +4 \(\d+ %\) +1 GiB \(2 %\)\n$/);
    expect((await command('projects', '-o', 'name')).out).toBe('web\n');
    expect((await command('projects', 'web')).out).toMatch(
      new RegExp(`^uuid +name +flavor +hosts +VCPU +MEMORY_MB\n${INSTANCE} +front +m1.small +quay-\\d +4 +1 GiB\n$`),
    );
    expect((await command('projects', 'web', '-o', 'name')).out).toBe(`${INSTANCE}\n`);
    expect(await command('projects', 'none')).toMatchObject({ code: 1, err: expect.stringContaining("'none'") });
    expect(await command('projects', '--sort', 'VCPUS')).toMatchObject({
      code: 1,
      err: expect.stringContaining("Did you mean 'VCPU'?"),
    });
    await service.request({ method: 'DELETE', path: `/scheduler/instances/${INSTANCE}` });
    expect(await command('projects')).toMatchObject({ code: 0, out: '', err: 'No project has use.\n' });
  });

  it('candidates are named, and an empty result is reported', async () => {
    const { code, out } = await command(
      'candidates',
      'VCPU=2',
      'MEMORY_MB=512',
      '--forbidden',
      'COMPUTE_STATUS_DISABLED',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/1 +quay-\d +(512 MiB memory, 2 VCPU|2 VCPU, 512 MiB memory)/);
    expect(out).not.toContain('quay-3');
    expect(await command('candidates', 'VCPU=9999')).toMatchObject({ code: 1, out: '' });
    expect(await command('candidates', 'VCPU')).toMatchObject({
      code: 1,
      err: expect.stringContaining('CLASS=AMOUNT'),
    });
    expect(await command('candidates', 'CUSTOM_NO=1')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^berth: .* \(400\)$/m),
    });
    expect((await command('candidates', 'VCPUS=1')).err).toContain(
      "No such resource class VCPUS. Did you mean 'VCPU'?",
    );
  });

  it('why shows the status of a host', async () => {
    expect(await command('why', 'quay-1', '--flavor', 'm1.small')).toMatchObject({
      code: 0,
      out: expect.stringContaining('quay-1 passes with weight'),
    });
    const placed = await command('why', 'quay-1', '--flavor', 'm1.small');
    expect(placed.out).not.toMatch(/^Placed/m);
    expect(placed.out).toMatch(/An instance would be placed on \S+ now\. Nothing was claimed\.\n$/);
    const disabled = await command('why', 'quay-3', '--flavor', 'm1.small');
    expect(disabled.code).toBe(1);
    expect(disabled.out).toMatch(/is disabled \(.*, since \d\d:\d\dZ\) \(forbidden_trait\)/);
    const huge = await command('why', 'quay-1', '--flavor', 'm1.huge');
    expect([huge.code, huge.out]).toEqual([
      1,
      expect.stringContaining('can never hold 64 VCPU (max_unit 8) (above_max_unit)'),
    ]);
    expect(await command('why', 'quay-1', '--flavor', 'none')).toMatchObject({ code: 1, out: '' });
    expect(await command('why', 'quay-9', '--flavor', 'm1.small')).toEqual({
      code: 1,
      out: '',
      err: "berth: Host 'quay-9' does not exist. Did you mean 'quay-1'?\n",
    });
  });

  it('capacity counts instances', async () => {
    await service.app.get(HistoryService, { strict: false }).look(Date.now());
    const { code, out } = await command('capacity', '--flavor', 'm1.small');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+ more fit\.\n[A-Z_]+: not foreseeable: 0\.0 of 4 days of history\.\n/);
    expect(out).toMatch(/harbour +2 +\d+/);
    expect(out).toMatch(/1 +placement\.forbidden_trait +quay-3: /);
  });

  it('place claims, decisions and instances show it, explain and --dry-run claim nothing', async () => {
    const tried = await command('place', '--flavor', 'm1.small', '--dry-run');
    expect([tried.code, tried.out]).toEqual([0, expect.stringMatching(/^Would place 1 instance of m1\.small\./)]);
    expect((await command('instances')).err).toBe('No instance matches.\n');
    const placed = await command('place', '--flavor', 'm1.small', '--project', 'pier');
    expect(placed.code).toBe(0);
    expect(placed.out).toMatch(
      /^Placed 1 instance of m1\.small\.\n\ninstance +host +zone +weight +takes +alternates\n/,
    );
    expect(placed.out).toMatch(/quay-[12] +harbour +\d+\.\d\d +(\S+ MiB memory, )?4 VCPU|1 GiB memory, 4 VCPU/);
    const [, id = ''] = /berth decisions (\S+)/.exec(placed.out) ?? [];
    expect((await command('instances', '--project', 'pier')).out).toMatch(
      /- +m1\.small +quay-[12] +harbour +\S+ +pier +\d+ s ago/,
    );
    const decision = await recorded(id);
    expect([decision.code, decision.out]).toEqual([0, expect.stringMatching(/Steps:\nstep +in +out\nPlacement +- +2/)]);
    const explained = await command('explain', '--flavor', 'm1.small');
    expect([explained.code, explained.out]).toEqual([0, expect.stringContaining('Rejected:')]);
    expect((await command('instances', '-o', 'name')).out.trim().split('\n')).toHaveLength(1);
  });

  it('place, explain, why and capacity take the same options', async () => {
    await must('POST', 'server_groups', { name: 'apart', policy: 'anti-affinity', project_id: 'pier' });
    const group = ['--flavor', 'm1.small', '--project', 'pier', '--group', 'apart'] as const;
    expect((await command('place', ...group)).code).toBe(0);
    const listed = await command('instances', '--project', 'pier', '--json');
    const [member] = JSON.parse(listed.out) as readonly { readonly uuid: string; readonly host: string }[];
    if (member === undefined) throw new Error(listed.out);
    const [here, other] = member.host === 'quay-1' ? ['quay-1', 'quay-2'] : ['quay-2', 'quay-1'];
    const refused = await command('why', here, ...group);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('ServerGroupAntiAffinityFilter')]);
    expect((await command('why', other, ...group)).code).toBe(0);
    expect((await command('capacity', ...group)).out).toMatch(/^1 more fits\./);
    const hint = await command('explain', '--flavor', 'm1.small', '--hint', `different_host=${member.uuid}`, '--json');
    const { decision } = JSON.parse(hint.out) as { readonly decision: { readonly request: object } };
    expect(decision.request).toMatchObject({ scheduler_hints: { different_host: [member.uuid] } });
    // The instance itself does not keep its group from a host, and the host that it is on is left out.
    const moved = await command('why', other, '--instance', member.uuid);
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining('passes')]);
    expect(await command('why', here, '--instance', member.uuid)).toEqual({
      code: 1,
      out: '',
      err: `berth: Instance ${member.uuid} is on ${here} already.\n`,
    });
    const larger = await command('why', other, '--instance', member.uuid, '--flavor', 'm1.huge');
    expect([larger.code, larger.out]).toEqual([1, expect.stringContaining('can never hold 64 VCPU')]);
    expect((await command('explain', '--instance', member.uuid)).out).toContain(`Would place 1 instance on ${other}.`);
    for (const [wrong, why] of [
      [['why', here], "give '--flavor <flavor>' or '--instance <instance>'"],
      [['explain', '--flavor', 'm1.small', '--hint', 'alone'], 'It must be KEY=VALUE.'],
    ] as const) {
      expect(await command(...wrong)).toMatchObject({ code: 2, err: expect.stringContaining(why) as string });
    }
  });

  it('place gives names and a host, and release undoes it', async () => {
    const placed = await command(
      'place',
      '--flavor',
      'm1.small',
      '--name',
      'crane',
      '--count',
      '2',
      '--host',
      'quay-2',
    );
    expect([placed.code, placed.err]).toEqual([0, '']);
    const [, uuids = ''] = /^Undo: berth release (.+)$/m.exec(placed.out) ?? [];
    const listed = JSON.parse((await command('instances', '--name', 'crane', '--json')).out) as readonly {
      uuid: string;
      name: string;
      host: string;
    }[];
    expect(listed.map(({ name, host }) => `${name} ${host}`).sort()).toEqual(['crane-1 quay-2', 'crane-2 quay-2']);
    expect(uuids.split(' ').sort()).toEqual(listed.map(({ uuid }) => uuid).sort());
    expect((await command('place', '--flavor', 'm1.small', '--host', 'quay-22')).err).toContain(
      "Did you mean 'quay-2'?",
    );

    const none = '00000000-0000-4000-8000-000000000000';
    expect((await command('release', 'crane-1', none)).err).toContain(`no instance ${none}`);
    expect((await command('release', 'crane')).err).toBe(
      "berth: Instance 'crane' does not exist. Known: crane-1, crane-2.\n",
    );
    expect((await command('instances', '--name', 'crane', '-o', 'name')).out.trim().split('\n')).toHaveLength(2);
    const first = listed.find(({ name }) => name === 'crane-1')?.uuid ?? '';
    expect((await command('why', 'quay-2', '--instance', 'crane-1')).err).toBe(
      `berth: Instance ${first} is on quay-2 already.\n`,
    );
    const released = await command('release', 'crane-1', listed.find(({ name }) => name === 'crane-2')?.uuid ?? '');
    expect([released.code, released.out.split('\n')[0]]).toEqual([0, `crane-1, ${first} on quay-2 is released.`]);
    expect((await command('instances', '--name', 'crane')).err).toBe('No instance matches.\n');

    await command('place', '--flavor', 'm1.small', '--name', 'crane');
    await command('place', '--flavor', 'm1.small', '--name', 'crane');
    expect((await command('release', 'crane')).err).toBe("berth: 2 instances have the name 'crane'. Give the uuid.\n");
    const both = (await command('instances', '--name', 'crane', '-o', 'name')).out.trim().split('\n');
    expect((await command('release', ...both)).code).toBe(0);
  });

  it('server groups, images, zones and advice are listed', async () => {
    await must('POST', 'server_groups', { name: 'spread', policy: 'anti-affinity', rules: { max_server_per_host: 2 } });
    await must('POST', 'images', {
      uuid: '11111111-1111-4111-8111-111111111111',
      name: 'tide',
      properties: { os_type: 'linux' },
    });
    expect((await command('groups')).out).toMatch(
      /^name +policy +members +hosts +project\n[^]*spread +anti-affinity +0 +0 +-/,
    );
    expect((await command('groups', '-o', 'wide')).out).toMatch(
      /spread +anti-affinity +0 +0 +- +max_server_per_host=2 +- +\S{36}/,
    );
    expect((await command('images')).out).toMatch(/tide +- +os_type=linux +1{8}-/);
    expect((await command('images', '-o', 'name')).out).toBe('tide\n');
    expect((await command('zones')).out).toMatch(/harbour +true +3 +3 +1 +false/);
    expect((await command('hosts', '--zone', 'nowhere')).err).toContain('Known: ');
    await service.request({ method: 'DELETE', path: '/scheduler/images/11111111-1111-4111-8111-111111111111' });
    let advice = await command('advice');
    while (advice.out.startsWith('The service looks')) {
      await sleep(50);
      advice = await command('advice');
    }
    expect(advice.out).toMatch(/^(error|warning|note): \S|^All is well\.\n$/);
    const document = JSON.parse((await command('advice', '--json')).out) as { readonly advice: readonly object[] };
    expect((await command('advice', '-o', 'name')).out.split('\n')).toHaveLength(document.advice.length + 1);
  });

  it('a refusal gives its reasons, and is among the decisions', async () => {
    const refused = await command('place', '--flavor', 'm1.huge');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('VCPU');
    const [, id = ''] = /berth decisions (\S+)/.exec(refused.err) ?? [];
    await recorded(id);
    const listed = await command('decisions', '--outcome', 'no_valid_host');
    expect(listed.out).toMatch(/no_valid_host +m1\.huge +1 +- +\S/);
    expect((await command('decisions', 'req-none')).code).toBe(1);
  });

  it('flavors show how many fit', async () => {
    const { out } = await command('flavors');
    expect(out).toMatch(/^name +vcpus +memory +disk +fit +hosts +bottleneck\n/);
    expect((await command('flavors', '-o', 'name')).out).toBe('m1.small\nm1.huge\n');
  });

  it('hosts are disabled with a reason and enabled; an unknown one changes nothing', async () => {
    expect((await command('disable', 'quay-1', 'quay-8', '--reason', 'disk')).err).toContain("Host 'quay-8' does not");
    expect((await command('hosts', '--status', 'disabled', '-o', 'name')).out).toBe('quay-3\n');
    expect((await command('disable', 'quay-1', '--reason', 'disk')).out).toMatch(/quay-1 +disabled +disk +up/);
    expect((await command('enable', 'quay-1')).out).toMatch(/quay-1 +enabled +- +up/);
  });

  it('traits are created, given to hosts and taken away', async () => {
    expect((await command('trait', 'add', 'CUSTOM_CRANE', 'quay-1')).err).toContain(
      "Trait 'CUSTOM_CRANE' does not exist",
    );
    expect((await command('trait', 'add', 'custom_crane', 'quay-1')).err).toBe(
      "berth: Trait 'custom_crane' does not exist. Create it: berth trait create CUSTOM_CRANE\n",
    );
    expect((await command('trait', 'add', 'HW_NUMA_ROTO', 'quay-1')).err).toContain("Did you mean 'HW_NUMA_ROOT'?");
    expect((await command('trait', 'add', 'nothing', 'quay-1')).err).toBe(
      'berth: Trait \'nothing\' does not exist. "berth trait list" lists them.\n',
    );
    await command('trait', 'create', 'CUSTOM_CRANE');
    expect((await command('trait', 'add', 'CUSTOM_CRANE', 'quay-1')).out).toBe('quay-1 now has CUSTOM_CRANE.\n');
    expect((await command('trait', 'add', 'CUSTOM_CRANE', 'quay-1')).out).toBe('quay-1 already has CUSTOM_CRANE.\n');
    expect((await command('trait', 'list', '--name', 'crane', '--associated')).out).toBe('trait\nCUSTOM_CRANE\n');
    expect((await command('trait', 'delete', 'CUSTOM_CRANE')).err).toMatch(/^berth: .* \(409\)$/m);
    expect((await command('trait', 'remove', 'CUSTOM_CRANE', 'quay-1')).out).toContain('now does not have');
    expect((await command('trait', 'delete', 'CUSTOM_CRANE')).code).toBe(0);
  });

  it('traits of a compute service are left to it', async () => {
    const status = 'COMPUTE_STATUS_DISABLED';
    expect((await command('trait', 'remove', status, 'quay-3')).err).toBe(
      `berth: ${status} follows the compute service of quay-3. Use: berth enable quay-3\n`,
    );
    expect((await command('trait', 'add', status, 'quay-1')).err).toContain('Use: berth disable quay-1 --reason TEXT');
    expect((await command('trait', 'add', 'COMPUTE_TRUSTED_CERTS', 'quay-1')).code).toBe(0);
    expect((await command('trait', 'remove', 'COMPUTE_TRUSTED_CERTS', 'quay-1')).err).toContain('of quay-1, and again');
    expect((await command('hosts', '--status', 'disabled', '-o', 'name')).out).toBe('quay-3\n');
  });

  it('instances are kept in their zone, or let out of it', async () => {
    await command('place', '--flavor', 'm1.small', '--zone', 'harbour', '--project', 'pinned');
    const [uuid = ''] = (await command('instances', '--project', 'pinned', '-o', 'name')).out.trim().split('\n');
    const [{ host }] = JSON.parse((await command('instances', '--project', 'pinned', '--json')).out) as [
      { host: string },
    ];
    expect((await command('aggregate', 'remove', 'harbour', host)).err).toContain(`instances unpin-zone ${uuid}`);
    expect((await command('instances', 'unpin-zone', 'nothing')).code).toBe(1);
    expect((await command('instances', 'unpin-zone', uuid)).out).toBe(`${uuid} can move to any availability zone.\n`);
    expect((await command('aggregate', 'remove', 'harbour', host)).code).toBe(0);
    await command('aggregate', 'add', 'harbour', host);
    await service.request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` });
  });

  it('host aggregates are created, filled, listed and deleted', async () => {
    await command('aggregate', 'create', 'rack-3');
    expect((await command('aggregate', 'add', 'rack-3', 'quay-1', 'quay-2')).out).toContain('quay-2 is in rack-3.');
    expect((await command('aggregate', 'list')).out).toMatch(/rack-3 +- +2 +-/);
    expect((await command('aggregate', 'remove', 'rack-3', 'quay-3')).err).toContain("Host 'quay-3' does not exist.");
    expect((await command('aggregate', 'add', 'rack-4', 'quay-1')).err).toContain("Did you mean 'rack-3'?");
    await command('aggregate', 'remove', 'rack-3', 'quay-1', 'quay-2');
    expect((await command('aggregate', 'delete', 'rack-3')).out).toBe('Host aggregate rack-3 is deleted.\n');
  });

  it('reports an unreachable service, and one of another kind', async () => {
    const gone = await command('hosts', '--url', 'http://127.0.0.1:65535');
    expect([gone.code, gone.err]).toEqual([
      1,
      expect.stringMatching(
        /^berth: http:\/\/127\.0\.0\.1:65535 does not answer: .*\. Is Berth running\? Start it with/,
      ),
    ]);
    expect((await command('hosts', '--url', new URL(url).host)).code).toBe(0);
    expect((await command('hosts', '--url', 'ftp://127.0.0.1')).err).toBe(
      "berth: 'ftp://127.0.0.1' is not an address. Give http://HOST:PORT with --url or BERTH_URL.\n",
    );
    expect((await command('hosts', '--token', 'nobody')).err).toBe(
      'berth: Policy does not allow berth:scheduler:hosts:list to be performed. It requires role:admin or role:service. (403)\n',
    );
  });
});
