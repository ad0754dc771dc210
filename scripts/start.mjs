// `npm start`: installs what is missing, builds if the sources are newer than the build, then runs the service in this
// terminal. The SQLite driver is compiled while the rest is built.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installDriver, installPackages, step } from './bootstrap.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const entry = `${root}dist/main.js`;

function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(found.mtimeMs, ...names.map((name) => newest(`${path}/${name}`)));
}

// The console is built with the client inside.
const sources = ['src', 'migrations', 'console', 'client/src', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];
const present = sources.filter((name) => existsSync(`${root}${name}`));
const isStale = () => !existsSync(entry) || present.some((name) => newest(`${root}${name}`) > statSync(entry).mtimeMs);

async function buildIfStale() {
  if (!isStale()) return;
  const { build } = await import('./build.mjs');
  await step('Building', build);
}

await installPackages({ tools: false });
await Promise.all([installDriver(), buildIfStale()]);
if (process.stdout.isTTY) {
  console.log('Next: open the console at the address below, or run `npm run demo` in a second terminal.');
}

const service = spawn(process.execPath, [...NODE_FLAGS, entry], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
// npm runs this in place of its shell, which would swallow SIGINT. Where there is one nevertheless, npm stops that, and it
// does not pass the signal on.
const parent = process.ppid;
const watch = () => process.ppid !== parent && service.kill('SIGTERM');
if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 250).unref();
service.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
