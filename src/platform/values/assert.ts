// Assertions detect bugs of the program; errors (errors.ts) answer mistakes of clients.

class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws if `condition` is false. The message states the violated rule and contains no client input. */
export function assert(condition: boolean, law: string): asserts condition {
  if (!condition) throw new AssertionError(law);
}
