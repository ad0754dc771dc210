// Which field of a form a refusal is about. The service names it by its path in the document.

interface NamedField {
  readonly path: string;
  /** The rest of the sentence, as `must be required or forbidden, not 'maybe'.` */
  readonly says: string;
}

/** Of `JSON does not validate: 'name' must not be empty.` the name and the rule; undefined where no field is named. */
export function fieldNamedBy(detail: string): NamedField | undefined {
  const match = /^(?:JSON does not validate:\s*)?'([^']+)'\s+(.+)$/s.exec(detail.trim());
  const [, path, says] = match ?? [];
  return path === undefined || says === undefined ? undefined : { path, says: says.trim() };
}

/** Fields of a form that stand for others of the document; keys of pairs stand at their row. */
export interface FieldNames {
  readonly fields: readonly string[];
  /** The document's field that the pairs are, and its keys in the order of the rows. */
  readonly pairs?: { readonly field: string; readonly keys: readonly string[] };
}

/** The form's own path of a field that the service names; undefined where the form does not have it. */
export function formPathOf({ path }: NamedField, { fields, pairs }: FieldNames): string | undefined {
  if (fields.includes(path)) return path;
  if (pairs === undefined || !path.startsWith(pairs.field)) return undefined;
  const row = pairs.keys.indexOf(path.slice(pairs.field.length + 1));
  return row === -1 ? undefined : `pairs.${row}.value`;
}
