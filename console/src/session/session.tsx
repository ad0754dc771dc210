// The user's session. A reload keeps it: kept-login.ts holds the token in the tab's sessionStorage until the logout. The
// reasons are in docs/security.md. Passwords are kept nowhere.
import type { Credentials } from '@berth/client';
import { Forbidden, noauth, token, Unauthorized } from '@berth/client';
import { Center } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import { CONSOLE_PATH } from '../address/base';
import type { ConsoleConfig } from '../service/console-config';
import { readConsoleConfig } from '../service/console-config';
import type { Service } from '../service/service';
import { serviceFor } from '../service/service';
import { FaultNotice } from '../shown/fault-notice';
import { Waiting } from '../shown/waiting';
import type { KeptLogin } from './kept-login';
import { forgetLogin, keepLogin, keptLogin } from './kept-login';
import { LoginPage } from './login-page';

/** The service's description of the authenticated user. */
interface Person {
  readonly user_id: string | null;
  readonly project_id: string | null;
  readonly roles: readonly string[];
  readonly may: readonly string[];
}

export type Login =
  | KeptLogin
  | {
      readonly kind: 'password';
      readonly username: string;
      readonly password: string;
      readonly user_domain: string;
      readonly project: string;
      readonly project_domain: string;
    };

interface LoggedIn {
  readonly service: Service;
  readonly config: ConsoleConfig;
  readonly person: Person;
  /** True if the policies grant the rule to this user. */
  readonly may: (rule: string) => boolean;
  readonly logout: () => void;
}

/** Answers that concern no user. */
const KEPT_AFTER_LOGOUT = ['console config', 'remembered', 'page', 'build'];

const SessionContext = createContext<LoggedIn | undefined>(undefined);

/** The session of a logged-in page. */
export function useSession(): LoggedIn {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page outside of the session asked for it.');
  return session;
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const config = useQuery({ queryKey: ['console config'], queryFn: readConsoleConfig, staleTime: Infinity });
  const [inside, setInside] = useState<{ readonly service: Service; readonly person: Person }>();
  const queries = useQueryClient();
  const remembered = useQuery({
    queryKey: ['remembered'],
    staleTime: Infinity,
    enabled: config.data !== undefined,
    retry: false,
    queryFn: async () => {
      const kept = keptLogin(sessionStorage);
      if (kept === undefined || config.data === undefined) return true;
      if (!config.data.logins.includes(kept.kind)) return forgetLogin(sessionStorage);
      try {
        setInside(await enter(kept, config.data));
      } catch (error) {
        // Other errors, for example of the network, leave the login for the next try.
        if (!(error instanceof Unauthorized || error instanceof Forbidden)) throw error;
        forgetLogin(sessionStorage);
      }
      return true;
    },
  });

  const login = useCallback(
    async (given: Login) => {
      if (config.data === undefined) return;
      const login = await tokenLoginOf(given);
      const entered = await enter(login, config.data);
      keepLogin(login, sessionStorage);
      setInside(entered);
    },
    [config.data],
  );
  const logout = useCallback(() => {
    forgetLogin(sessionStorage);
    setInside(undefined);
    queries.removeQueries({
      predicate: ({ queryKey }) => !KEPT_AFTER_LOGOUT.includes(String(queryKey[0])),
    });
  }, [queries]);

  const value = useMemo(() => {
    if (inside === undefined || config.data === undefined) return undefined;
    const allowed = new Set(inside.person.may);
    return { ...inside, config: config.data, may: (rule: string) => allowed.has(rule), logout };
  }, [inside, config.data, logout]);

  const error = config.error ?? remembered.error;
  if (error !== null) {
    return (
      <Center component="main" mih="100vh" p="md">
        <FaultNotice error={error} />
      </Center>
    );
  }
  if (config.data === undefined || remembered.isPending) return <Waiting />;
  if (value === undefined) return <LoginPage config={config.data} login={login} />;
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>;
}

/** Throws the service's error if the login fails. */
async function enter(login: KeptLogin, config: ConsoleConfig): Promise<{ service: Service; person: Person }> {
  const service = serviceFor(credentialsOf(login), config.api_prefix);
  const { document } = await service.session.send({ method: 'GET', target: '/console/session' }, { version: '1.39' });
  return { service, person: document as Person };
}

const credentialsOf = (login: KeptLogin): Credentials =>
  login.kind === 'noauth' ? noauth(login.name) : token(login.token);

/** Exchanges a password for a token. */
async function tokenLoginOf(login: Login): Promise<KeptLogin> {
  if (login.kind !== 'password') return login;
  const { kind: _kind, ...body } = login;
  const answer = await fetch(`${CONSOLE_PATH}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const document = (await answer.json()) as { token?: string; errors?: readonly { detail?: string }[] };
  if (!answer.ok || document.token === undefined) {
    throw new Error(document.errors?.[0]?.detail ?? `The service answered ${answer.status}.`);
  }
  return { kind: 'token', token: document.token };
}
