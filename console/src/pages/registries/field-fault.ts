// Finds the form field of a validation error. The service names the field by its path in the document.

/** The form's fields, and the document field whose keys are the rows of the form, in their order. */
export interface FieldNames {
  readonly fields: readonly string[];
  readonly pairs?: { readonly field: string; readonly keys: readonly string[] };
}

/** The error by its form path, for example from `'name' must not be empty.`; undefined without a field of the form. */
export function errorAtField(detail: string, { fields, pairs }: FieldNames): Record<string, string> | undefined {
  const [, path = '', problem = ''] = /^(?:JSON does not validate:\s*)?'([^']+)'\s+(.+)$/s.exec(detail.trim()) ?? [];
  if (fields.includes(path)) return { [`fields.${path}`]: problem };
  const row = pairs?.keys.findIndex((key) => path === `${pairs.field}.${key}`) ?? -1;
  return row === -1 ? undefined : { [`pairs.${row}.value`]: problem };
}
