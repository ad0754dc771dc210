// Waiting with a timeout. After the timeout the work continues, only the wait ends.

/**
 * The result of the work; after `ms` milliseconds the result or the error of `late`. Leaves no timer when the work
 * ends.
 */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resume) => {
    timer = setTimeout(resume, ms);
  }).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
