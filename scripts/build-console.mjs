// Builds console/ into dist/console/ and presses its files with brotli and gzip, so that the service never has to. Beside
// it, in dist/console-packages.json, stand the packages of which something is in those files (sbom.mjs). Does nothing where
// there is no console.
import { existsSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const configFile = `${root}console/vite.config.ts`;
const dist = `${root}dist/console`;
const packagesFile = `${root}dist/console-packages.json`;

const PRESSED = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest']);
/** Smaller files fit the first packets anyway. */
const PRESSED_BYTES_MIN = 1_024;
/** The service fills this one in anew for every answer. */
const PAGE = 'index.html';

async function buildConsole() {
  if (!existsSync(configFile)) return;
  const began = performance.now();
  // As it is served, whoever builds it: the bundler takes what is set here for what is wanted, and a test run sets it.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const places = new Set();
  await build({ configFile, logLevel: 'warn', plugins: [gatheringPackages(places)] });
  writeFileSync(packagesFile, `${JSON.stringify([...places].sort(), null, 2)}\n`);
  const builtMs = performance.now() - began;
  const sizes = await press();
  const [plain, pressed] = sizes.reduce(([all, less], [one, other]) => [all + one, less + other], [0, 0]);
  const seconds = (ms) => (ms / 1_000).toFixed(1);
  const pressing = `pressed to ${kib(pressed)} in ${seconds(performance.now() - began - builtMs)} s`;
  console.log(`Console: ${sizes.length} files, ${kib(plain)}, built in ${seconds(builtMs)} s, ${pressing}`);
}

/** Where the packages are whose modules are in the bundle, as the lock names them: `node_modules/react`. */
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
          // A style sheet is a file of its own, and nothing is left of its module.
          if (renderedLength > 0 || module.endsWith('.css')) add(module);
        }
      }
    },
  };
}

const kib = (bytes) => `${Math.round(bytes / 1_024)} KiB`;

/** Of every file, how large it is and how large at its smallest. */
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
