// `npm run --silent openapi [-- 1.39]`: prints the API document, by default of the newest microversion. With `--lint`: holds
// the documents of all versions against redocly.yaml, offline. Needs neither a service nor a database, but a build.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../');
const [version = 'latest'] = process.argv.slice(2);

const load = createRequire(import.meta.url);
load('reflect-metadata');
const { printedDocuments } = load(`${ROOT}dist/src/cli/printed-document.js`);
const documents = await printedDocuments({ env: process.env, cwd: process.cwd() });
if (version === '--lint') process.exitCode = await lint();
else process.stdout.write(await indented(version));

async function indented(name) {
  const text = await documents.textOf(name);
  if (text === undefined) throw new Error(`There is no microversion ${name}.`);
  return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
}

async function lint() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-openapi-'));
  try {
    const files = documents.versions.map((name) => join(folder, `${name}.json`));
    for (const [at, name] of documents.versions.entries()) writeFileSync(files[at], await indented(name));
    const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    return spawnSync(process.execPath, [cli, 'lint', ...files], { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
