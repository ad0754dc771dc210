// Assertions guard our own mistakes; errors answer other people's (see errors/domain-errors.ts).

export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** Throws when `condition` is false. The message states the broken law, never client input. */
export function assert(condition: boolean, law: string): asserts condition {
  if (!condition) throw new AssertionError(law);
}

/** Closes a `switch` over a union: a new member that nobody handles does not compile. */
export function assertNever(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}
