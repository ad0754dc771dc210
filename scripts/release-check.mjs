// `npm run release:check`: packs the release with `npm pack`, checks its files, and runs it with `npx berth` from a
// temporary installation. That node_modules links only the declared dependencies to this project's packages. Also
// checks that version, changelog and SBOM agree. Uses no registry.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
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
import { fileURLToPath } from 'node:url';
import { packagesOfConsole, packagesOfRelease, sbom } from './sbom.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
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
  ...(existsSync(`${ROOT}console`) ? ['dist/console/index.html'] : []),
];
/** Sources, suites, tools, and leftovers of a run. */
const UNWANTED =
  /^src\/(?!.*README\.md$)|^test\/(?!chapters\/[^/]+\.md$)|^(scripts|migrations|node_modules|coverage|data)\/|\.spec\.|\.tsbuildinfo$|(^|\/)\.env|\.(db|sqlite|log)$/;
/** Packages that the console certainly contains, independent of the build's own list. */
const SURELY_BUNDLED = ['react', 'react-dom', 'react-router', '@mantine/core', '@tanstack/react-query'];

const folder = mkdtempSync(join(tmpdir(), 'berth-release-'));
const { version, dependencies, optionalDependencies } = jsonOf(`${ROOT}package.json`);
let service;
let failures = 0;
try {
  const { filename, files, size } = pack();
  checkFiles(files.map(({ path }) => path));
  check(`${filename} has ${(size / 1024).toFixed(0)} KiB, ${files.length} files`, size <= PACKED_BYTES_MAX);
  check(
    `CHANGELOG.md has an entry for ${version}`,
    readFileSync(`${ROOT}CHANGELOG.md`, 'utf8').includes(`\n## ${version}`),
  );
  checkSbom();
  const app = install(filename);
  await run(app);
} finally {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function jsonOf(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** The report of `npm pack`, which builds first. */
function pack() {
  const text = must('npm', ['pack', '--json', '--silent', '--pack-destination', folder], ROOT);
  const [packed] = JSON.parse(text.slice(text.indexOf('[\n')));
  return packed;
}

function checkFiles(paths) {
  const packed = new Set(paths);
  const missing = NEEDED.filter((path) => !packed.has(path));
  check(`nothing needed is missing${listed(missing)}`, missing.length === 0);
  const unwanted = paths.filter((path) => UNWANTED.test(path));
  check(`nothing else is in it${listed(unwanted)}`, unwanted.length === 0);
  const scripts = paths.filter((path) => /^dist\/console\/.*\.(css|js)$/.test(path));
  const unpressed = scripts.filter((path) => !packed.has(`${path}.br`) && sizeOf(path) > UNPRESSED_BYTES_MAX);
  check(`the console's files are pressed${listed(unpressed)}`, unpressed.length === 0);
  const broken = paths.filter((path) => path.endsWith('.md')).flatMap((path) => brokenLinksOf(path, packed));
  check(`its documents link to what is in it${listed(broken)}`, broken.length === 0);
  check('nothing of the packing is left behind', !existsSync(`${ROOT}npm-shrinkwrap.json`));
}

/** Links of a packed document to files or folders outside the package. */
function brokenLinksOf(document, packed) {
  const links = readFileSync(`${ROOT}${document}`, 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
  const isThere = (path) =>
    packed.has(path) || [...packed].some((each) => each.startsWith(`${path.replace(/\/$/, '')}/`));
  return [...links]
    .map(([, link]) => normalize(join(dirname(document), link)))
    .filter((path) => !isThere(path))
    .map((path) => `${document} → ${path}`);
}

function sizeOf(path) {
  return statSync(`${ROOT}${path}`).size;
}

function checkSbom() {
  const { bomFormat, metadata, components, dependencies: edges } = JSON.parse(sbom());
  const named = new Set(components.map(({ name, version: of }) => `${name}@${of}`));
  const unnamed = packagesOfRelease().filter((each) => !named.has(each));
  const isHostOfService = metadata.component.name === 'berth' && metadata.component.version === version;
  check(
    `the SBOM (${bomFormat}) names Berth ${version} and ${components.length} packages${listed(unnamed)}`,
    bomFormat === 'CycloneDX' && isHostOfService && unnamed.length === 0,
  );
  checkSbomOfConsole(components, edges.find(({ ref }) => ref === metadata.component['bom-ref']).dependsOn);
}

function checkSbomOfConsole(components, dependsOn) {
  if (!existsSync(`${ROOT}console`)) return;
  const bundled = components.filter(({ properties }) => properties.some(({ name }) => name === 'berth:bundled'));
  const refs = bundled.map((component) => component['bom-ref']);
  const missing = [
    ...packagesOfConsole().filter((each) => !refs.includes(each)),
    ...SURELY_BUNDLED.filter((name) => !bundled.some((component) => component.name === name)),
    ...refs.filter((ref) => !dependsOn.includes(ref)),
  ];
  const bare = bundled.filter(
    ({ hashes, licenses }) => !/^[0-9a-f]{128}$/.test(hashes[0]?.content) || licenses.length === 0,
  );
  const wrong = [...missing, ...bare.map((component) => component['bom-ref'])];
  check(
    `it names what the console's files are made of, ${bundled.length} packages with licence and checksum${listed(wrong)}`,
    wrong.length === 0 && refs.length === new Set(refs).size,
  );
}

/** Installs the package as npm would: the package, its declared dependencies and the command. */
function install(filename) {
  const modules = join(folder, 'app', 'node_modules');
  const own = join(modules, 'berth');
  mkdirSync(own, { recursive: true });
  must('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', own], folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(`${ROOT}node_modules/${name}`)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(realpathSync(`${ROOT}node_modules/${name}`), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../berth/dist/cli.js', join(modules, '.bin', 'berth'));
  accessSync(join(own, 'dist/cli.js'), constants.X_OK);
  return join(folder, 'app');
}

async function run(app) {
  check('npx berth --version', must('npx', ['--no-install', 'berth', '--version'], app).trim() === version);
  const { url, stop } = await serve(app);
  check('npx berth serve is ready', (await fetch(`${url}/readyz`)).status === 200);
  check('it stores a provider', await keepsAProvider(url));
  if (existsSync(`${ROOT}console`))
    check('it serves its console, and what that is made of', await servesItsConsole(url));
  check('it stops on SIGTERM', (await stop()) === 0);
  check(
    'npx berth migrate status',
    !must('npx', ['--no-install', 'berth', 'migrate', 'status'], app).includes('missing'),
  );
  check('npx berth verify', must('npx', ['--no-install', 'berth', 'verify'], app).includes('consistent'));
}

/** Starts a process group, to end it as a whole: npx has a shell between itself and the command. */
async function serve(app) {
  service = spawn('npx', ['--no-install', 'berth', 'serve'], {
    cwd: app,
    detached: true,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  return new Promise((resolve, reject) => {
    service.stderr.on('data', (chunk) => {
      log += chunk;
      const found = /"pid":(\d+),"url":"(http[^"]+)"/.exec(log);
      if (found) resolve({ url: found[2], stop: () => stopped(Number(found[1])) });
    });
    service.once('error', reject);
    service.once('exit', () => reject(new Error(`it ended at start:\n${log}`)));
  });
}

async function keepsAProvider(url) {
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
  const uuid = randomUUID();
  const made = await fetch(`${url}/resource_providers`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ uuid, name: 'released' }),
  });
  const shown = await fetch(`${url}/resource_providers/${uuid}`, { headers });
  return made.ok && (await shown.json()).name === 'released';
}

/** The page, and every script and style that it references. */
async function servesItsConsole(url) {
  const page = await fetch(`${url}/console/hosts`);
  const text = await page.text();
  const named = [...text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path);
  const answers = await Promise.all(named.map((path) => fetch(`${url}${path}`)));
  return page.ok && named.some((path) => path.endsWith('.js')) && answers.every(({ ok }) => ok);
}

/** Signals only the service; npx then exits with the service's exit code. */
async function stopped(pid) {
  const ended = once(service, 'exit');
  process.kill(pid, 'SIGTERM');
  const [exitCode] = await ended;
  return exitCode;
}

function stopAll() {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
  process.kill(-service.pid, 'SIGKILL');
}

function environment() {
  const { DATABASE_URL: _database, BERTH_CONFIG: _config, ...rest } = process.env;
  return { ...rest, PORT: '0', LOG_LEVEL: 'info', npm_config_update_notifier: 'false' };
}

/** Standard output of the command; throws if it fails. */
function must(command, args, cwd) {
  const timeout = COMMAND_MINUTES_MAX * 60_000;
  const done = spawnSync(command, args, { cwd, timeout, encoding: 'utf8', env: environment() });
  if (done.status === 0) return done.stdout;
  throw new Error(`${command} ${args.join(' ')}: ${done.error?.message ?? `${done.stdout}${done.stderr}`}`);
}

function listed(problems) {
  return problems.length === 0 ? '' : `: ${problems.slice(0, 10).join(', ')}`;
}

function check(what, isRight) {
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${what}`);
  if (!isRight) failures += 1;
}
