// The whole listening service in this process, with the built console, the harbour cloud and a browser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, noauth, Session } from '../../client/src';
import { operationsByRule } from '../../src/cli/printed-document';
import { POLICY_RULES } from '../../src/platform/auth/policy-rules';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { ConsoleBrowser, hasChromium } from './browser';
import type { HarbourDecisions } from './harbour';
import { CONFIGURATION, loadHarbour, uuidOf } from './harbour';

const isRequired = process.env['BERTH_REQUIRE_CHROMIUM'] === '1';

/** A suite that needs a browser; skipped without one, unless a browser is required. */
export function describeInBrowser(name: string, body: (rig: () => ConsoleRig) => void): void {
  if (!hasChromium() && !isRequired) {
    it.skip(`${name}: Chromium is not installed`, () => undefined);
    return;
  }
  describe(name, () => {
    let rig: ConsoleRig | undefined;
    beforeAll(async () => {
      rig = await ConsoleRig.start();
    });
    afterAll(() => rig?.stop());
    body(() => {
      if (rig === undefined) throw new Error('the service did not start');
      return rig;
    });
  });
}

export class ConsoleRig {
  private constructor(
    readonly service: TestService,
    readonly browser: ConsoleBrowser,
    readonly client: Client,
    readonly decisions: HarbourDecisions,
    private readonly folder: string,
  ) {}

  static async start(): Promise<ConsoleRig> {
    const folder = mkdtempSync(join(tmpdir(), 'berth-console-'));
    writeFileSync(join(folder, 'policy.yaml'), await readingForAll());
    const service = await startTestService('sqlite', {
      configuration: CONFIGURATION,
      overrides: { oslo_policy: { policy_file: join(folder, 'policy.yaml') } },
      consoleFolder: join(__dirname, '../../dist/console'),
    });
    await service.app.listen(0, '127.0.0.1');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const client = new Client(new Session({ endpoint: url, credentials: noauth('admin') }));
    const decisions = await loadHarbour(client, (host) => forget(service, host));
    await loadHistory(service);
    await loadHostEvents(service);
    return new ConsoleRig(service, await ConsoleBrowser.start(url), client, decisions, folder);
  }

  async stop(): Promise<void> {
    await this.browser.stop();
    await this.service.stop();
    rmSync(this.folder, { recursive: true });
  }
}

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;

/** A week in which the use of memory grows, a sample for each hour. */
async function loadHistory({ database }: TestService): Promise<void> {
  const now = Date.now();
  const classOf = (capacity: number, share: number): object => {
    const used = Math.round(capacity * share);
    return { capacity, used, usable: capacity - used, stranded: 0 };
  };
  await database.write(async (tx) => {
    for (let hour = 1; hour <= WEEK_HOURS; hour += 1) {
      const document = {
        hosts: 28,
        usable: 25,
        instances: hour,
        classes: {
          VCPU: classOf(2_016, 0.05 + 0.002 * (hour % 12)),
          MEMORY_MB: classOf(2_000_000, 0.1 + 0.001 * hour + 0.02 * (hour % 3)),
          DISK_GB: classOf(76_000, 0.02),
        },
      };
      await tx.run('INSERT INTO report_samples (sampled_at, placed, refused, document) VALUES (?, ?, ?, ?)', [
        now - (WEEK_HOURS + 1 - hour) * HOUR_MS + 1_000,
        hour % 4,
        hour % 9 === 0 ? 1 : 0,
        JSON.stringify(document),
      ]);
    }
  });
}

/** Changes of the last hours, of several hosts at once and of one. */
async function loadHostEvents({ database }: TestService): Promise<void> {
  const now = Date.now();
  const quays = ['quay-01', 'quay-02', 'quay-03', 'quay-04', 'quay-05', 'quay-06', 'quay-07'];
  const events: readonly (readonly [
    hosts: readonly string[],
    fact: string,
    was: string | null,
    became: string | null,
  ])[] = [
    [quays, 'trait CUSTOM_LICENSED_WINDOWS', null, 'yes'],
    [['barge-01'], 'inventory MEMORY_MB', '131072, reserved 512, ratio 1', '262144, reserved 512, ratio 1'],
    [['tug-01'], 'aggregate row-1', 'yes', null],
    [['flying-dutchman'], 'state', 'up', 'down'],
    [['tug-02'], 'status', 'enabled', 'disabled: the fan of the second power supply is broken'],
  ];
  await database.write(async (tx) => {
    for (const [at, [hosts, fact, was, became]] of events.entries()) {
      for (const host of hosts) {
        await tx.run(
          'INSERT INTO host_events (at, provider_uuid, name, fact, was, became, previous) VALUES (?, ?, ?, ?, ?, ?, 0)',
          [now - (events.length - at) * HOUR_MS, uuidOf(host), host, fact, was, became],
        );
      }
    }
  });
}

const FORGOTTEN_FOR_MS = 3 * 3_600_000;

/** Sets the last report to a time long before the host counts as down. */
async function forget({ database }: TestService, host: string): Promise<void> {
  const sql = 'UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?';
  await database.write((tx) => tx.run(sql, [Date.now() - FORGOTTEN_FOR_MS, host]));
}

/** Lets every logged-in user read everything, so a read-only user exists. */
async function readingForAll(): Promise<string> {
  const operations = await operationsByRule();
  const reading = POLICY_RULES.filter(({ name }) =>
    (operations.get(name) ?? []).every((each) => each.startsWith('GET ') || each === 'POST /scheduler/explain'),
  );
  return reading.map(({ name }) => `"${name}": ""\n`).join('');
}
