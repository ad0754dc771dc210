// Query schema for the list of traits.
import type { QueryParams } from '../../platform/http/query-params';
import { querySchema } from '../../platform/http/schema-validator';
import { queryFault } from '../../platform/values/field-fault';
import type { TraitFilter } from './traits.commands';

export const LIST_TRAITS = querySchema({
  type: 'object',
  properties: { name: { type: 'string' }, associated: { type: 'string' } },
  additionalProperties: false,
});

/** Throws InvalidInput for an operator other than `in` and `startswith`, and for an invalid boolean. */
export function traitFilter(query: QueryParams): TraitFilter {
  const name = query.last('name');
  const associated = query.last('associated');
  return {
    ...(name !== undefined && nameFilter(name)),
    ...(associated !== undefined && { isAssociated: truthValue(associated) }),
  };
}

function nameFilter(text: string): TraitFilter {
  const at = text.indexOf(':');
  const operand = text.slice(at + 1);
  switch (text.slice(0, Math.max(at, 0))) {
    case 'in':
      return { names: operand.split(',') };
    case 'startswith':
      return { prefix: operand };
    default:
      throw queryFault('name', 'must be in:NAME[,NAME...] or startswith:PREFIX');
  }
}

function truthValue(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower !== 'true' && lower !== 'false') {
    throw queryFault('associated', 'must be true or false');
  }
  return lower === 'true';
}
