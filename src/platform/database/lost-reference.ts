// Guards writes of rows that reference others: another transaction can delete those between the check and the write.
import type { Dialect } from './dialects';

/** Runs such a write; throws `gone` if the database refused it because a referenced row no longer exists. */
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
