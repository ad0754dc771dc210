// The audit log of a whole service on both databases: every attempted write is one event, whatever its outcome.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AccessTokens } from '../../src/platform/auth/static/access-tokens';
import type { RouteContract } from '../conformance/contract';
import { everyRouteContract, nameOf } from '../conformance/contract';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService, TestServiceOptions } from '../support/service';
import { startTestService } from '../support/service';
import { bodyOf, generationsNow, headersOf, makeCloud, pathOf } from './access-requests';
import { CALLERS } from './access-table';

interface Event {
  readonly typeURI: string;
  readonly action: string;
  readonly outcome: string;
  readonly reason: { readonly reasonCode: string; readonly code?: string; readonly policyId?: string };
  readonly initiator: Readonly<Record<string, unknown>>;
  readonly target: { readonly typeURI: string; readonly id: string; readonly name?: string };
  readonly attachments?: readonly { readonly name: string; readonly content: unknown; readonly truncated?: true }[];
}

const eventsIn = (file: string): readonly Event[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** POST requests that change nothing. */
const QUESTIONS = ['POST /scheduler/capacity', 'POST /scheduler/explain', 'POST /scheduler/simulate'];

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const auditFile = (): string => join(folder, 'audit.log');
  const audited = (options: TestServiceOptions = {}): Promise<TestService> =>
    startTestService(kind, {
      ...options,
      overrides: {
        ...options.overrides,
        audit: { enabled: true, log_file: auditFile(), ...options.overrides?.['audit'] },
      },
    });
  /** The events of the requests in `work`, by request id, after all are written. */
  const eventsOf = async (
    work: (ask: (request: TestRequest) => Promise<TestResponse>, service: TestService) => Promise<void>,
    options?: TestServiceOptions,
  ): Promise<ReadonlyMap<string, readonly Event[]>> => {
    const service = await audited(options);
    await work((request) => service.request(request), service);
    await service.stop();
    const found = new Map<string, Event[]>();
    for (const event of eventsIn(auditFile())) {
      const id = String(event.initiator['request_id']);
      found.set(id, [...(found.get(id) ?? []), event]);
    }
    return found;
  };

  it('writes exactly one event for each write, by any caller', async () => {
    const asked: { readonly route: RouteContract; readonly id: string; readonly status: number }[] = [];
    const events = await eventsOf(async (ask, service) => {
      await makeCloud(service);
      const callers = CALLERS.filter(({ name }) => ['no token', 'project reader', 'service'].includes(name));
      for (const route of everyRouteContract(service.app).filter(({ method }) => WRITES.has(method))) {
        for (const { headers } of callers) {
          const body = bodyOf(route, await generationsNow(service, route));
          const method = route.method as NonNullable<TestRequest['method']>;
          const answer = await ask({
            method,
            path: pathOf(route),
            headers: { ...headersOf(route), ...headers },
            ...(body !== undefined && { body }),
          });
          const id = String(answer.headers['x-openstack-request-id']);
          asked.push({ route, id, status: answer.status });
        }
      }
    });
    for (const { route, id, status } of asked) {
      const found = events.get(id) ?? [];
      const isWrite = !QUESTIONS.includes(nameOf(route));
      expect([nameOf(route), status, found.length]).toEqual([nameOf(route), status, isWrite ? 1 : 0]);
      expect(route.audit === null).toBe(!isWrite);
      if (!route.audit) continue;
      expect(found[0]).toMatchObject({
        typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
        outcome: status < 400 ? 'success' : 'failure',
        reason: { reasonType: 'HTTP', reasonCode: String(status) },
        target: { typeURI: `service/compute/${route.audit.target}` },
      });
      const { action } = route.audit;
      expect([action, action.replace(/^update/, 'create')]).toContain(found[0]?.action);
    }
    expect(asked.filter(({ status }) => status < 300).length).toBeGreaterThan(25);
  });

  const HOST = 'bbbbbbbb-0000-4000-8000-000000000001';
  const VM = 'bbbbbbbb-0000-4000-8000-000000000002';
  const PROVIDER = `/resource_providers/${HOST}`;

  /** The events of these requests, in order, sent by an administrator. */
  const eventsFor = async (
    requests: readonly TestRequest[],
    options?: TestServiceOptions,
  ): Promise<readonly Event[]> => {
    const ids: string[] = [];
    const events = await eventsOf(async (ask) => {
      for (const request of requests) ids.push(String((await ask(request)).headers['x-openstack-request-id']));
    }, options);
    return ids.flatMap((id) => events.get(id) ?? []);
  };
  const attached = (event: Event | undefined): Readonly<Record<string, unknown>> =>
    Object.fromEntries((event?.attachments ?? []).map(({ name, content }) => [name, content]));

  it('contains the values before and after a write', async () => {
    const record = { total: 8, reserved: 0, min_unit: 1, max_unit: 8, step_size: 1, allocation_ratio: 1 };
    const put = (path: string, generation: number, body: object): TestRequest => ({
      method: 'PUT',
      path: `${PROVIDER}/${path}`,
      body: { resource_provider_generation: generation, ...body },
    });
    const made = await eventsFor([
      { method: 'POST', path: '/resource_providers', body: { name: 'one', uuid: HOST } },
      { method: 'PUT', path: PROVIDER, body: { name: 'two' } },
      put('traits', 0, { traits: ['HW_CPU_X86_AVX2'] }),
      put('traits', 1, { traits: ['HW_CPU_X86_VMX'] }),
      put('aggregates', 2, { aggregates: [VM] }),
      put('inventories', 3, { inventories: { VCPU: record } }),
      put('inventories', 4, { inventories: { DISK_GB: record } }),
      { method: 'DELETE', path: `${PROVIDER}/traits` },
      { method: 'DELETE', path: PROVIDER },
    ]);
    expect(made.map(({ action, outcome }) => `${action}: ${outcome}`)).toEqual([
      'create: success',
      'update: success',
      'update/traits: success',
      'update/traits: success',
      'update/aggregates: success',
      'update/inventories: success',
      'update/inventories: success',
      'delete/traits: success',
      'delete: success',
    ]);
    for (const { target } of made) {
      expect(target).toMatchObject({ typeURI: 'service/compute/placement/resource_provider', id: HOST });
    }
    const [create, rename, , traits, aggregates, , inventories, , gone] = made;
    expect(create?.target.name).toBe('one');
    expect(attached(rename)).toEqual({ requested: { name: 'two' }, before: { name: 'one' } });
    expect(attached(traits)).toEqual({
      before: { traits: ['HW_CPU_X86_AVX2'], resource_provider_generation: 1 },
      after: { traits: ['HW_CPU_X86_VMX'], resource_provider_generation: 2 },
    });
    expect(attached(aggregates)).toEqual({ before: { aggregates: [] }, after: { aggregates: [VM] } });
    expect(attached(inventories)).toEqual({
      before: { inventories: { VCPU: record }, resource_provider_generation: 4 },
      after: { inventories: { DISK_GB: record }, resource_provider_generation: 5 },
    });
    expect(attached(gone)).toEqual({ before: { name: 'two' } });
  });

  it('contains changes by operators, and the hosts of instances; a dry run is not a write', async () => {
    const report = { vcpus_total: 16, vcpus_used: 0, memory_mb: 4_096, free_ram_mb: 4_096, local_gb: 100 };
    const request = { flavor: { name: 'f', vcpus: 1, memory_mb: 64 }, project_id: 'p', user_id: 'u', instances: [VM] };
    const made = await eventsFor(
      [
        { method: 'PUT', path: '/scheduler/hosts/cn1/cn1', body: { ...report, report_providers: true } },
        { method: 'POST', path: '/scheduler/flavors', body: { id: 'small', name: 'small', vcpus: 1, memory_mb: 64 } },
        {
          method: 'PATCH',
          path: '/scheduler/flavors/small',
          body: { vcpus: 2, extra_specs: { 'hw:cpu_policy': 'shared' } },
        },
        { method: 'POST', path: '/scheduler/select_destinations', body: { ...request, dry_run: true } },
        { method: 'POST', path: '/scheduler/select_destinations', body: request },
        { method: 'PATCH', path: '/scheduler/services/cn1', body: { status: 'disabled', disabled_reason: 'fans' } },
        { method: 'POST', path: '/scheduler/select_destinations', body: { ...request, instances: [HOST] } },
      ],
      { overrides: { audit: { host_reports: false } } },
    );
    const [create, patch, placed, disabled, refused] = made;
    expect(made).toHaveLength(5);
    expect(create).toMatchObject({ action: 'create', target: { id: 'small', name: 'small' } });
    expect(attached(patch)).toEqual({
      before: { vcpus: 1, extra_specs: {}, generation: 0 },
      after: { vcpus: 2, extra_specs: { 'hw:cpu_policy': 'shared' }, generation: 1 },
    });
    expect(attached(placed)).toEqual({
      requested: { instances: [VM], project_id: 'p', user_id: 'u' },
      after: { placements: [{ instance_uuid: VM, host: 'cn1', node: 'cn1' }], placements_in_all: 1 },
    });
    expect(disabled?.target).toMatchObject({ typeURI: 'service/compute/scheduler/service', id: 'cn1' });
    expect(attached(disabled)).toMatchObject({
      before: { status: 'enabled', disabled_reason: null },
      after: { status: 'disabled', disabled_reason: 'fans' },
    });
    expect(refused).toMatchObject({ outcome: 'failure', reason: { reasonCode: '409' } });
    expect(attached(refused)).toEqual({ requested: { instances: [HOST], project_id: 'p', user_id: 'u' } });
  });

  it('names the refused caller and the rule or error, at every stage', async () => {
    const reader = CALLERS.find(({ name }) => name === 'project reader')?.headers ?? {};
    const anonymous = CALLERS.find(({ name }) => name === 'no token')?.headers ?? {};
    const agent = { 'user-agent': 'curl', 'x-openstack-request-id': 'req-11111111-2222-4333-8444-555555555555' };
    const body = { name: 'one', uuid: HOST };
    const events = await eventsFor([
      { method: 'PUT', path: '/traits/CUSTOM_A', headers: { ...anonymous, ...agent } },
      { method: 'PUT', path: '/traits/CUSTOM_A', headers: { ...reader, ...agent } },
      { method: 'POST', path: '/resource_providers', body: {} },
      { method: 'POST', path: '/resource_providers', body },
      { method: 'POST', path: '/resource_providers', body },
      { method: 'DELETE', path: `/resource_providers/${VM}` },
      { method: 'POST', path: '/traits' },
      { method: 'DELETE', path: '/nowhere' },
      { method: 'PUT', path: '/traits/%ff' },
      { method: 'PUT', path: '/traits/CUSTOM_A', version: '99.0' },
      { method: 'GET', path: '/nowhere' },
    ]);
    expect(events.map(({ reason, action }) => `${reason.reasonCode} ${action}`)).toEqual([
      '401 update',
      '403 update',
      '400 create',
      '200 create',
      '409 create',
      '404 delete',
      '405 create',
      '404 delete',
      '400 update',
      '406 update',
    ]);
    const [unknown, forbidden, , , taken] = events;
    expect(unknown?.initiator).toMatchObject({ id: 'unknown', host: { address: '127.0.0.1', agent: 'curl' } });
    expect(unknown?.initiator).toMatchObject({ global_request_id: agent['x-openstack-request-id'] });
    expect(forbidden?.initiator).toMatchObject({ id: 'rita', project_id: 'project-a', roles: ['reader'] });
    expect(forbidden?.reason.policyId).toBe('placement:traits:update');
    expect(taken).toMatchObject({ outcome: 'failure', reason: { code: 'placement.duplicate_name' } });
    expect(attached(taken)).toEqual({ requested: { name: 'one', uuid: HOST } });
  });

  it('is bounded for any request', async () => {
    const traits = Array.from({ length: 2_000 }, (_, i) => `CUSTOM_${i}_${'X'.repeat(200)}`);
    const [event] = await eventsFor([
      { method: 'PUT', path: `${PROVIDER}/traits`, body: { traits, resource_provider_generation: 0 } },
    ]);
    expect(event?.attachments?.[0]).toMatchObject({ name: 'requested', truncated: true });
    expect(JSON.stringify(event).length).toBeLessThan(8_192);
  });

  it('never contains secrets, in whatever field they were sent', async () => {
    const secret = 'S3CRET';
    const all: string[] = [];
    await eventsOf(
      async (ask, service) => {
        const grant = { name: 'ci', userId: 'robot', projectId: 'p', systemScope: null, roles: ['admin', 'service'] };
        const token = await new AccessTokens(service.database).create({ ...grant, expiresAtMs: null }, Date.now());
        all.push(token);
        const headers = {
          'x-auth-token': token,
          'x-roles': null,
          'x-service-token': `${secret}1`,
          'x-subject-token': `${secret}2`,
          authorization: `Bearer ${secret}3`,
          cookie: `session=${secret}4`,
        };
        const request = { flavor: { name: 'f', vcpus: 1, memory_mb: 64 }, project_id: 'p', user_id: 'u' };
        const planted: readonly TestRequest[] = [
          { method: 'POST', path: '/scheduler/images', body: { name: 'i', properties: { admin_password: secret } } },
          { method: 'POST', path: '/scheduler/flavors', body: { name: 'f', vcpus: 1, memory_mb: 1, password: secret } },
          { method: 'POST', path: '/resource_providers', body: { name: 'n', password: secret } },
          { method: 'POST', path: '/resource_providers', body: `{"name": "${secret}` },
          { method: 'PUT', path: `/traits/CUSTOM_A?token=${secret}` },
          { method: 'PUT', path: `/traits/${token}` },
          {
            method: 'POST',
            path: `/scheduler/select_destinations?password=${secret}`,
            body: { ...request, num_instances: 1 },
          },
          {
            method: 'POST',
            path: '/scheduler/select_destinations',
            body: {
              ...request,
              num_instances: 1,
              scheduler_hints: { token: secret },
              image: { properties: { p: secret } },
            },
          },
          { method: 'PUT', path: '/scheduler/hosts/a/a', body: { stats: { password: secret } } },
          { method: 'PUT', path: '/traits/CUSTOM_B', headers: { 'x-auth-token': `${token}${secret}` } },
        ];
        for (const each of planted) await ask({ ...each, headers: { ...headers, ...each.headers } });
      },
      { overrides: { api: { auth_strategy: 'static' } } },
    );
    const text = readFileSync(auditFile(), 'utf8');
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toContain('"id":"robot"');
    for (const each of [secret, ...all]) expect(text).not.toContain(each);
  });

  it('has the write of a client that disconnected before its answer', async () => {
    let isUnderWay = false;
    const log = (line: string): void => {
      isUnderWay ||= line.includes('Starting request') && line.includes('"PUT"');
    };
    const service = await audited({ log });
    await service.request({ method: 'POST', path: '/resource_providers', body: { name: 'one', uuid: HOST } });
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resume) => (release = resume));
    const held = service.database.write(async (tx) => {
      await tx.run('UPDATE resource_providers SET holds = holds + 1 WHERE uuid = ?', [HOST]);
      await gate;
    });
    const socket = connect(port, '127.0.0.1');
    const body = JSON.stringify({ name: 'two' });
    socket.write(
      `PUT ${PROVIDER} HTTP/1.1\r\nhost: localhost\r\nx-auth-token: admin\r\nx-roles: admin\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    while (!isUnderWay) await pause(1);
    socket.destroy();
    await once(socket, 'close');
    release();
    await held;
    const found = (): Event | undefined => eventsIn(auditFile()).find(({ action }) => action === 'update');
    while (found() === undefined) await pause(5);
    expect(found()).toMatchObject({ outcome: 'success', initiator: { id: 'admin' }, target: { id: HOST } });
    await service.stop();
  });

  it('continues in a new file after SIGHUP', async () => {
    const service = await audited();
    const put = (name: string): Promise<TestResponse> => service.request({ method: 'PUT', path: `/traits/${name}` });
    await put('CUSTOM_A');
    while (eventsIn(auditFile()).length === 0) await pause(1);
    renameSync(auditFile(), `${auditFile()}.1`);
    // Jest's process object receives no real signals.
    process.emit('SIGHUP', 'SIGHUP');
    while (!existsSync(auditFile())) await pause(1);
    await put('CUSTOM_B');
    await service.stop();
    const names = [`${auditFile()}.1`, auditFile()].map((file) => eventsIn(file).map(({ target }) => target.id));
    expect(names).toEqual([['CUSTOM_A'], ['CUSTOM_B']]);
  });

  it('costs nothing if it is disabled', async () => {
    const listeners = process.listenerCount('SIGHUP');
    const service = await startTestService(kind, { overrides: { audit: { log_file: auditFile() } } });
    expect(process.listenerCount('SIGHUP')).toBe(listeners);
    expect((await service.request({ method: 'PUT', path: '/traits/CUSTOM_A' })).status).toBe(201);
    await service.stop();
    expect(existsSync(auditFile())).toBe(false);
  });

  it('stops the start-up if its file cannot be opened', async () => {
    const service = await startTestService(kind);
    const started = startTestService(kind, {
      sameDatabaseAs: service,
      overrides: { audit: { enabled: true, log_file: join(folder, 'no', 'a') } },
    });
    await expect(started).rejects.toThrow(/the audit log .*\/no\/a cannot be written: ENOENT/);
    await service.stop();
  });

  it('has the changes by `berth token`, without the token', async () => {
    const service = await audited();
    const said: string[] = [];
    const env = {
      DATABASE_URL: service.databaseUrl,
      BERTH_AUDIT__ENABLED: 'true',
      BERTH_AUDIT__LOG_FILE: auditFile(),
    };
    const token = async (...args: readonly string[]): Promise<number> => {
      const { code, out } = await berth(env, ['token', ...args]);
      said.push(out.trim());
      return code;
    };
    expect(await token('create', 'ci', '--user', 'robot', '--project', 'p', '--role', 'admin')).toBe(0);
    expect(await token('rotate', 'ci')).toBe(0);
    expect(await token('revoke', 'ci')).toBe(0);
    expect(await token('revoke', 'nobody')).toBe(1);
    expect(await token('list')).toBe(0);
    await service.stop();
    const events = eventsIn(auditFile());
    expect(events.map(({ action, outcome, target }) => `${action} ${target.id}: ${outcome}`)).toEqual([
      'create ci: success',
      'renew ci: success',
      'revoke ci: success',
      'revoke nobody: failure',
    ]);
    expect(attached(events[0])).toEqual({ requested: { user: 'robot', project: 'p', roles: ['admin'] } });
    for (const token of said.slice(0, 2)) expect(readFileSync(auditFile(), 'utf8')).not.toContain(token);
  });
});
