// Credentials for a token: parses the body of `POST /auth/tokens` for the supported methods. Domains are ignored:
// a name has the same meaning in each.
import { IDENTITY_LIMITS } from '../../platform/config/limits/auth';
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import { bodyFault, FIELD_RULES } from '../../platform/values/field-fault';
import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';

export type LoginCredentials =
  | { readonly method: 'password'; readonly user: string; readonly password: string; readonly project: string | null }
  | { readonly method: 'token'; readonly token: string; readonly project: string | null };

function objectAt(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw bodyFault(path, FIELD_RULES.type('object'));
}

function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw bodyFault(path, FIELD_RULES.type('string'));
}

/** Printable ASCII without blanks at its ends, which is valid in a header and in a token. */
const NAME = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

function nameAt({ id, name }: JsonObject, path: string): string {
  const text = textAt(id ?? name, `${path}.${id === undefined || id === null ? 'name' : 'id'}`);
  if (NAME.test(text) && text.length <= PRACTICE_CLOUD_LIMITS.nameCharacters) return text;
  throw bodyFault(
    `${path}.name`,
    `must have 1 to ${PRACTICE_CLOUD_LIMITS.nameCharacters} printable ASCII characters, without a blank at its start or end`,
  );
}

/** Throws InvalidInput with the name of the field. */
export function credentialsOf(document: unknown): LoginCredentials {
  const auth = objectAt(objectAt(document, '')['auth'], 'auth');
  const identity = objectAt(auth['identity'], 'auth.identity');
  const project = projectOf(auth['scope']);
  switch (methodOf(identity['methods'])) {
    case 'password': {
      const user = objectAt(objectAt(identity['password'], 'auth.identity.password')['user'], `${USER}`);
      const name = nameAt(user, USER);
      // In a noauth2 token, the first colon ends the user name.
      if (name.includes(':')) throw bodyFault(`${USER}.name`, 'must not have a colon');
      return { method: 'password', user: name, password: textAt(user['password'], `${USER}.password`), project };
    }
    case 'token': {
      const { id } = objectAt(identity['token'], 'auth.identity.token');
      const token = textAt(id, 'auth.identity.token.id');
      if (NAME.test(token) && token.length <= IDENTITY_LIMITS.tokenCharacters)
        return { method: 'token', token, project };
      throw bodyFault('auth.identity.token.id', 'is no token, which is a text of printable ASCII characters');
    }
  }
}

const USER = 'auth.identity.password.user';

function methodOf(methods: unknown): LoginCredentials['method'] {
  const [method, ...others] = Array.isArray(methods) ? (methods as readonly unknown[]) : [];
  if (others.length === 0 && (method === 'password' || method === 'token')) return method;
  throw bodyFault('auth.identity.methods', 'must be ["password"] or ["token"]; there are no others here');
}

/** Null if the client names no project: the project of the token applies. */
function projectOf(scope: unknown): string | null {
  if (scope === undefined || scope === null || scope === 'unscoped') return null;
  const requestedScope = objectAt(scope, 'auth.scope');
  if ('project' in requestedScope)
    return nameAt(objectAt(requestedScope['project'], 'auth.scope.project'), 'auth.scope.project');
  throw bodyFault('auth.scope', 'must name a project; tokens for a domain or the system are not issued here');
}
