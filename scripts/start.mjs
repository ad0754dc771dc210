// `npm start`: installs missing packages, builds if the sources are newer than the build, then runs the service in this
// terminal. The SQLite driver is compiled in parallel with the build.
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

// The console's build includes the client.
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

const service = spawn(process.execPath, [...NODE_FLAGS, entry], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
// npm replaces its shell by this process, because a shell would swallow SIGINT. If there is a shell, npm stops only the
// shell, and the shell does not forward the signal; so this process watches its parent.
const parent = process.ppid;
const watch = () => process.ppid !== parent && service.kill('SIGTERM');
if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 250).unref();
service.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
