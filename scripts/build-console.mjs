// Builds console/ into dist/console/ and compresses its files with brotli and gzip, so the service does not have to.
// Does nothing without console/.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(import.meta.dirname, '../');
const configFile = `${root}console/vite.config.ts`;
const dist = `${root}dist/console`;

const PRESSED = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest']);
/** Smaller files fit into the first packets uncompressed. */
const PRESSED_BYTES_MIN = 1_024;
/** The service renders this file for every answer. */
const PAGE = `${dist}/index.html`;

async function buildConsole() {
  if (!existsSync(configFile)) return;
  const began = performance.now();
  // Always a production build: the bundler reads NODE_ENV, and a test run sets it to another value.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ configFile, logLevel: 'warn' });
  const page = readFileSync(PAGE);
  rmSync(PAGE);
  const names = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(names.map(press));
  // Last: an older page than a source, or none, means that the build is stale or incomplete.
  writeFileSync(PAGE, page);
  console.log(`Console: ${names.length} files, built in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

async function press(path) {
  const bytes = readFileSync(path);
  if (!PRESSED.has(extname(path)) || bytes.length < PRESSED_BYTES_MIN) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

await buildConsole();
