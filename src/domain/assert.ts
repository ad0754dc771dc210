// Assertions guard our own mistakes; errors answer other people's (see errors.ts).

class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws when `condition` is false. The message states the broken law, never client input. */
export function assert(condition: boolean, law: string): asserts condition {
  if (!condition) throw new AssertionError(law);
}
