import { InvalidInput } from '../../platform/values/errors';
import { credentialsOf } from './credentials';

const password = (user: object, scope?: unknown): object => ({
  auth: { identity: { methods: ['password'], password: { user } }, ...(scope !== undefined && { scope }) },
});
const token = (id: unknown): object => ({ auth: { identity: { methods: ['token'], token: { id } } } });
const ANNA = { name: 'anna', domain: { id: 'default' }, password: 'x' };

it.each<readonly [string, object, object]>([
  ['a user without a scope', password(ANNA), { method: 'password', user: 'anna', password: 'x', project: null }],
  [
    'a user by id',
    password({ id: 'anna', password: '' }),
    { method: 'password', user: 'anna', password: '', project: null },
  ],
  [
    'a user in a project',
    password(ANNA, { project: { name: 'demo', domain: { name: 'Default' } } }),
    { method: 'password', user: 'anna', password: 'x', project: 'demo' },
  ],
  [
    'a project by id',
    password(ANNA, { project: { id: 'p1' } }),
    { method: 'password', user: 'anna', password: 'x', project: 'p1' },
  ],
  [
    'no project by name',
    password(ANNA, 'unscoped'),
    { method: 'password', user: 'anna', password: 'x', project: null },
  ],
  ['a token', token('anna:demo'), { method: 'token', token: 'anna:demo', project: null }],
])('reads %s', (_what, document, expected) => expect(credentialsOf(document)).toEqual(expected));

it.each<readonly [string, unknown, string]>([
  ['no object', [], 'the document is not of type object'],
  ['no auth', {}, "'auth' "],
  ['no identity', { auth: {} }, "'auth.identity' "],
  ['no method', { auth: { identity: { methods: [] } } }, "'auth.identity.methods' "],
  ['two methods', { auth: { identity: { methods: ['password', 'totp'] } } }, "'auth.identity.methods' "],
  ['another method', { auth: { identity: { methods: ['mapped'] } } }, "'auth.identity.methods' "],
  ['no user', { auth: { identity: { methods: ['password'], password: {} } } }, "'auth.identity.password.user' "],
  ['no name', password({ password: 'x' }), "'auth.identity.password.user.name' "],
  ['an empty name', password({ name: '', password: 'x' }), "'auth.identity.password.user.name' "],
  ['a name that no header has', password({ name: 'änna', password: 'x' }), "'auth.identity.password.user.name' "],
  ['a name with a line break', password({ name: 'an\nna', password: 'x' }), "'auth.identity.password.user.name' "],
  ['a name with a colon', password({ name: 'admin:x', password: 'x' }), "'auth.identity.password.user.name' "],
  ['a long name', password({ name: 'a'.repeat(256), password: 'x' }), "'auth.identity.password.user.name' "],
  ['no password', password({ name: 'anna' }), "'auth.identity.password.user.password' "],
  ['a project that no header has', password(ANNA, { project: { name: 'p\0' } }), "'auth.scope.project.name' "],
  ['a scope that is a list', password(ANNA, []), "'auth.scope' "],
  ['the system', password(ANNA, { system: { all: true } }), "'auth.scope' "],
  ['a domain', password(ANNA, { domain: { id: 'default' } }), "'auth.scope' "],
  ['a token that is none', token(7), "'auth.identity.token.id' "],
  ['a token that no header has', token('ä'), "'auth.identity.token.id' "],
])('refuses %s by its field', (_what, document, start) => {
  expect(() => credentialsOf(document)).toThrow(InvalidInput);
  expect(() => credentialsOf(document)).toThrow(start);
});
