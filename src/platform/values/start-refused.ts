/** A permanent problem that stops the start. The message is for the operator, with one line for each problem. */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
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
