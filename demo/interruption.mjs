// Ends the demo early and removes its cloud: on SIGINT, SIGTERM or SIGHUP, and when the reader of its output is gone
// (`npm run demo | head`). The current request completes, no further one starts; then the cleanup runs for at most 60
// s. A second signal exits at once.
import { DemoFailure } from './service.mjs';

/** Maximum time of the cleanup after an interruption. */
const CLEANING_MS = 60_000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const CLOSED_PIPE = 141;

/** Thrown instead of the next request. */
export class Interrupted extends Error {}

export class Interruption {
  exitCode;
  #deadline;
  #endsAtOnce = false;

  /** Listens until the process ends. */
  listen() {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.on(signal, () => (this.exitCode === undefined ? this.#interrupt(code) : this.#giveUp(code)));
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', (error) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
        if (stream === process.stdout && this.exitCode === undefined) this.#interrupt(CLOSED_PIPE);
      });
    }
    return this;
  }

  /** From now on there is nothing to clean up: the first signal ends the process. */
  endAtOnce() {
    this.#endsAtOnce = true;
  }

  #interrupt(code) {
    if (this.#endsAtOnce) process.exit(0);
    this.exitCode = code;
    process.stderr.write(
      '\nInterrupted: cleaning up, which takes a few seconds. Press Ctrl + C again to stop at once.\n',
    );
  }

  #giveUp(code) {
    process.stderr.write('Ended at once. Run the demo again to remove what is left.\n');
    process.exit(code);
  }

  /** Requests from now on belong to the cleanup and have a time limit. */
  beginCleaning() {
    this.#deadline = performance.now() + CLEANING_MS;
  }

  /** Called before every request. Throws Interrupted, or DemoFailure when the time for the cleanup is over. */
  check() {
    if (this.#deadline === undefined && this.exitCode !== undefined) throw new Interrupted();
    if (this.#deadline !== undefined && performance.now() > this.#deadline) {
      throw new DemoFailure(`Cleaning up was given up after ${CLEANING_MS / 1000} s.`);
    }
  }
}
