// The user's session. Credentials are kept in memory only, so the user logs in again after a reload. Only the name of a
// noauth login is kept, in sessionStorage; it is no secret.
import { createContext, useCallback, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { noauth, token } from '@berth/client';
import type { Credentials } from '@berth/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readConsoleConfig } from '../service/console-config';
import type { ConsoleConfig } from '../service/console-config';
import { serviceFor } from '../service/service';
import type { Service } from '../service/service';
import { CONSOLE_PATH, SERVICE_URL } from '../address/base';

/** The service's description of the authenticated user. */
interface Person {
  readonly user_id: string | null;
  readonly project_id: string | null;
  readonly roles: readonly string[];
  readonly may: readonly string[];
}

export type Login =
  | { readonly kind: 'noauth'; readonly name: string }
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'password';
      readonly username: string;
      readonly password: string;
      readonly userDomain: string;
      readonly project: string;
      readonly projectDomain: string;
    };

interface LoggedIn {
  readonly service: Service;
  readonly config: ConsoleConfig;
  readonly person: Person;
  /** True if the policies grant the rule to this user. */
  readonly may: (rule: string) => boolean;
  readonly logout: () => void;
}

interface LoginProps {
  readonly config: ConsoleConfig;
  readonly login: (login: Login) => Promise<void>;
}

const SessionContext = createContext<LoggedIn | undefined>(undefined);
const REMEMBERED_NAME = 'berth.noauth-name';

/** The session of a logged-in page. */
export function useSession(): LoggedIn {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('A page outside of the session asked for it.');
  return session;
}

export const useService = (): Service => useSession().service;

interface Props {
  readonly children: ReactNode;
  /** Shown until the user has logged in. */
  readonly renderLogin: (renderLogin: LoginProps) => ReactNode;
  readonly waiting: ReactNode;
  readonly unreachable: (error: unknown) => ReactNode;
}

export function SessionProvider({ children, renderLogin, waiting, unreachable }: Props) {
  const config = useQuery({ queryKey: ['console config'], queryFn: readConsoleConfig, staleTime: Infinity });
  const [inside, setInside] = useState<{ readonly service: Service; readonly person: Person }>();
  const queries = useQueryClient();
  const remembered = useQuery({
    queryKey: ['remembered'],
    staleTime: Infinity,
    enabled: config.data !== undefined,
    retry: false,
    queryFn: async () => {
      const name = sessionStorage.getItem(REMEMBERED_NAME);
      if (name !== null && config.data?.logins.includes('noauth') === true) {
        await enter({ kind: 'noauth', name }, config.data).then(setInside, () => {
          sessionStorage.removeItem(REMEMBERED_NAME);
        });
      }
      return true;
    },
  });

  const login = useCallback(
    async (given: Login) => {
      if (config.data === undefined) return;
      const entered = await enter(given, config.data);
      if (given.kind === 'noauth') sessionStorage.setItem(REMEMBERED_NAME, given.name);
      setInside(entered);
    },
    [config.data],
  );
  const logout = useCallback(() => {
    sessionStorage.removeItem(REMEMBERED_NAME);
    setInside(undefined);
    queries.removeQueries({
      predicate: ({ queryKey }) => !['console config', 'remembered'].includes(String(queryKey[0])),
    });
  }, [queries]);

  const value = useMemo(() => {
    if (inside === undefined || config.data === undefined) return undefined;
    const allowed = new Set(inside.person.may);
    return { ...inside, config: config.data, may: (rule: string) => allowed.has(rule), logout };
  }, [inside, config.data, logout]);

  if (config.error !== null) return unreachable(config.error);
  if (config.data === undefined || remembered.isPending) return waiting;
  if (value === undefined) return renderLogin({ config: config.data, login });
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>;
}

/** Throws the service's error if the login fails. */
async function enter(login: Login, config: ConsoleConfig): Promise<{ service: Service; person: Person }> {
  const service = serviceFor(await credentialsFor(login), config.api_prefix);
  const { document } = await service.session.send({ method: 'GET', target: '/console/session' }, { version: '1.39' });
  return { service, person: document as Person };
}

async function credentialsFor(login: Login): Promise<Credentials> {
  if (login.kind === 'noauth') return noauth(login.name);
  if (login.kind === 'token') return token(login.token);
  const answer = await fetch(`${CONSOLE_PATH}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      username: login.username,
      password: login.password,
      user_domain: login.userDomain,
      project: login.project,
      project_domain: login.projectDomain,
    }),
  });
  const document = (await answer.json()) as { token?: string; errors?: readonly { detail?: string }[] };
  if (!answer.ok || document.token === undefined) {
    throw new Error(document.errors?.[0]?.detail ?? `The service answered ${answer.status}.`);
  }
  return token(document.token);
}

/** The service's address for shell commands. */
export const ENDPOINT = SERVICE_URL;
