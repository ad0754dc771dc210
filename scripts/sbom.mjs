// `npm run --silent sbom > berth.cdx.json`: the software bill of materials of a release (CycloneDX), by npm from the
// lock: the packages of the service, and those that are bundled into the console's files. `npm sbom --omit dev` alone
// leaves out packages that tools use too, so npm gets a package without tools.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../');
const jsonOf = (name) => JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8'));
const isBundled = ([name]) => name !== 'vite' && !name.startsWith('@types/');

const folder = mkdtempSync(join(tmpdir(), 'berth-sbom-'));
try {
  const { name, version, license, dependencies, optionalDependencies, overrides } = jsonOf('package.json');
  const bundled = Object.fromEntries(Object.entries(jsonOf('console/package.json').devDependencies).filter(isBundled));
  const release = { name, version, license, optionalDependencies, overrides };
  // npm names the root component after its folder.
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({ ...release, dependencies: { ...dependencies, ...bundled } }),
  );
  cpSync(`${ROOT}package-lock.json`, join(cwd, 'package-lock.json'));
  const npm = (...args) =>
    execFileSync('npm', [...args, '--package-lock-only', '--offline'], { cwd, encoding: 'utf8' });
  npm('install', '--ignore-scripts');
  process.stdout.write(npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
