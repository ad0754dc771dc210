// What a controller answers: status, body, and the few headers that depend on the data.
// The interceptor turns it into bytes, so that caching headers and content types are decided in one place.

/** `now`, a time in milliseconds, or `absent`: known to be missing, so only `cache-control` is sent. */
export type LastModified = 'now' | 'absent' | number;

export interface Answer {
  readonly status: number;
  /** Undefined: no body and no content type. A string is JSON already. */
  readonly body?: object | string | undefined;
  /** Path of the entity, without prefix. */
  readonly location?: string | undefined;
  /** Undefined: no caching headers at all. */
  readonly lastModified?: LastModified | undefined;
}

interface Extras {
  readonly location?: string;
  readonly lastModified?: LastModified;
}

export const ok = (body: object | string, extras: Extras = {}): Answer => ({ status: 200, body, ...extras });
export const created = (location: string, body?: object, extras: Extras = {}): Answer => ({
  status: 201,
  location,
  body,
  ...extras,
});
export const noContent = (extras: Extras = {}): Answer => ({ status: 204, ...extras });
