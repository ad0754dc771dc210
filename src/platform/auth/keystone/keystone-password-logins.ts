// Passes user and password to the Identity service to obtain a token for one project. It has its own circuit breaker:
// password attempts, or logins that fail in the service, do not affect token validation.

import { LOGIN_LIMITS } from '../../config/limits/auth';
import type { LoginVerdict, PasswordCredentials, PasswordLogins } from '../principal';
import type { IdentityClient } from './identity-client';
import type { IdentityLog } from './identity-guard';
import { IdentityGuard } from './identity-guard';

export class KeystonePasswordLogins implements PasswordLogins {
  private readonly guard: IdentityGuard;

  constructor(
    private readonly client: Pick<IdentityClient, 'loginAs'>,
    private readonly endpoint: string,
    log: IdentityLog,
  ) {
    this.guard = new IdentityGuard(
      {
        what: 'the Identity service for logins',
        inside: LOGIN_LIMITS.inFlight,
        waiting: LOGIN_LIMITS.waiting,
        unreachable: 'The Identity service is not available for logins.',
        busy: 'Too many logins wait for the Identity service.',
        isSecret: true,
      },
      log,
    );
  }

  login(credentials: PasswordCredentials): Promise<LoginVerdict> {
    return this.guard.ask(() => this.client.loginAs(this.endpoint, bodyOf(credentials)));
  }
}

const bodyOf = ({
  userName,
  userDomain,
  password,
  projectName,
  projectDomain,
}: PasswordCredentials): Readonly<Record<'auth', object>> => ({
  auth: {
    identity: {
      methods: ['password'],
      password: { user: { name: userName, domain: { name: userDomain }, password } },
    },
    scope: { project: { name: projectName, domain: { name: projectDomain } } },
  },
});
