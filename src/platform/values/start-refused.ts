/** A permanent problem that stops the start, with a one-line message for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** The message of the refusal in which the work ends; null if it ends in none. */
export function refusalIn(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof StartRefused) return error.message;
    throw error;
  }
}
