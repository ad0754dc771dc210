// Runs the transcripts of this folder in a shell with the real OpenStack clients, each with its own service. Skipped if
// the clients are missing, unless BERTH_REQUIRE_CLIENTS=1. The commands run in forks of one loaded process.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { berth } from '../support/command-line';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { Terminal } from './terminal';
import type { Transcript } from './transcript';
import { differenceOf, readTranscript } from './transcript';

const FILES = readdirSync(__dirname).filter((name) => /^\d.*\.md$/.test(name));
const CLIENTS = ['openstack', 'nova'];
const missing = CLIENTS.filter((client) => !isInstalled(client));
const isRequired = process.env['BERTH_REQUIRE_CLIENTS'] === '1';

function isInstalled(client: string): boolean {
  try {
    execFileSync('bash', ['--norc', '-c', `command -v ${client}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it('has transcripts', () => expect(FILES.length).toBeGreaterThan(0));

if (isRequired) it('has the clients', () => expect(missing).toEqual([]));
else if (missing.length > 0) it.skip(`the transcripts: ${missing.join(' and ')} not installed`, () => undefined);

const transcripts = FILES.map((name) => [name, readTranscript(readFileSync(join(__dirname, name), 'utf8'))] as const);

const bin = mkdtempSync(join(tmpdir(), 'berth-clients-'));

beforeAll(() => {
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8' };
  if (missing.length === 0) execFileSync(join(__dirname, '../support/preloaded-clients/start'), [bin], { env });
});

afterAll(() => rmSync(bin, { recursive: true }));

async function differencesOf({ files, services }: Transcript): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-chapter-'));
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const started: TestService[] = [];
  const differences: string[] = [];
  const own = { HOME: folder, LANG: 'C.UTF-8', COLUMNS: '400', no_proxy: '*' };
  const terminal = new Terminal(folder, { PATH: `${bin}:${process.env['PATH']}`, ...own });
  try {
    for (const { configuration, commands } of services) {
      const service = await serviceIn(folder, configuration, started[0]);
      started.push(service);
      const url = await listening(service);
      await terminal.export('BERTH_URL', url);
      await terminal.export('DATABASE_URL', service.databaseUrl);
      const openrc = (await berth({ BERTH_URL: url }, ['openrc'], folder)).out;
      await terminal.type(openrc);
      // Berth's own commands get them as well.
      for (const [, name = '', value = ''] of openrc.matchAll(/^export (OS_\w+)=['"]?([^'"\n]*)/gm))
        await terminal.export(name, value);
      for (const { command, expected, line } of commands) {
        const difference = differenceOf(expected, await terminal.type(command));
        if (difference !== null) differences.push(`line ${line}: ${command}\n${difference}`);
      }
    }
  } finally {
    terminal.close();
    // The first service owns the database.
    for (const service of started.toReversed()) await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return differences;
}

const serviceIn = (
  folder: string,
  configuration: string,
  sameDatabaseAs: TestService | undefined,
): Promise<TestService> =>
  startTestService('sqlite', {
    configuration,
    cwd: folder,
    ...(sameDatabaseAs !== undefined && { sameDatabaseAs }),
    // The transcripts search this file for log lines.
    log: (line) => appendFileSync(join(folder, 'berth.log'), line),
  });

async function listening({ app }: TestService): Promise<string> {
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Each client command takes seconds of CPU time, and there are dozens; only a hang is a failure. */
const TIMEOUT_MS = 3_600_000;

(missing.length === 0 ? it : it.skip).each(transcripts)(
  '%s',
  async (_name, transcript) => expect(await differencesOf(transcript)).toEqual([]),
  TIMEOUT_MS,
);
