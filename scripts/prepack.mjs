// What npm runs before it packs a release: builds, and puts the lock under the name by which npm packs it
// (npm-shrinkwrap.json), so that whoever unpacks the release installs what it was tested with. With `--undo`, behind the
// packing, takes that away again.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packed = `${root}npm-shrinkwrap.json`;

if (process.argv.includes('--undo')) rmSync(packed, { force: true });
else {
  build();
  writeFileSync(packed, `${JSON.stringify(lockOfRelease(), null, 2)}\n`);
}

/** The lock without the client, which is a package of its own. */
function lockOfRelease() {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const { '': release, client, 'node_modules/@berth/client': link, ...packages } = lock.packages;
  if (client === undefined || link === undefined) throw new Error('package-lock.json knows no @berth/client');
  const { workspaces, ...alone } = release;
  if (workspaces === undefined) throw new Error('package-lock.json knows no workspaces');
  return { ...lock, packages: { '': alone, ...packages } };
}
