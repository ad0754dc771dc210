// `npm start`: builds when the sources are newer than the build, then runs the service in this terminal.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
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
const isStale = !existsSync(entry) || present.some((name) => newest(`${root}${name}`) > statSync(entry).mtimeMs);
if (isStale) {
  console.log('Building …');
  await build();
}

const service = spawn(process.execPath, [...NODE_FLAGS, entry], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal));
// npm runs this in place of its shell, which would swallow SIGINT. Where there is one nevertheless, npm stops that, and it
// does not pass the signal on.
const parent = process.ppid;
const watch = () => process.ppid !== parent && service.kill('SIGTERM');
if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 250).unref();
service.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)));
