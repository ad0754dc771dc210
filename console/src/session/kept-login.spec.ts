import { forgetLogin, keepLogin, keptLogin } from './kept-login';

function storage(text?: string) {
  const kept = new Map<string, string>(text === undefined ? [] : [['berth.login', text]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
}

describe('the login that a tab keeps', () => {
  it.each([
    { kind: 'noauth', name: 'admin' },
    { kind: 'token', token: 'berth_abc' },
  ] as const)('is the same after a reload: %j', (login) => {
    const kept = storage();
    keepLogin(login, kept);
    expect(keptLogin(kept)).toEqual(login);
  });

  it('is gone after a logout', () => {
    const kept = storage();
    keepLogin({ kind: 'token', token: 'berth_abc' }, kept);
    forgetLogin(kept);
    expect(keptLogin(kept)).toBeUndefined();
  });

  it.each([undefined, '', '{', 'null', '{"kind":"password","password":"x"}', '{"kind":"token"}'])(
    'is not read from %j',
    (text) => {
      expect(keptLogin(storage(text))).toBeUndefined();
    },
  );
});
