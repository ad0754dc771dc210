// Builds console/ into dist/console/ and compresses its files with brotli and gzip, so the service does not have to.
// Also writes dist/console-packages.json, the packages in the bundle (for sbom.mjs). Does nothing without console/.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const configFile = `${root}console/vite.config.ts`;
const dist = `${root}dist/console`;
const packagesFile = `${root}dist/console-packages.json`;

const PRESSED = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest']);
/** Smaller files fit into the first packets uncompressed. */
const PRESSED_BYTES_MIN = 1_024;
/** The service renders this file for every answer. */
const PAGE = 'index.html';

async function buildConsole() {
  if (!existsSync(configFile)) return;
  const began = performance.now();
  // Always a production build: the bundler reads NODE_ENV, and a test run sets it to another value.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const places = new Set();
  await build({ configFile, logLevel: 'warn', plugins: [gatheringPackages(places)] });
  const builtMs = performance.now() - began;
  const sizes = await press();
  // Last: an older file than a source means that the build is stale or incomplete.
  writeFileSync(packagesFile, `${JSON.stringify([...places].sort(), null, 2)}\n`);
  const [plain, pressed] = sizes.reduce(([all, less], [one, other]) => [all + one, less + other], [0, 0]);
  const seconds = (ms) => (ms / 1_000).toFixed(1);
  const pressing = `pressed to ${kib(pressed)} in ${seconds(performance.now() - began - builtMs)} s`;
  console.log(`Console: ${sizes.length} files, ${kib(plain)}, built in ${seconds(builtMs)} s, ${pressing}`);
}

/** Collects the paths of bundled packages as the lock names them, for example `node_modules/react`. */
function gatheringPackages(places) {
  const installed = dirname(realpathSync(`${root}node_modules`));
  const add = (module) => {
    const [, place] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(relative(installed, module)) ?? [];
    if (place !== undefined) places.add(place);
  };
  return {
    name: 'packages-of-the-bundle',
    generateBundle(_, bundle) {
      for (const { modules = {} } of Object.values(bundle)) {
        for (const [module, { renderedLength }] of Object.entries(modules)) {
          // A style sheet becomes a separate file, so its module has no rendered code.
          if (renderedLength > 0 || module.endsWith('.css')) add(module);
        }
      }
    },
  };
}

const kib = (bytes) => `${Math.round(bytes / 1_024)} KiB`;

/** For each file its size and its smallest compressed size. */
function press() {
  const names = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== PAGE)
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(names.map(pressFile));
}

async function pressFile(path) {
  const bytes = readFileSync(path);
  if (!PRESSED.has(extname(path)) || bytes.length < PRESSED_BYTES_MIN) return [bytes.length, bytes.length];
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const brotli = await promisify(brotliCompress)(bytes, { params });
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  return [bytes.length, brotli.length];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole();
