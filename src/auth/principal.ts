// Who is calling, as every authentication strategy answers it and as policies judge it.

/** The caller. A system-scoped caller has no project. */
export interface Principal {
  /** May be empty under noauth2: such a caller passes authentication and is then judged by policy. */
  readonly userId: string;
  readonly projectId: string | null;
  readonly roles: readonly string[];
  /** `all`, or null for a caller scoped to a project, a domain, or to nothing. */
  readonly systemScope: string | null;
  /** Of a caller scoped to a domain; such a caller has neither project nor system. */
  readonly domainId?: string | null;
  /** What the Identity service says besides; absent where nobody asked one. */
  readonly identity?: IdentityFacts;
  /** The service that passes the request on for the caller, where it proved itself. */
  readonly service?: Principal;
}

export interface IdAndName {
  readonly id: string | null;
  readonly name: string | null;
}

/** What a token says of its owner beyond what most policies ask. */
export interface IdentityFacts {
  readonly userName: string | null;
  readonly userDomain: IdAndName;
  readonly projectName: string | null;
  readonly projectDomain: IdAndName;
  /** The project acts as a domain. */
  readonly isDomain: boolean;
  /** Milliseconds since 1970; null for a token that never expires. */
  readonly expiresAt: number | null;
  readonly auditIds: readonly string[];
  readonly methods: readonly string[];
  readonly applicationCredentialId: string | null;
}

/** Nobody may come in as this. `message` is for the caller. */
export interface Unauthenticated {
  readonly authenticated: false;
  readonly message: string;
  /** How to authenticate, for `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** Who is calling cannot be found out at present. */
export interface Undecided {
  readonly authenticated: false;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** The outcome of authentication. */
export type Authentication =
  { readonly authenticated: true; readonly principal: Principal } | Unauthenticated | Undecided;

/** What a strategy sees of a request. */
export interface AuthenticationRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method: string;
  /** Without the prefix of the API and without the query; the prefix is what stood in front of it, or nothing. */
  readonly path: string;
  readonly prefix: string;
}

/** Whether those can be asked who know the callers. */
export interface AuthenticationHealth {
  readonly works: boolean;
  readonly reason?: string;
  /** Callers are let in all the same, as far as they are known. */
  readonly servesKnown: boolean;
}

/** Names as people type them. Nothing here is kept, and the password is shown to nobody but who judges it. */
export interface PasswordCredentials {
  readonly userName: string;
  readonly userDomain: string;
  readonly password: string;
  readonly projectName: string;
  readonly projectDomain: string;
}

export type LoginVerdict =
  | {
      readonly kind: 'let in';
      readonly token: string;
      /** Milliseconds since 1970. */
      readonly expiresAt: number;
      readonly principal: Principal;
    }
  /** No such user, password and project together; which of them is wrong is told to nobody. */
  | { readonly kind: 'refused' }
  /** The account exists, and comes in another way or not at all; `reason` is for its owner. */
  | { readonly kind: 'barred'; readonly reason: string }
  /** Nobody can say at present. */
  | { readonly kind: 'unknown'; readonly message: string; readonly retryAfterSeconds: number };

/** Gives tokens to whoever knows a password. */
export interface PasswordLogins {
  /** Never fails, and answers in a bounded time. */
  login(credentials: PasswordCredentials): Promise<LoginVerdict>;
}

/** A strategy. An answer that needs nobody to be asked comes at once. */
export abstract class Authenticator {
  /** Undefined where nobody is asked for a password. */
  readonly passwordLogins: PasswordLogins | undefined = undefined;
  abstract authenticate(request: AuthenticationRequest): Authentication | Promise<Authentication>;
  /** Undefined where nobody has to be asked. Never fails, and answers in a bounded time. */
  abstract health(): Promise<AuthenticationHealth | undefined>;
  abstract close(): Promise<void>;
}
