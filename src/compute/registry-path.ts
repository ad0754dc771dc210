// Validates names and uuids in paths of routes that create a document, by the same rules as in a body.
import { InvalidInput } from '../platform/values/errors';
import { FIELD_RULES, fieldFault } from '../platform/values/field-fault';
import { TYPED_NAME } from '../platform/values/names';
import type { Uuid } from '../platform/values/uuid';
import { canonicalUuid } from '../platform/values/uuid';
import { MAX_TEXT } from './registry-schema';

/** A name in the path: printable text without a blank at its start or end. */
export function nameInPath(what: string, text: string): string {
  if (text.length <= MAX_TEXT && TYPED_NAME.test(text)) return text;
  throw new InvalidInput(
    fieldFault(what, `must have 1 to ${MAX_TEXT} printable characters, without a blank at its start or end`),
  );
}

/** A canonical uuid from the path. */
export function uuidInPath(what: string, text: string): Uuid {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw new InvalidInput(fieldFault(what, FIELD_RULES.uuid));
  return uuid;
}
