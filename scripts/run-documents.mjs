// `node scripts/run-documents.mjs [docs/install.md]`: runs every command block of README.md and docs/, or of the named
// documents, against the built service. The blocks of one document share a shell session and a database. A failed
// command fails the run. Blocks after `<!-- not run: why -->`, or run by another suite (command-blocks.mjs), are skipped.
// Needs the `openstack` client (Debian: python3-openstackclient, python3-osc-placement).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../test/support/built-service.mjs';
import { commandBlocksOf, commandsIn } from './command-blocks.mjs';

const root = join(import.meta.dirname, '../');
const MINUTES_MAX = 5;
/** The service's address in the documents. */
const ADDRESS = '127.0.0.1:8778';
/** A 4xx or 5xx answer fails the command. */
const PRELUDE = 'curl() { command curl --fail-with-body "$@"; }';

const clients = mkdtempSync(join(tmpdir(), 'berth-clients-'));
const env = { ...process.env, LANG: 'C.UTF-8' };
execFileSync(`${root}test/support/preloaded-clients/start`, [clients], { env });

const named = process.argv.slice(2);
const documents = named.length > 0 ? named : allDocuments();
let run = 0;
let skipped = 0;
let failed = 0;
for (const document of documents) {
  const blocks = commandBlocksOf(document);
  const runnable = blocks.filter(({ whyNot, suite }) => whyNot === null && suite === null);
  skipped += blocks.length - runnable.length;
  if (runnable.length === 0) continue;
  if (await session(document, runnable)) run += runnable.length;
  else failed += 1;
}
rmSync(clients, { recursive: true });
console.log(`${run} command blocks run, ${skipped} skipped, ${failed} documents failed`);
process.exit(failed === 0 && run > 0 ? 0 : 1);

/** The environment without the BERTH_ variables of the suites. */
function readersEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BERTH_')));
}

function allDocuments() {
  const guides = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.map((name) => `docs/${name}`)];
}

/**
 * Runs all blocks in one shell, so later blocks can use variables of earlier ones. Prints the output if a block fails.
 */
async function session(document, blocks) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-document-'));
  const database = `sqlite:///${folder}/berth.db`;
  // A host that reported in one block stays up in all later ones, even on a slow machine.
  const service = await startService(database, { cwd: folder, env: { BERTH_DEFAULT__SERVICE_DOWN_TIME: '86400' } });
  try {
    const script = blocks.map(
      ({ line, text }) => `echo "== ${document}:${line}"\n${text.replaceAll(ADDRESS, new URL(service.url).host)}`,
    );
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-euo', 'pipefail', '-c', `${PRELUDE}\n${script.join('\n')}`],
      {
        cwd: folder,
        encoding: 'utf8',
        timeout: MINUTES_MAX * 60_000,
        env: {
          ...readersEnvironment(),
          PATH: `${commandsIn(folder)}:${clients}:${process.env.PATH}`,
          BERTH_URL: service.url,
          DATABASE_URL: database,
        },
      },
    );
    console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${document} (${blocks.length} blocks)`);
    if (status !== 0) console.log(`${stdout}\n${stderr}`);
    return status === 0;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
