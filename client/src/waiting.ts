// Waits that a signal ends. What is thrown then is its reason, which is whatever its owner gave.

/** Waits no longer than the signal says. */
export function unless<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    // The reason of a signal is whatever its owner gave.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Throws the reason of the signal as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const end = (): void => {
      clearTimeout(timer);
      // The reason of a signal is whatever its owner gave.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal?.reason);
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
