// The caller's identity: the result of every authentication strategy and the input of policies.

/** The caller. A system-scoped caller has no project. */
export interface Principal {
  /** Can be empty under noauth2; such a caller passes authentication and is then subject to policies. */
  readonly userId: string;
  readonly projectId: string | null;
  readonly roles: readonly string[];
  /** `all`, or null for a caller with a project or domain scope or without a scope. */
  readonly systemScope: string | null;
  /** Set for a domain-scoped caller, which has neither project nor system scope. */
  readonly domainId?: string | null;
  /** Further facts from the Identity service; absent in other strategies. */
  readonly identity?: IdentityFacts;
  /** The service that forwards the caller's request, if it presented a valid token. */
  readonly service?: Principal;
}

export interface IdAndName {
  readonly id: string | null;
  readonly name: string | null;
}

/** Facts from a token that few policies use. */
export interface IdentityFacts {
  readonly userName: string | null;
  readonly userDomain: IdAndName;
  readonly projectName: string | null;
  readonly projectDomain: IdAndName;
  /** The project acts as a domain. */
  readonly isDomain: boolean;
  /** Milliseconds since 1970; null for a token without expiry. */
  readonly expiresAt: number | null;
  readonly auditIds: readonly string[];
  readonly methods: readonly string[];
  readonly applicationCredentialId: string | null;
}

/** The caller is refused. `message` is for the caller. */
export interface Unauthenticated {
  readonly authenticated: false;
  readonly message: string;
  /** How to authenticate with this strategy. Names the header and no valid value. */
  readonly hint: string;
  /** Value of the `WWW-Authenticate` header. */
  readonly challenge?: string;
}

/** The caller's identity cannot be determined at present. */
export interface Undecided {
  readonly authenticated: false;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** The result of authentication. */
export type Authentication =
  | { readonly authenticated: true; readonly principal: Principal }
  | Unauthenticated
  | Undecided;

/** Header values by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The part of a request that a strategy needs. */
export interface AuthenticationRequest {
  readonly headers: RequestHeaders;
  readonly method: string;
  /** Without the API's prefix and the query; `prefix` is the removed prefix, or empty. */
  readonly path: string;
  readonly prefix: string;
}

/** Whether the identity source can be reached. */
export interface AuthenticationHealth {
  readonly works: boolean;
  readonly reason?: string;
  /** Callers with a cached token are still served. */
  readonly servesKnown: boolean;
}

/** Names as the user typed them. They are not stored, and the password goes only to the Identity service. */
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
  /** Unknown combination of user, password and project; the answer does not disclose which part is wrong. */
  | { readonly kind: 'refused' }
  /** The account exists but cannot log in with a password; `reason` is for its owner. */
  | { readonly kind: 'barred'; readonly reason: string }
  /** The credentials cannot be checked at present. */
  | { readonly kind: 'unknown'; readonly message: string; readonly retryAfterSeconds: number };

/** Exchanges a password for a token. */
export interface PasswordLogins {
  /** Never throws; answers within a time limit. */
  login(credentials: PasswordCredentials): Promise<LoginVerdict>;
}

/** An authentication strategy. It answers synchronously if no remote service is needed. */
export abstract class Authenticator {
  /** Undefined if the strategy has no password login. */
  readonly passwordLogins: PasswordLogins | undefined = undefined;
  abstract authenticate(request: AuthenticationRequest): Authentication | Promise<Authentication>;
  /** Undefined if the strategy has no remote service. Never throws; answers within a time limit. */
  async health(): Promise<AuthenticationHealth | undefined> {
    return undefined;
  }

  async close(): Promise<void> {}
}
