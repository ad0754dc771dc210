// Runs before `npm start` and `npm test`: installs the locked dependencies when they are missing or older than the lock.
// Uses nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lock = `${root}package-lock.json`;
const installed = `${root}node_modules/.package-lock.json`;

const folder = lstatSync(`${root}node_modules`, { throwIfNoEntry: false });
if (folder?.isSymbolicLink()) {
  // Installing would empty what it points at, which belongs to somebody else.
  console.log('node_modules is a link: what it points at is used as it is.');
} else if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs - 1000) {
  console.log('Installing the locked dependencies …');
  console.log(
    'Where there is no prebuilt SQLite driver for this platform it is compiled, silently: that takes minutes.',
  );
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // NODE_ENV=production would leave out the compiler.
  const { status } = spawnSync(npm, ['ci', '--include=dev'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
