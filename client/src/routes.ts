// The routes as the API's document has them: what goes into each, and what comes out; and how that is written in a URL.
import type { components, paths } from './generated/api.ts';

/** A document of the API by its name, as `Schema<'Flavor'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Path = keyof paths;
type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** The methods that a path has. */
export type MethodOf<P extends Path> = {
  [M in Method]: paths[P] extends Readonly<Record<M, object>> ? M : never;
}[Method];

type Operation<P extends Path, M extends Method> = paths[P] extends Readonly<Record<M, infer O>> ? O : never;

/** The query parameters of a route, by name. */
export type Query<P extends Path, M extends Method = 'get'> =
  Operation<P, M> extends { readonly parameters: { readonly query?: infer Q } }
    ? Written<Exclude<Q, undefined>>
    : never;

/** What is text in a URL may be a number or a boolean before; what may be left out may be undefined. */
type Written<Q> = {
  readonly [K in keyof Q]:
    | (Q[K] extends readonly (infer Each)[] | undefined ? readonly Each[] | Extract<Q[K], undefined> : Q[K])
    | (string extends Q[K] ? number | boolean : never)
    | (Partial<Pick<Q, K>> extends Pick<Q, K> ? undefined : never);
};

/** The document that a route takes. */
export type Body<P extends Path, M extends Method> =
  Operation<P, M> extends { readonly requestBody?: infer B } ? JsonOf<Exclude<B, undefined>> : never;

/** The document that a route answers; undefined where it has none. */
export type Answer<P extends Path, M extends Method = 'get'> =
  Operation<P, M> extends { readonly responses: infer R } ? JsonOf<R[keyof R & (200 | 201 | 202 | 204)]> : never;

/** Each member of a union by itself. */
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer J } } ? J : undefined;

/** One text for each segment of a path that is to be filled in. */
export type SegmentsOf<P extends string> = P extends `${string}{${string}}${infer Rest}`
  ? [segment: string, ...SegmentsOf<Rest>]
  : [];

export type QueryValue = string | number | boolean | null | undefined;

/** The parameters as they go into the URL: a list repeats its name, what is null or undefined is left out. */
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

/** A path with its segments filled in. Throws TypeError for a text that cannot stand in one. */
export function pathText(path: string, segments: readonly string[]): string {
  let at = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = segments[at++];
    // A URL takes dots for directions, encoded ones too.
    if (typeof text !== 'string' || ['', '.', '..'].includes(text)) {
      throw new TypeError(`${name}: '${String(text)}' cannot stand in a path`);
    }
    return encodeURIComponent(text);
  });
}
