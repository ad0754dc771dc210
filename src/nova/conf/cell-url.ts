// Fills the templates of `cell_mappings.database_connection` and `transport_url` from the addresses of nova.conf, as
// nova does. Problems are named without the address, which includes a password.

interface FilledUrl {
  readonly url: string;
  /** Why the template was not filled, or what the filled address lacks; null without a problem. */
  readonly problem: string | null;
}

interface BasePart {
  readonly username: string | null;
  readonly password: string | null;
  readonly hostname: string | null;
  readonly port: string | null;
}

type Fields = ReadonlyMap<string, string | null>;

const ABSENT = 'None';
const URL_PARTS = /^([A-Za-z][\w+.-]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** `{{`, `}}`, `{name}`, and braces that belong to none of them. */
const BRACES = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * Law: `{scheme}`, `{username}`, `{password}`, `{hostname}`, `{port}`, `{path}`, `{query}`, `{fragment}` are the parts of
 * the base as written, with the host in lower case and an IPv6 address without brackets; an absent part is `None`, or
 * empty for the last three. `{hostname1}` and the like exist if the base names several hosts. `{{` and `}}` are braces.
 * A template with any other brace, or without a usable base, stays as stored.
 */
export function fillCellUrl(stored: string, base: string | null, baseOption: string): FilledUrl {
  if (!/[{}]/.test(stored)) return { url: stored, problem: null };
  if (base === null) return { url: stored, problem: `is a template, and ${baseOption} is not set` };
  const fields = fieldsOf(base);
  if (fields === null) return { url: stored, problem: `is a template, and ${baseOption} is not an address` };
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
  return { url, problem: problemOfFilled(absent, stored, fields, baseOption) };
}

/** nova fills these templates, and SQLAlchemy refuses the result. */
function problemOfFilled(absent: readonly string[], stored: string, fields: Fields, baseOption: string): string | null {
  if (absent.length > 0) return `is a template with ${absent.join(', ')}, which ${baseOption} does not contain`;
  const host = fields.get('hostname');
  const isIpv6 = host?.includes(':') === true;
  return isIpv6 && stored.includes('{hostname}') && !stored.includes('[{hostname}]')
    ? `is a template that needs [{hostname}], because ${baseOption} has an IPv6 address`
    : null;
}

function fieldsOf(base: string): Fields | null {
  const [, scheme, authority, path, query, fragment] = URL_PARTS.exec(base.trim()) ?? [];
  if (scheme === undefined || authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  const whole = partOf(authority);
  const hosts = authority.split(',').map((text) => partOf(text));
  const last = hosts.at(-1);
  const main: BasePart = { ...whole, hostname: last?.hostname?.toLowerCase() ?? null, port: last?.port ?? null };
  const fields = new Map<string, string | null>([
    ['scheme', scheme.toLowerCase()],
    ['username', at < 0 ? null : main.username],
    ['password', main.password],
    ['hostname', main.hostname],
    ['port', main.port],
    ['path', (path ?? '').replace(/^\//, '')],
    ['query', query ?? ''],
    ['fragment', fragment ?? ''],
  ]);
  if (hosts.length > 1) {
    for (const [index, part] of hosts.entries()) {
      for (const name of ['username', 'password', 'hostname', 'port'] as const) {
        fields.set(`${name}${index + 1}`, part[name]);
      }
    }
  }
  return fields;
}

/** `user:password@host:port`. The user ends at the first colon, the password at the last `@`. */
function partOf(text: string): BasePart {
  const at = text.lastIndexOf('@');
  const credentials = at < 0 ? null : text.slice(0, at);
  const colon = credentials?.indexOf(':') ?? -1;
  const [, ipv6, name, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text.slice(at + 1)) ?? [];
  return {
    username: credentials === null ? null : colon < 0 ? credentials : credentials.slice(0, colon),
    password: credentials === null || colon < 0 ? null : credentials.slice(colon + 1),
    hostname: (ipv6 ?? name) || null,
    port: port || null,
  };
}
