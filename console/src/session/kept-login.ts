// The login that a reload of the tab keeps. sessionStorage belongs to one tab and one origin, and the browser sends it
// nowhere by itself.

export type KeptLogin =
  | { readonly kind: 'noauth'; readonly name: string }
  | { readonly kind: 'token'; readonly token: string };

const KEY = 'berth.login';

export const keepLogin = (login: KeptLogin, storage: Pick<Storage, 'setItem'>): void =>
  storage.setItem(KEY, JSON.stringify(login));

export function forgetLogin(storage: Pick<Storage, 'removeItem'>): true {
  storage.removeItem(KEY);
  return true;
}

/** Undefined if there is none, or another version of the console wrote it. */
export function keptLogin(storage: Pick<Storage, 'getItem'>): KeptLogin | undefined {
  const login = parsed(storage.getItem(KEY) ?? '');
  if (login?.['kind'] === 'noauth' && typeof login['name'] === 'string') return { kind: 'noauth', name: login['name'] };
  if (login?.['kind'] === 'token' && typeof login['token'] === 'string')
    return { kind: 'token', token: login['token'] };
  return undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
