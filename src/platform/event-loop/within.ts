// An end to waiting. What is waited for goes on; only who waits stops doing so.

/** What the work comes to; after so many milliseconds what `late` answers or throws. No timer is left when the work is done. */
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
