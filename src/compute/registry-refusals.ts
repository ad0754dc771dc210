// Errors of the registries. Each error code has one function, which gives operators the same wording everywhere.
import { DomainError } from '../platform/values/errors';
import { fieldFault } from '../platform/values/field-fault';

export const notFound = (what: string): DomainError => new DomainError('scheduler.not_found', `There is no ${what}.`);

export const inUse = (message: string): DomainError => new DomainError('scheduler.in_use', message);

export const duplicateName = (message: string): DomainError => new DomainError('scheduler.duplicate_name', message);

/** The given generation is missing, is given for a document that does not exist, or is not the current one. */
export function staleGeneration(what: string, given: number | undefined, actual: number | undefined): DomainError {
  const why =
    actual === undefined
      ? `generation: ${given} was given, but it does not exist (any more); leave the generation out to create it`
      : given === undefined
        ? 'generation: it exists already; read it and give its generation to replace it'
        : `generation: ${given} was given, but it is ${actual} now; read it again`;
  return new DomainError('scheduler.generation_conflict', `${what}: ${why}.`);
}

/** A change can name the generation that it is based on. Throws generation_conflict if that is not the current one. */
export function refuseStale(what: string, given: number | undefined, actual: number): void {
  if (given !== undefined && given !== actual) throw staleGeneration(what, given, actual);
}

/** The value of a field is invalid or contradicts another field. */
export const invalidField = (field: string, why: string): DomainError =>
  new DomainError('scheduler.invalid_request', fieldFault(field, why));

/** True if the database refused a row because its key exists already. */
export function isDuplicate(tx: { readonly dialect: { classify(error: unknown): string } }, error: unknown): boolean {
  return tx.dialect.classify(error) === 'duplicate';
}

/** True if the database refused to delete a row because other rows refer to it. */
function isReferenced(tx: { readonly dialect: { classify(error: unknown): string } }, error: unknown): boolean {
  return tx.dialect.classify(error) === 'foreign-key';
}

/** Removes an unreferenced row. Throws not_found; in_use, with `whenUsed`, if other rows refer to it. */
export async function removeUnreferenced(
  tx: { readonly dialect: { classify(error: unknown): string } },
  { what, whenUsed }: { readonly what: string; readonly whenUsed: string },
  remove: () => Promise<boolean>,
): Promise<void> {
  try {
    if (!(await remove())) throw notFound(what);
  } catch (error) {
    if (!isReferenced(tx, error)) throw error;
    throw inUse(whenUsed);
  }
}
