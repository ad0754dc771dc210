// `npm run release:check`: packs the release with `npm pack`, checks its files, installs it in a temporary folder and
// runs it there. That node_modules links only the declared dependencies to this project's packages. Uses no registry.
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '../');
const COMMAND_MINUTES_MAX = 5;
/** Smaller files need no compressed variant. */
const UNPRESSED_BYTES_MAX = 4_096;
const PACKED_BYTES_MAX = 4 * 1024 * 1024;
const NEEDED = [
  'package.json',
  'npm-shrinkwrap.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/main.js',
  'dist/cli.js',
  ...readdirSync(`${ROOT}migrations`).map((name) => `dist/migrations/${name.replace(/\.ts$/, '.js')}`),
  'dist/console/index.html',
];
/** Sources, suites, tools, and leftovers of a run. */
const UNWANTED =
  /^src\/(?!.*README\.md$)|^test\/(?!chapters\/[^/]+\.md$)|^(scripts|migrations|node_modules|coverage|data)\/|\.spec\.|\.tsbuildinfo$|(^|\/)\.env|\.(db|sqlite|log)$/;

const folder = mkdtempSync(join(tmpdir(), 'berth-release-'));
const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
let failures = 0;
try {
  const { filename, files, size } = pack();
  checkFiles(new Set(files.map(({ path }) => path)));
  check(`${filename} has ${(size / 1024).toFixed(0)} KiB, ${files.length} files`, size <= PACKED_BYTES_MAX);
  const changes = readFileSync(`${ROOT}CHANGELOG.md`, 'utf8');
  check(`CHANGELOG.md has an entry for ${version}`, changes.includes(`\n## ${version}`));
  checkSbom();
  const installed = install(filename);
  const npx = (...args) => output('npx', ['--no-install', 'berth', ...args], folder).trim();
  check('npx berth --version', npx('--version') === version);
  execFileSync(process.execPath, [`${ROOT}scripts/smoke.mjs`, join(installed, 'dist')], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

/** The report of `npm pack`, which builds first. */
function pack() {
  const text = output('npm', ['pack', '--json', '--silent', '--pack-destination', folder], ROOT);
  return JSON.parse(text.slice(text.indexOf('[\n')))[0];
}

function checkFiles(packed) {
  const paths = [...packed];
  const documents = paths.filter((path) => path.endsWith('.md'));
  const scripts = paths.filter((path) => /^dist\/console\/.*\.(css|js)$/.test(path) && !packed.has(`${path}.br`));
  const problems = {
    'nothing needed is missing': NEEDED.filter((path) => !packed.has(path)),
    'nothing else is in it': paths.filter((path) => UNWANTED.test(path)),
    "the console's files are pressed": scripts.filter((path) => statSync(`${ROOT}${path}`).size > UNPRESSED_BYTES_MAX),
    'its documents link to what is in it': documents.flatMap((path) => brokenLinksOf(path, paths)),
  };
  for (const [what, found] of Object.entries(problems)) none(what, found);
  check('nothing of the packing is left behind', !existsSync(`${ROOT}npm-shrinkwrap.json`));
}

/** Links of a packed document to files or folders outside the package. */
function brokenLinksOf(document, paths) {
  const links = readFileSync(`${ROOT}${document}`, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
  return [...links]
    .map(([, link]) => normalize(join(dirname(document), link)).replace(/\/$/, ''))
    .filter((target) => !paths.some((path) => path === target || path.startsWith(`${target}/`)))
    .map((target) => `${document} → ${target}`);
}

/** npm reads the lock; packages that the service loads, or that the build bundled, must be in the list. */
function checkSbom() {
  const { metadata, components } = JSON.parse(output(process.execPath, ['scripts/sbom.mjs'], ROOT));
  const named = new Set(components.map(({ name }) => name));
  const certain = [...Object.keys(dependencies), 'react', 'react-dom', '@mantine/core', '@tanstack/react-query'];
  check(`the SBOM is of Berth ${version}`, metadata.component['bom-ref'] === `berth@${version}`);
  none(
    `it names ${components.length} packages, with checksums`,
    certain.filter((name) => !named.has(name)).concat(components.filter(({ hashes }) => !hashes?.length)),
  );
}

/** Installs the package as npm would: the package, its declared dependencies and the command. */
function install(filename) {
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'berth');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  mkdirSync(own);
  output('tar', ['-xzf', filename, '--strip-components=1', '-C', own], folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(`${ROOT}node_modules/${name}`)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(realpathSync(`${ROOT}node_modules/${name}`), join(modules, name));
  }
  symlinkSync('../berth/dist/cli.js', join(modules, '.bin', 'berth'));
  accessSync(join(own, 'dist/cli.js'), constants.X_OK);
  return own;
}

/** Standard output of the command; throws if it fails. */
function output(command, args, cwd) {
  const { DATABASE_URL: _database, BERTH_CONFIG: _config, ...rest } = process.env;
  const env = { ...rest, npm_config_update_notifier: 'false' };
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', timeout: COMMAND_MINUTES_MAX * 60_000 });
}

/** Fails if there are problems, and names the first ten. */
function none(what, problems) {
  check([what, ...problems.slice(0, 10)].join(', '), problems.length === 0);
}

function check(what, isRight) {
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${what}`);
  if (!isRight) failures += 1;
}
