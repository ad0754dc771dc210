// Writes the API document: `npm run openapi -- [--microversion 1.39] [--out FILE]`, by default to standard output. With
// --lint: writes the document of every version into a temporary folder and lints them offline. Needs neither a service
// nor a database; builds the service if necessary.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRINTER = join(ROOT, 'dist/src/cli/printed-document.js');
const OPTIONS = {
  microversion: { type: 'string', default: 'latest' },
  out: { type: 'string' },
  lint: { type: 'boolean', default: false },
};

const { values } = parseArgs({ options: OPTIONS });

if (!existsSync(PRINTER)) await build();
const load = createRequire(import.meta.url);
load('reflect-metadata');
const { printedDocuments } = load(PRINTER);
const documents = await printedDocuments({ env: process.env, cwd: process.cwd() });
process.exitCode = values.lint ? await lint() : await write();

async function write() {
  const text = await documents.textOf(values.microversion);
  if (text === undefined) {
    console.error(`There is no microversion ${values.microversion}.`);
    return 1;
  }
  const shown = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  if (values.out === undefined) process.stdout.write(shown);
  else writeFileSync(values.out, shown);
  return 0;
}

async function lint() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-openapi-'));
  try {
    for (const version of documents.versions) {
      writeFileSync(
        join(folder, `${version}.json`),
        JSON.stringify(JSON.parse(await documents.textOf(version)), null, 2),
      );
    }
    const files = documents.versions.map((version) => join(folder, `${version}.json`));
    const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const run = spawnSync(process.execPath, [cli, 'lint', ...files], { cwd: ROOT, env, stdio: 'inherit' });
    return run.status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
