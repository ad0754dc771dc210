import { bodyFault } from '../../domain/field-fault';
import type { InvalidInput } from '../../domain/errors';

/** A field of a body that came later than the version asked for. */
export const tooNew = (field: string): InvalidInput => bodyFault(field, 'is no field of the version asked for');
