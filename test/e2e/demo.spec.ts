// The demo as an operator runs it: the script in a separate process, against a listening service.
import { execFile, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TestDatabaseKind } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books, loadWorld } from './scheduler-cloud';

// Each test runs the whole demo, some twice, in separate processes.
jest.setTimeout(900_000);

const SCRIPT = join(__dirname, '../../scripts/demo.mjs');

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

function demo(...options: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [SCRIPT, ...options], (_, out, errors) =>
      resolve({ code: child.exitCode, out, errors }),
    );
  });
}

/** A separate service for a test. */
async function listening(kind: TestDatabaseKind): Promise<{ readonly service: TestService; readonly url: string }> {
  const service = await startTestService(kind);
  await service.app.listen(0, '127.0.0.1');
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  return { service, url: `http://127.0.0.1:${port}` };
}

interface EarlyEnd extends Run {
  readonly signal: string | null;
}

/** Starts the demo and calls `end` after it has printed `text`. */
function endedAt(
  text: string,
  end: (child: ReturnType<typeof spawn>) => void,
  ...options: readonly string[]
): Promise<EarlyEnd> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SCRIPT, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, errors, isEnded] = ['', '', false];
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (isEnded || !out.includes(text)) return;
      isEnded = true;
      end(child);
    });
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('close', (code, signal) => resolve({ code, signal, out, errors }));
  });
}

// The demo is a client, so one database is enough; the runs below that end early use SQLite.
const KIND = testDatabaseKinds().at(-1) ?? 'sqlite';

