// Finds the form field of a validation error. The service names the field by its path in the document.

interface NamedField {
  readonly path: string;
  /** The rest of the sentence, for example `must be required or forbidden, not 'maybe'.` */
  readonly problem: string;
}

/** Extracts the name and the rule of `JSON does not validate: 'name' must not be empty.`; undefined without a field. */
export function fieldNamedBy(detail: string): NamedField | undefined {
  const match = /^(?:JSON does not validate:\s*)?'([^']+)'\s+(.+)$/s.exec(detail.trim());
  const [, path, problem] = match ?? [];
  return path === undefined || problem === undefined ? undefined : { path, problem: problem.trim() };
}

/** The form's fields, and the rows that stand for the keys of a document field. */
export interface FieldNames {
  readonly fields: readonly string[];
  /** The document field that the rows edit, and its keys in the order of the rows. */
  readonly pairs?: { readonly field: string; readonly keys: readonly string[] };
}

/** The form path of the named field; undefined if the form does not have it. */
export function formPathOf({ path }: NamedField, { fields, pairs }: FieldNames): string | undefined {
  if (fields.includes(path)) return path;
  if (pairs === undefined || !path.startsWith(pairs.field)) return undefined;
  const row = pairs.keys.indexOf(path.slice(pairs.field.length + 1));
  return row === -1 ? undefined : `pairs.${row}.value`;
}
