// Waits that a signal can abort. They throw the reason of the signal, which can be any value.

/** Rejects when the signal aborts before the promise settles. */
export function unless<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    // The reason of a signal can be any value.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** Throws the reason of the signal as soon as it aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const end = (): void => {
      clearTimeout(timer);
      // The reason of a signal can be any value.
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      reject(signal?.reason);
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