describe(`the demo on ${KIND}`, () => {
  let service: TestService;
  let url: string;
  beforeEach(async () => {
    ({ service, url } = await listening(KIND));
    await loadWorld(service, 'bystander VCPU:512 MEMORY_MB:9000000 DISK_GB:9000');
  });
  afterEach(() => service.stop());

  const providers = async (): Promise<string[]> =>
    (await service.request({ path: '/resource_providers' })).json.resource_providers.map(
      ({ name }: { name: string }) => name,
    );

  const registries = async (): Promise<Record<string, unknown[]>> => {
    const plurals = ['hosts', 'services', 'host_aggregates', 'server_groups', 'flavors', 'images', 'instances'];
    const found = plurals.map(async (plural) => {
      const { json } = await service.request({ path: `/scheduler/${plural}` });
      return [plural, json[plural]] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  };

  it('runs through, succeeds, and leaves nothing behind', async () => {
    const { code, out, errors } = await demo('--url', url);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toContain('A cloud of 40 hosts in 2 zones');
    expect(out).toMatch(/harbour +21 +hosts\n +lagoon +19 +hosts/);
    expect(out).toMatch(/trainer +→ +galley-[34] +lagoon/);
    expect(out).toMatch(/payroll +→ +(mary-celeste|porthole)-\d/);
    expect(out).toMatch(/admiral +→ +flagship +lagoon/);
    expect(out).toMatch(/2 +is disabled \(waiting for new firmware, since .*\)\n +dry-dock-1, dry-dock-2/);
    expect(out).toMatch(
      / 3 +host runs 1 of at most 1 members of anti-affinity group \S+; add hosts or raise its max_server_per_host\n/,
    );
    const placedOn = (name: string): string => new RegExp(`^ +${name} +→ +(\\S+)`, 'm').exec(out)?.[1] ?? '';
    const apart = ['db-1', 'db-2', 'db-3', 'witness', 'understudy'].map(placedOn);
    expect(new Set(apart).size).toBe(5);
    expect(out).toContain(`${placedOn('witness')} is switched off.`);
    expect(out).toMatch(/Refused, scheduler\.no_candidates\./);
    expect(out).toMatch(/Nearest hosts:\n +\d+ hosts lack only trait HW_CPU_X86_AVX2 \(flavor whale\)\n/);
    expect(out.split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^Released 12 instances and removed \d+ providers; nothing remains\.$/),
      expect.stringMatching(/^Done in \d+\.\d s\.$/),
      '',
    ]);
    expect(out).not.toContain('\u001b');
    expect(out).not.toMatch(/undefined|\[object|NaN/);
    expect(await providers()).toEqual(['bystander']);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
    const { json } = await service.request({ path: '/traits?name=startswith:CUSTOM_DEMO_' });
    expect(json.traits).toEqual([]);
    expect(await registries()).toEqual({
      hosts: [],
      services: [],
      host_aggregates: [],
      server_groups: [],
      flavors: [],
      images: [],
      instances: [],
    });
  });

  it('can keep the cloud, whose hosts the service reports, and can run again on it', async () => {
    const kept = await demo('--url', `${url}/`, '--keep', '--pace', '0');
    expect(kept.code).toBe(0);
    expect(kept.out).toContain('The cloud stays');
    expect(await providers()).toContain('davy-jones-locker');
    const { json: left } = await service.request({ path: '/scheduler/instances?limit=1000' });
    expect(left.instances.length).toBeGreaterThan(40);
    const { json: host } = await service.request({ path: '/scheduler/hosts/tugboat-01/tugboat-01' });
    expect(host.stats).toEqual({ berth_virtual: 'true' });
    // The remedy of the flavor that fits nowhere.
    const { json: provider } = await service.request({ path: '/resource_providers?name=flagship' });
    const traits = `/resource_providers/${provider.resource_providers[0].uuid as string}/traits`;
    const { json: held } = await service.request({ path: traits });
    const body = { ...held, traits: [...held.traits, 'CUSTOM_DEMO_LICENSED'] };
    expect((await service.request({ method: 'PUT', path: traits, body })).status).toBe(200);
    const again = await demo('--url', url);
    expect(again).toMatchObject({ code: 0, errors: '' });
    expect(again.out.replace(/http\S+|Done in.*/g, '')).toContain('nothing remains.');
    expect(await providers()).toEqual(['bystander']);
  });
});

describe('the demo, interrupted', () => {
  let service: TestService;
  let url: string;
  beforeEach(async () => {
    ({ service, url } = await listening('sqlite'));
  });
  afterEach(() => service.stop());

  const leftOver = async (): Promise<readonly number[]> => {
    const { json: providers } = await service.request({ path: '/resource_providers' });
    const { json: hosts } = await service.request({ path: '/scheduler/hosts' });
    const { json: flavors } = await service.request({ path: '/scheduler/flavors' });
    const { json: instances } = await service.request({ path: '/scheduler/instances' });
    const lists = [providers.resource_providers, hosts.hosts, flavors.flavors, instances.instances];
    return lists.map((list: readonly unknown[]) => list.length);
  };

  it.each([
    ['SIGINT', 'while it loads', 'A cloud of'],
    ['SIGTERM', 'before it schedules', 'Candidates:'],
    ['SIGINT', 'after its first placement', '→'],
  ] as const)('by %s %s, leaves nothing behind', async (signal, _when, text) => {
    const ended = await endedAt(text, (child) => child.kill(signal), '--url', url);
    expect(ended).toMatchObject({ code: 1, signal: null, errors: expect.stringContaining('Interrupted') });
    expect(ended.errors).not.toContain('    at ');
    expect(await leftOver()).toEqual([0, 0, 0, 0]);
  });

  it('by a closed output pipe, leaves nothing behind', async () => {
    const ended = await endedAt('A cloud of', (child) => child.stdout?.destroy(), '--url', url);
    expect(ended).toMatchObject({ code: 1, signal: null });
    expect(ended.errors).not.toContain('    at ');
    expect(await leftOver()).toEqual([0, 0, 0, 0]);
  });

  it('by a restart of the service, goes on with --keep', async () => {
    const server = service.app.getHttpServer();
    const { port } = server.address() as AddressInfo;
    const child = spawn(process.execPath, [SCRIPT, '--url', url, '--keep', '--pace', '0.1']);
    const steps: [string, () => void][] = [
      ['until Ctrl', () => server.close() && server.closeAllConnections()],
      ['No answer', () => server.listen(port, '127.0.0.1')],
      ['The service answers again', () => child.kill('SIGINT')],
    ];
    let out = '';
    for await (const chunk of child.stdout) {
      out += String(chunk);
      const [text, act] = steps[0] ?? [];
      if (text === undefined || !out.includes(text)) continue;
      steps.shift();
      act?.();
    }
    expect(steps).toEqual([]);
  });

  it('without a chance to clean up, is cleaned up by the next run', async () => {
    const killed = await endedAt('→', (child) => child.kill('SIGKILL'), '--url', url);
    expect(killed.signal).toBe('SIGKILL');
    expect(Math.min(...(await leftOver()))).toBeGreaterThan(0);
    const { code, out, errors } = await demo('--url', url);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/An earlier run left \d+ providers, which were removed first\./);
    expect(await leftOver()).toEqual([0, 0, 0, 0]);
  });
});

describe('the demo fails with a clear message', () => {
  it('if no service listens', async () => {
    const server = createServer();
    await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
    const { port } = server.address() as AddressInfo;
    await new Promise((resume) => server.close(resume));
    const { code, out, errors } = await demo('--url', `http://127.0.0.1:${port}`);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors).toContain(`Berth is not reachable at http://127.0.0.1:${port} (ECONNREFUSED).`);
    expect(errors).toContain('npm start');
  });

  it.each([
    [['--url', 'localhost'], 'localhost is no http URL'],
    [['--speed', '9'], '--speed'],
  ])('for options %j', async (options, message) => {
    const { code, errors } = await demo(...options);
    expect(code).toBe(1);
    expect(errors).toContain(message);
    expect(errors).not.toContain('    at ');
  });
});
