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
  if (!(await build())) process.exit(1);
  writeFileSync(packed, `${JSON.stringify(lockOfRelease(), null, 2)}\n`);
}

/** The lock without the packages of this project that are no part of it: the client, and what the console is built from. */
function lockOfRelease() {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const { '': release, ...packages } = lock.packages;
  const { workspaces, ...alone } = release;
  if (workspaces === undefined) throw new Error('package-lock.json knows no workspaces');
  for (const place of workspaces) {
    const link = Object.keys(packages).find(
      (name) => packages[name].link === true && packages[name].resolved === place,
    );
    if (packages[place] === undefined || link === undefined) throw new Error(`package-lock.json knows no ${place}`);
    const own = Object.keys(packages).filter((name) => name.startsWith(`${place}/`));
    for (const name of [place, link, ...own]) delete packages[name];
  }
  return { ...lock, packages: { '': alone, ...packages } };
}
