// Password logins: limits the rate of attempts, calls the configured auth strategy, and converts its verdict to a
// result or an error. Stores only the counters of the rate limit.
import { Inject, Injectable } from '@nestjs/common';
import type { LoginVerdict, PasswordCredentials } from '../platform/auth/principal';
import { Authenticator } from '../platform/auth/principal';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { LOGIN_LIMITS } from '../platform/config/limits/auth';
import { DomainError, NotFound } from '../platform/values/errors';
import { AttemptRate } from './attempt-rate';
import { defaultDomainOf } from './console.presenter';
import type { LoginDto } from './login.schema';
import type { ConsoleConfig } from './options';

const { triersKept: names } = LOGIN_LIMITS;
const OF_ADDRESS = { most: LOGIN_LIMITS.triesOfAddress, regainsMs: LOGIN_LIMITS.addressRegainsMs, names };
const OF_USER = { most: LOGIN_LIMITS.triesOfUser, regainsMs: LOGIN_LIMITS.userRegainsMs, names };

@Injectable()
export class LoginService {
  private readonly ofAddress = new AttemptRate(OF_ADDRESS, () => performance.now());
  private readonly ofUser = new AttemptRate(OF_USER, () => performance.now());
  private readonly defaultDomain: string;

  constructor(
    @Inject(BERTH_CONFIG) config: ConsoleConfig,
    private readonly authenticator: Authenticator,
  ) {
    this.defaultDomain = defaultDomainOf(config);
  }

  /** Throws DomainError with the codes of the console; NotFound if the auth strategy has no password logins. */
  async login(body: LoginDto, address: string): Promise<Extract<LoginVerdict, { readonly kind: 'let in' }>> {
    const passwordLogins = this.demandPasswords();
    const credentials = this.credentialsOf(body);
    const user = userKeyOf(credentials);
    refuseTooMany(this.ofAddress.take(address), 'from this address');
    refuseTooMany(this.ofUser.take(user), 'for this user');
    const verdict = await passwordLogins.login(credentials);
    switch (verdict.kind) {
      case 'let in':
        this.ofUser.forgive(user);
        return verdict;
      case 'refused':
        throw new DomainError(
          'console.wrong_credentials',
          'The Identity service rejects this combination of user, password, project and domains.',
        );
      case 'barred':
        throw new DomainError('console.login_refused', verdict.reason);
      case 'unknown': {
        const { message, retryAfterSeconds } = verdict;
        throw new DomainError('console.identity_unavailable', message, { retryAfterSeconds });
      }
    }
  }

  private demandPasswords(): NonNullable<Authenticator['passwordLogins']> {
    const { passwordLogins } = this.authenticator;
    if (passwordLogins !== undefined) return passwordLogins;
    throw new NotFound('Password login is not available: [api] auth_strategy is not keystone.');
  }

  private credentialsOf({ username, password, user_domain, project, project_domain }: LoginDto): PasswordCredentials {
    return {
      userName: username,
      userDomain: user_domain ?? this.defaultDomain,
      password,
      projectName: project,
      projectDomain: project_domain ?? this.defaultDomain,
    };
  }
}

/** White space, and characters without a form of their own: accents, controls, default-ignorable ones. */
const UNSEEN = /[\p{M}\p{C}\p{Z}\s\p{DI}]/gu;

/** The Identity service, by its collation, can treat spellings as equal that differ in case, accents or blanks. */
const folded = (name: string): string => name.normalize('NFKD').replaceAll(UNSEEN, '').toUpperCase().toLowerCase();

const userKeyOf = ({ userName, userDomain }: PasswordCredentials): string =>
  JSON.stringify([folded(userDomain), folded(userName)]);

function refuseTooMany(waitMs: number, whose: string): void {
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const message = `Too many failed logins ${whose}. Retry after ${retryAfterSeconds} s.`;
  throw new DomainError('console.too_many_logins', message, { retryAfterSeconds });
}
