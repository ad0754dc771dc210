// Fills the templates of `cell_mappings.database_connection` from the address in nova.conf, as nova does. Problems are
// named without the address, which includes a password.
import type { NovaDatabase } from './database-url';
import { novaDatabaseOf } from './database-url';

const COLUMN = 'Column cell_mappings.database_connection';
const BASE = '[database] connection';

/** The database of a cell, or why there is none. `base` fills a template; null if it is not set. */
export function cellDatabaseOf(
  stored: string | null,
  base: string | null,
): NovaDatabase | { readonly problem: string } {
  if (stored === null) return { problem: `${COLUMN} is NULL.` };
  const { url, problem } = fillCellUrl(stored, base);
  if (problem !== null) return { problem: `${COLUMN} ${problem}.` };
  const parsed = novaDatabaseOf(url);
  return parsed.ok ? parsed.database : { problem: `${COLUMN} ${parsed.problem}.` };
}

interface FilledUrl {
  readonly url: string;
  /** Why the template was not filled, or what the filled address lacks; null without a problem. */
  readonly problem: string | null;
}

type Fields = ReadonlyMap<string, string | null>;

const ABSENT = 'None';
const URL_PARTS = /^([A-Za-z][\w+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** `{{`, `}}`, `{name}`, and braces that belong to none of them. */
const BRACES = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Law: `{scheme}`, `{username}`, `{password}`, `{hostname}`, `{port}`, `{path}`, `{query}`, `{fragment}` are the parts of
 * the base as written, with the host in lower case and an IPv6 address without brackets; an absent part is `None`, or
 * empty for the last three. `{{` and `}}` are braces.
 * A template with any other brace, or without a usable base, stays as stored.
 */
export function fillCellUrl(stored: string, base: string | null): FilledUrl {
  if (!/[{}]/.test(stored)) return { url: stored, problem: null };
  if (base === null) return { url: stored, problem: `is a template, and ${BASE} is not set` };
  const fields = fieldsOf(base);
  if (fields === null) return { url: stored, problem: `is a template, and ${BASE} is not an address` };
  let problem: string | null = null;
  const absent: string[] = [];
  const url = stored.replace(BRACES, (whole: string, name: string | undefined) => {
    if (whole === '{{') return '{';
    if (whole === '}}') return '}';
    const value = name === undefined ? undefined : fields.get(name);
    if (value === undefined) {
      problem ??=
        name === undefined ? 'is a template with a single brace' : `is a template with the unknown name {${name}}`;
      return whole;
    }
    if (value === null) absent.push(`{${name ?? ''}}`);
    return value ?? ABSENT;
  });
  if (problem !== null) return { url: stored, problem };
  return { url, problem: problemOfFilled(absent, stored, fields) };
}

/** nova fills these templates, and SQLAlchemy refuses the result. */
function problemOfFilled(absent: readonly string[], stored: string, fields: Fields): string | null {
  if (absent.length > 0) return `is a template with ${absent.join(', ')}, which ${BASE} does not contain`;
  const host = fields.get('hostname');
  const isIpv6 = host?.includes(':') === true;
  return isIpv6 && stored.includes('{hostname}') && !stored.includes('[{hostname}]')
    ? `is a template that needs [{hostname}], because ${BASE} has an IPv6 address`
    : null;
}

/** The user ends at the first colon, the password at the last `@`. */
function fieldsOf(base: string): Fields | null {
  const [, scheme, authority, path, query, fragment] = URL_PARTS.exec(base.trim()) ?? [];
  if (scheme === undefined || authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  const [user, ...password] = at < 0 ? [] : authority.slice(0, at).split(':');
  const [, ipv6, name, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(authority.slice(at + 1)) ?? [];
  return new Map([
    ['scheme', scheme.toLowerCase()],
    ['username', user ?? null],
    ['password', password.length === 0 ? null : password.join(':')],
    ['hostname', (ipv6 ?? name)?.toLowerCase() || null],
    ['port', port || null],
    ['path', (path ?? '').replace(/^\//, '')],
    ['query', query ?? ''],
    ['fragment', fragment ?? ''],
  ]);
}
