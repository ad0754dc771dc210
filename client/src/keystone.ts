// A Keystone v3 account. Logs in at first use, again before the token expires, and once after the service refuses the
// token. Concurrent callers share one login.
import type { CredentialContext, Credentials } from './credentials.ts';
import { checkedToken } from './credentials.ts';
import { LoginFailed, refusalOf } from './errors.ts';
import type { ExchangeBounds, Fetch, Reply } from './exchange.ts';
import { checkedUrl, exchange, retryAfterOf } from './exchange.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { persist } from './persistence.ts';
import { unless } from './waiting.ts';

export interface KeystoneAccount {
  /** URL of the Identity service, with or without `/v3`. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  /** Domain names; default: `Default`. */
  readonly userDomainName?: string;
  readonly projectName: string;
  readonly projectDomainName?: string;
}

interface Login {
  readonly token: string;
  /** By the clock of this machine. */
  readonly renewAtMs: number;
  readonly endsAtMs: number;
}

export function keystone(account: KeystoneAccount): Credentials {
  return new KeystoneCredentials(account);
}

class KeystoneCredentials implements Credentials {
  readonly #url: string;
  readonly #body: string;
  #login: Login | undefined;
  #inFlight: Promise<Login> | undefined;

  constructor(account: KeystoneAccount) {
    this.#url = `${checkedUrl('authUrl', account.authUrl).replace(/\/v3$/, '')}/v3/auth/tokens?nocatalog`;
    this.#body = JSON.stringify(loginDocument(account));
  }

  async headers(context: CredentialContext): Promise<Readonly<Record<string, string>>> {
    const { token } = await this.#current(context);
    return { 'x-auth-token': token };
  }

  /** Drops the token only if it is the refused one; another call can already have replaced it. */
  renew(refused: Readonly<Record<string, string>>): boolean {
    if (this.#login?.token === refused['x-auth-token']) this.#login = undefined;
    return true;
  }

  async #current({ fetch, signal }: CredentialContext): Promise<Login> {
    const known = this.#login;
    const now = Date.now();
    if (known !== undefined && now < known.renewAtMs) return known;
    try {
      return await unless(signal, this.#shared(fetch));
    } catch (error) {
      // Renewal begins early; if it fails, the old token is used until it expires.
      if (known !== undefined && known === this.#login && Date.now() < known.endsAtMs && !signal?.aborted) return known;
      throw error;
    }
  }

  /** At most one login at a time. Waiting calls share it, so the abort of one call does not end it. */
  #shared(fetch: Fetch): Promise<Login> {
    this.#inFlight ??= this.#logIn(fetch).finally(() => (this.#inFlight = undefined));
    return this.#inFlight;
  }

  async #logIn(fetch: Fetch): Promise<Login> {
    const { loginTryMs, loginBytes } = CLIENT_LIMITS;
    const askedAtMs = Date.now();
    try {
      const reply = await persist(
        () => this.#ask({ fetch, tryMs: loginTryMs, answerBytes: loginBytes }),
        { isRepeatable: true },
        CLIENT_LIMITS,
      );
      this.#login = loginOf(reply, askedAtMs);
      return this.#login;
    } catch (error) {
      if (error instanceof LoginFailed) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new LoginFailed(`No token of the Identity service: ${reason}`, { cause: error });
    }
  }

  async #ask(bounds: ExchangeBounds): Promise<Reply> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const reply = await exchange({ method: 'POST', url: this.#url, headers, body: this.#body }, bounds);
    const { status } = reply;
    if (status < 300) return reply;
    const detail = status === 401 ? 'it rejects this account' : 'it refuses';
    const retryAfterMs = retryAfterOf(reply.headers);
    throw refusalOf(`POST ${this.#url}`, { status, detail, retryAfterMs });
  }
}

function loginDocument(account: KeystoneAccount): object {
  const { username, password, userDomainName = 'Default', projectName, projectDomainName = 'Default' } = account;
  return {
    auth: {
      identity: {
        methods: ['password'],
        password: { user: { name: username, domain: { name: userDomainName }, password } },
      },
      scope: { project: { name: projectName, domain: { name: projectDomainName } } },
    },
  };
}

function loginOf({ headers, text }: Reply, askedAtMs: number): Login {
  const token = headers.get('x-subject-token');
  const lifeMs = lifeOf(text);
  if (token === null || lifeMs === undefined || token.length > CLIENT_LIMITS.tokenCharacters) {
    throw new LoginFailed('No token of the Identity service: its answer is no login');
  }
  const endsAtMs = askedAtMs + lifeMs;
  const early = Math.min(CLIENT_LIMITS.renewalMs, lifeMs / 10);
  return { token: checkedToken(token), renewAtMs: endsAtMs - early, endsAtMs };
}

/** Lifetime from issue to expiry, both by the clock of the Identity service, which can differ from this machine's. */
function lifeOf(text: string): number | undefined {
  try {
    const { token } = JSON.parse(text) as { readonly token: Readonly<Record<'issued_at' | 'expires_at', string>> };
    const ms = Date.parse(token.expires_at) - Date.parse(token.issued_at);
    return Number.isNaN(ms) ? undefined : ms;
  } catch {
    return undefined;
  }
}
