// How registries refuse: each with its code, in one place, so that operators read the same words everywhere.
import { DomainError } from '../domain/errors';
import { fieldFault } from '../domain/field-fault';

export const notFound = (what: string): DomainError => new DomainError('scheduler.not_found', `There is no ${what}.`);

export const inUse = (message: string): DomainError => new DomainError('scheduler.in_use', message);

export const duplicateName = (message: string): DomainError => new DomainError('scheduler.duplicate_name', message);

/** A generation was not given for what exists, given for what does not, or is not the one in force. */
export function staleGeneration(what: string, given: number | undefined, actual: number | undefined): DomainError {
  const why =
    actual === undefined
      ? `generation: ${given} was given, but it does not exist (any more); leave the generation out to create it`
      : given === undefined
        ? 'generation: it exists already; read it and give its generation to replace it'
        : `generation: ${given} was given, but it is ${actual} now; read it again`;
  return new DomainError('scheduler.generation_conflict', `${what}: ${why}.`);
}

/** A change may name the generation it is based on; then it has to be the one in force. Throws generation_conflict. */
export function refuseStale(what: string, given: number | undefined, actual: number): void {
  if (given !== undefined && given !== actual) throw staleGeneration(what, given, actual);
}

/** The value of a field means nothing or contradicts another. */
export const invalidField = (field: string, why: string): DomainError =>
  new DomainError('scheduler.invalid_request', fieldFault(field, why));

/** True when the database refused a row because another has its key. */
export function isDuplicate(tx: { readonly dialect: { classify(error: unknown): string } }, error: unknown): boolean {
  return tx.dialect.classify(error) === 'duplicate';
}

/** True when the database refused to remove a row that others name. */
function isReferenced(tx: { readonly dialect: { classify(error: unknown): string } }, error: unknown): boolean {
  return tx.dialect.classify(error) === 'foreign-key';
}

/** Removes a thing that nothing may refer to. Throws not_found when it was not there, in_use with the sentence. */
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
