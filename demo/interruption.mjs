// Ends the demo early without leaving its cloud behind: on Ctrl-C, on SIGTERM or SIGHUP, and when nobody reads what it
// prints any more (`npm run demo | head`). The request under way is finished, the next one is not begun; then what was
// made is removed, for a bounded time. A second signal ends it at once.
import { DemoFailure } from './service.mjs';

/** How long cleaning up may take after an interruption. */
const CLEANING_MS = 60_000;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const CLOSED_PIPE = 141;

/** Thrown instead of the next request. */
export class Interrupted extends Error {}

export class Interruption {
  exitCode;
  #deadline;

  /** From now on until the process ends. */
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

  #interrupt(code) {
    this.exitCode = code;
    process.stderr.write('\nInterrupted: cleaning up, which takes a few seconds. Once more ends it at once.\n');
  }

  #giveUp(code) {
    process.stderr.write('Ended at once. Run the demo again to remove what is left.\n');
    process.exit(code);
  }

  /** What is sent from now on cleans up, and has a bounded time for it. */
  beginCleaning() {
    this.#deadline = performance.now() + CLEANING_MS;
  }

  /** Before every request. Throws Interrupted, or DemoFailure when the time for cleaning up is over. */
  check() {
    if (this.#deadline === undefined && this.exitCode !== undefined) throw new Interrupted();
    if (this.#deadline !== undefined && performance.now() > this.#deadline) {
      throw new DemoFailure(`Cleaning up was given up after ${CLEANING_MS / 1000} s.`);
    }
  }
}
