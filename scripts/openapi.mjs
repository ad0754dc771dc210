// Writes the API document: `npm run openapi -- [--microversion 1.39] [--out FILE]`, to the standard output unless a file is
// named. Needs neither a service nor a database; builds what is not built.
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';

const PRINTER = fileURLToPath(new URL('../dist/src/openapi/printed-document.js', import.meta.url));

const { values } = parseArgs({
  options: { microversion: { type: 'string', default: 'latest' }, out: { type: 'string' } },
});

if (!existsSync(PRINTER)) build();
const load = createRequire(import.meta.url);
load('reflect-metadata');
const { printedDocument } = load(PRINTER);
const text = await printedDocument({ env: process.env, cwd: process.cwd() }, values.microversion);
if (text === undefined) {
  console.error(`There is no microversion ${values.microversion}.`);
  process.exit(1);
}
const shown = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
if (values.out === undefined) process.stdout.write(shown);
else writeFileSync(values.out, shown);
