// Who is calling, as every authentication strategy answers it and as policies judge it.

/** The caller. A system-scoped caller has no project. */
export interface Principal {
  /** May be empty under noauth2: such a caller passes authentication and is then judged by policy. */
  readonly userId: string;
  readonly projectId: string | null;
  readonly roles: readonly string[];
  /** `all`, or null for a caller scoped to a project (or to nothing). */
  readonly systemScope: string | null;
}

/** The outcome of authentication. `message` is for the caller. */
export type Authentication =
  | { readonly authenticated: true; readonly principal: Principal }
  | { readonly authenticated: false; readonly message: string };
