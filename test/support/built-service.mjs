// A built service as a separate process, on an existing database.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../scripts/node-flags.mjs';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const KEPT_CHARACTERS = 20_000;

/** Brings the schema of the database up to date. */
export function migrate(databaseUrl, cwd, dist = DIST) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  execFileSync(process.execPath, [`${dist}/cli.js`, 'migrate'], { env, cwd, stdio: 'ignore' });
}

/**
 * Starts the service on a free port and waits until it listens. `nodeArgs` come before the entry file; `channel` opens
 * an IPC channel to the parent process. Returns its URL, the start-up time and a function to stop it.
 */
export async function startService(databaseUrl, settings = {}) {
  const { entry = `${DIST}/main.js`, cwd = '/', env = {}, nodeArgs = [], channel = false } = settings;
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run "npm run build" first`);
  const began = performance.now();
  const child = spawn(process.execPath, [...NODE_FLAGS, ...nodeArgs, entry], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: '0', LOG_LEVEL: 'info', ...env },
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', ...(channel ? ['ipc'] : [])],
  });
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-KEPT_CHARACTERS);
      const found = /"url":"(http[^"]+)"/.exec(log);
      if (found) resolve(found[1]);
    });
    child.on('exit', () => reject(new Error(`the service ended at start:\n${log}`)));
  });
  return {
    url,
    pid: child.pid,
    process: child,
    readyMs: Math.round(performance.now() - began),
    /** The last 20 000 characters of its log. */
    log: () => log,
    /** Sends SIGTERM and returns the exit code; null if a signal ended the process. */
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}
