// What npm runs before it packs a release: builds, and puts the lock under the name by which npm packs it
// (npm-shrinkwrap.json), so that whoever unpacks the release installs what it was tested with. With `--undo`, behind the
// packing, takes that away again.
import { copyFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const packed = `${root}npm-shrinkwrap.json`;

if (process.argv.includes('--undo')) rmSync(packed, { force: true });
else {
  build();
  copyFileSync(`${root}package-lock.json`, packed);
}
