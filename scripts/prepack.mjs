// npm runs this before it packs a release: builds, and writes the lock as npm-shrinkwrap.json, the name that npm packs,
// so an installation gets the tested versions. With `--undo`, after packing, removes the file again.
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

/**
 * The lock without packages of this project that the release does not contain: the client and the console's sources.
 */
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
