// Installs the locked packages if they are missing or older than the lock: for `npm start` what running and building
// need, for `npm test`, `check` and `docs` (`--tools`) the tools too; `--without-driver` leaves out the SQLite driver of Node.js 20. Uses only
// Node itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = `${root}node_modules`;
const isNode20 = process.versions.node.startsWith('20.');
/** See src/platform/database/sqlite-driver.ts. */
const driver = `${modules}/better-sqlite3${isNode20 ? '' : '-13'}`;

const isLink = () => lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true;
const mtimeMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
/** An installation on Node.js 20 lacks the driver of the other lines. */
const isCurrent = () =>
  mtimeMs(`${modules}/.package-lock.json`) >= mtimeMs(`${root}package-lock.json`) - 1_000 && existsSync(driver);

/** Runs one named step and prints its duration. Exits the process if the step fails. */
export async function step(name, work) {
  const began = performance.now();
  console.log(`${name} …`);
  const isDone = await work();
  console.log(`${name}: ${isDone ? 'done' : 'failed'} after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  if (!isDone) process.exit(1);
}

async function npm(args, cwd = root) {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = ['--loglevel=error', '--no-progress', '--include=dev'];
  const child = spawn(command, [...args, ...options], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text) => (complaints += text));
  const [code] = await once(child, 'close');
  // A compiler warns of much that is no fault.
  if (code !== 0) process.stderr.write(complaints);
  return code === 0;
}

/**
 * Installs the packages without their install scripts: none of them is needed, except on Node.js 20. Keeps the installed packages if only tools are
 * missing. Skips a `node_modules` that is a link: an installation would empty the link's target.
 */
export async function installPackages({ tools }) {
  if (isLink()) return;
  if (!isCurrent()) {
    const parts = tools ? [] : ['--workspace=console', '--include-workspace-root'];
    await step('Installing packages', () => npm(['ci', '--ignore-scripts', ...parts]));
  } else if (tools && !existsSync(`${modules}/jest`)) {
    await step('Installing tools', () => npm(['install', '--ignore-scripts', '--no-save']));
  }
}

/**
 * The driver of Node.js 20 is downloaded, or compiled if there is none for this platform. Later lines of Node.js use a
 * version that has its binaries in its package.
 */
export async function installDriver() {
  if (!isNode20 || existsSync(`${driver}/build/Release/better_sqlite3.node`) || isLink()) return;
  const name = 'Installing the SQLite driver (compiled if there is none for this platform: takes a minute or more)';
  await step(name, () => npm(['run', 'install'], driver));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await installPackages({ tools: process.argv.includes('--tools') });
  if (!process.argv.includes('--without-driver')) await installDriver();
}
