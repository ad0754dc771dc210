// The routes of the API document: input and output types of each, and their serialisation into a URL.
import type { components, paths } from './generated/api.ts';

/** A schema of the API document by name, for example `Schema<'Flavor'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Path = keyof paths;
type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** The methods of a path. */
export type MethodOf<P extends Path> = {
  [M in Method]: paths[P] extends Readonly<Record<M, object>> ? M : never;
}[Method];

type Operation<P extends Path, M extends Method> = paths[P] extends Readonly<Record<M, infer O>> ? O : never;

/** The query parameters of a route by name. */
export type Query<P extends Path, M extends Method = 'get'> =
  Operation<P, M> extends { readonly parameters: { readonly query?: infer Q } }
    ? Written<Exclude<Q, undefined>>
    : never;

/** Values that are text in a URL can be numbers or booleans; optional values can be undefined. */
type Written<Q> = {
  readonly [K in keyof Q]:
    | (Q[K] extends readonly (infer Each)[] | undefined ? readonly Each[] | Extract<Q[K], undefined> : Q[K])
    | (string extends Q[K] ? number | boolean : never)
    | (Partial<Pick<Q, K>> extends Pick<Q, K> ? undefined : never);
};

/** The request document of a route. */
export type Body<P extends Path, M extends Method> =
  Operation<P, M> extends { readonly requestBody?: infer B } ? JsonOf<Exclude<B, undefined>> : never;

/** The response document of a route; undefined if it has none. */
export type Answer<P extends Path, M extends Method = 'get'> =
  Operation<P, M> extends { readonly responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202 | 204)]> : never;

/** Distributes over the members of a union. */
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer J } } ? J : undefined;

/** One text per placeholder of a path. */
export type SegmentsOf<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [segment: string, ...SegmentsOf<Rest>]
  : [];

export type QueryValue = string | number | boolean | null | undefined;

/** Serialises parameters: a list repeats its name; null and undefined are left out. */
export function queryText(
  query: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | URLSearchParams,
): string {
  if (query instanceof URLSearchParams) return query.toString();
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? (value as readonly QueryValue[]) : [value as QueryValue]) {
      if (each !== undefined && each !== null) params.append(name, String(each));
    }
  }
  return params.toString();
}

/** A path with its segments filled in. Throws TypeError for a text that is invalid as a segment. */
export function pathText(path: string, segments: readonly string[]): string {
  let at = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = segments[at++];
    // URLs interpret `.` and `..` as directions, even encoded.
    if (typeof text !== 'string' || ['', '.', '..'].includes(text)) {
      throw new TypeError(`${name}: '${String(text)}' cannot stand in a path`);
    }
    return encodeURIComponent(text);
  });
}
