// `npm run --silent sbom > berth.cdx.json`: what a release is made of, as CycloneDX: every package that it runs on, with
// version, licence and checksum, out of the lock. Nothing needs to be installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ARGUMENTS = 'sbom --package-lock-only --sbom-format cyclonedx --sbom-type application'.split(' ');
const TEXT_BYTES_MAX = 64 * 1024 * 1024;

const jsonOf = (name) => JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8'));

/** `name@version` of every package that the lock holds for running, those of packages included. */
export function packagesOfRelease() {
  const places = Object.entries(lockOfRelease().packages).filter(([place]) => place !== '');
  return [...new Set(places.map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`))];
}

/** Left to npm (`--omit dev`), it would lack packages that tools need as well. */
function lockOfRelease() {
  const { packages, ...lock } = jsonOf('package-lock.json');
  // Beside node_modules are packages of the project that are released by themselves.
  const isOfRelease = ([place, { dev, devOptional, link }]) =>
    place.startsWith('node_modules/') && !dev && !devOptional && !link;
  const kept = Object.entries(packages).filter(isOfRelease);
  return { ...lock, packages: { ...Object.fromEntries(kept), '': withoutTools(packages['']) } };
}

function withoutTools({ devDependencies: _tools, workspaces: _others, ...own }) {
  return own;
}

/** The document as text. Throws with what npm said. */
export function sbom() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sbom-'));
  try {
    // npm calls the whole by the name of its folder.
    const named = join(folder, 'berth');
    mkdirSync(named);
    writeFileSync(join(named, 'package.json'), JSON.stringify(withoutTools(jsonOf('package.json'))));
    writeFileSync(join(named, 'package-lock.json'), JSON.stringify(lockOfRelease()));
    const done = spawnSync('npm', ARGUMENTS, { cwd: named, encoding: 'utf8', maxBuffer: TEXT_BYTES_MAX });
    if (done.status !== 0) throw new Error(`npm sbom failed: ${done.error?.message ?? done.stderr}`);
    return done.stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(sbom());
