// `npm run --silent sbom > berth.cdx.json`, after a build: the CycloneDX SBOM of a release. It lists every runtime
// package from the lock with version, licence and checksum, and the packages inside the console's files as the build
// recorded them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ARGUMENTS = 'sbom --package-lock-only --sbom-format cyclonedx --sbom-type application'.split(' ');
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

const CONSOLE_PACKAGES = 'dist/console-packages.json';
const ALGORITHMS = { sha512: 'SHA-512', sha1: 'SHA-1' };
/** Marks components that are inside the console's files, not installed. */
const BUNDLED = { name: 'berth:bundled', value: 'console' };

const jsonOf = (name) => JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8'));

/** `name@version` of every runtime package in the lock, including nested ones. */
export function packagesOfRelease() {
  const places = Object.entries(lockOfRelease().packages).filter(([place]) => place !== '');
  return [...new Set(places.map(([place, { version }]) => `${nameAt(place)}@${version}`))];
}

/** `name@version` of every package inside the console's files; empty without console/. */
export function packagesOfConsole() {
  return placesOfConsole().map(([place, { version }]) => `${nameAt(place)}@${version}`);
}

function placesOfConsole() {
  if (!existsSync(`${ROOT}console`)) return [];
  if (!existsSync(`${ROOT}${CONSOLE_PACKAGES}`)) throw new Error(`there is no ${CONSOLE_PACKAGES}: npm run build`);
  const { packages } = jsonOf('package-lock.json');
  return jsonOf(CONSOLE_PACKAGES).map((place) => {
    if (packages[place] === undefined)
      throw new Error(`the lock knows no ${place}, of which the console has something`);
    return [place, packages[place]];
  });
}

const nameAt = (place) => place.replace(/^.*node_modules\//, '');

/** `npm sbom --omit dev` would leave out packages that tools need too. */
function lockOfRelease() {
  const { packages, ...lock } = jsonOf('package-lock.json');
  // Paths outside node_modules are packages of this project that are released separately. The OpenTelemetry packages are
  // optional peers, which the operator installs.
  const isPeer = (place) => place.startsWith('node_modules/@opentelemetry/');
  const isOfRelease = ([place, { dev, devOptional, link }]) =>
    place.startsWith('node_modules/') && !dev && !(devOptional && isPeer(place)) && !link;
  const kept = Object.entries(packages).filter(isOfRelease);
  return { ...lock, packages: { ...Object.fromEntries(kept), '': withoutTools(packages['']) } };
}

function withoutTools({ devDependencies: _tools, workspaces: _others, ...own }) {
  return own;
}

/** Adds the bundled packages. The service does not need them at run time, so they are marked as bundled. */
function withConsole(document) {
  const known = new Map(document.components.map((component) => [component['bom-ref'], component]));
  for (const [place, locked] of placesOfConsole()) {
    const component = componentOf(nameAt(place), locked);
    const ref = component['bom-ref'];
    if (!known.has(ref)) known.set(ref, component);
    known.get(ref).properties.push(BUNDLED);
  }
  const own = document.metadata.component['bom-ref'];
  const bundled = [...known].filter(([, { properties }]) => properties.includes(BUNDLED)).map(([ref]) => ref);
  const edges = new Map(document.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  for (const ref of bundled) if (!edges.has(ref)) edges.set(ref, []);
  edges.set(own, [...new Set([...(edges.get(own) ?? []), ...bundled])]);
  return {
    ...document,
    components: [...known.values()],
    dependencies: Array.from(edges, ([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}

function componentOf(name, { version, license, integrity }) {
  const [algorithm, checksum] = integrity.split('-', 2);
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [],
    externalReferences: [],
    hashes: [{ alg: ALGORITHMS[algorithm], content: Buffer.from(checksum, 'base64').toString('hex') }],
    licenses: license === undefined ? [] : [licenceOf(license)],
  };
}

/** An SPDX id, or an SPDX expression of several ids. */
const licenceOf = (license) => (/[ ()]/.test(license) ? { expression: license } : { license: { id: license } });

/** The document as text. Throws with the output of npm. */
export function sbom() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sbom-'));
  try {
    // npm names the root component after its folder.
    const named = join(folder, 'berth');
    mkdirSync(named);
    writeFileSync(join(named, 'package.json'), JSON.stringify(withoutTools(jsonOf('package.json'))));
    writeFileSync(join(named, 'package-lock.json'), JSON.stringify(lockOfRelease()));
    const done = spawnSync('npm', ARGUMENTS, { cwd: named, encoding: 'utf8', maxBuffer: TEXT_BYTES_MAX });
    if (done.status !== 0) throw new Error(`npm sbom failed: ${done.error?.message ?? done.stderr}`);
    return `${JSON.stringify(withConsole(JSON.parse(done.stdout)), null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(sbom());
