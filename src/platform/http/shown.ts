// Documents of answers, declared once: each member with its schema and its value.
import type { SchemaNode } from '../microversion/versioned-schema';
import { closed, named } from '../microversion/versioned-schema';

/** The members of a document `D` of a thing `T`. */
export type Members<T, D extends object = Readonly<Record<string, unknown>>> = {
  readonly [K in keyof D]-?: readonly [schema: SchemaNode, valueOf: (of: T) => D[K]];
};

/** The schemas by name. */
export const schemasOf = (members: Members<never>): SchemaNode =>
  Object.fromEntries(Object.entries(members).map(([name, [schema]]) => [name, schema]));

/** A named document: its schema, and what makes it of a thing. */
export const documentOf = <T>(name: string, members: Members<T>) => ({
  schema: named(name, closed(schemasOf(members))),
  present: presenterOf(members),
});

/** Makes the document of a thing. */
export function presenterOf<T, D extends object>(members: Members<T, D>): (of: T) => D {
  const all = Object.entries<readonly [SchemaNode, (of: T) => unknown]>(members);
  return (of) => Object.fromEntries(all.map(([name, [, valueOf]]) => [name, valueOf(of)])) as D;
}
