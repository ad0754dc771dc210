// Rows that name others, which somebody may remove between the look at them and the write.
import type { Dialect } from './dialects';

/** Runs a write of such rows; throws `gone` when the database refused it because what they name is not there any more. */
export async function unlessGone<T>(
  { dialect }: { readonly dialect: Pick<Dialect, 'classify'> },
  gone: () => Error,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (dialect.classify(error) !== 'foreign-key') throw error;
    throw gone();
  }
}
