// Starts the processes of a test cloud in a temporary folder, and ends them in reverse order.
import { execFile, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const LOG_SHOWN = 3_000;
/** A process that does not end by itself is killed after this time. */
const END_MS = 10_000;

export const run = promisify(execFile);
export const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));

export async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Repeats `ask` until it returns a truthy value. Errors of `ask` count as "not yet". */
export async function until(what, ask, seconds = 60, pollMs = 250) {
  const deadline = Date.now() + seconds * 1000;
  let last;
  while (Date.now() < deadline) {
    try {
      const found = await ask();
      if (found) return found;
    } catch (error) {
      last = error;
    }
    await sleep(pollMs);
  }
  throw new Error(`${what} did not happen within ${seconds} s${last === undefined ? '' : `: ${last.message}`}`);
}

export class Processes {
  #running = [];

  constructor(folder) {
    this.folder = folder;
  }

  /** Starts a process whose output goes to `<name>.log` of the folder. */
  start(name, command, args, env = {}) {
    const output = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
      cwd: this.folder,
      detached: true,
    });
    const started = { name, child, ended: new Promise((resume) => child.once('exit', resume)) };
    this.#running.push(started);
    return started;
  }

  /** Sends the signal to the process and its children, and waits for its end. */
  async end({ child, ended }, signal = 'SIGTERM') {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, signal);
    const hangs = await Promise.race([ended.then(() => false), sleep(END_MS).then(() => true)]);
    if (hangs) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  async endAll() {
    for (const started of this.#running.splice(0).reverse()) await this.end(started);
  }

  logOf(name) {
    return readFileSync(join(this.folder, `${name}.log`), 'utf8').slice(-LOG_SHOWN);
  }
}
