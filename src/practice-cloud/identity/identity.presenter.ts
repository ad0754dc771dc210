// Tokens, projects, users and the only domain as documents of the Identity API. A name is its own id.
import type { RequestContext } from '../../platform/http/request-context';
import { matching } from '../practice-cloud-query';
import { publicUrl, selfLinks } from '../practice-cloud.decorators';
import { toTheMicrosecondUtc } from '../times';
import type { IssuedToken } from './token-issuer';

export const DOMAIN_ID = 'default';
const DOMAIN = { id: DOMAIN_ID, name: 'Default' };
const API = '/identity/v3';

const linked = (context: RequestContext, path: string): object => ({ self: publicUrl(context, `${API}${path}`) });

/** A named list, filtered by the query. It has only a few entries, so it has no pages. */
export const presentList = (context: RequestContext, name: string, entries: readonly object[]): object => ({
  [name]: matching(entries, context.queryText),
  links: { ...linked(context, `/${name}`), previous: null, next: null },
});

export const presentProject = (context: RequestContext, name: string): object => ({
  id: name,
  name,
  domain_id: DOMAIN_ID,
  parent_id: DOMAIN_ID,
  description: '',
  enabled: true,
  is_domain: false,
  tags: [],
  options: {},
  links: linked(context, `/projects/${encodeURIComponent(name)}`),
});

export const presentUser = (context: RequestContext, name: string): object => ({
  id: name,
  name,
  domain_id: DOMAIN_ID,
  enabled: true,
  password_expires_at: null,
  options: {},
  links: linked(context, `/users/${encodeURIComponent(name)}`),
});

export const presentDomain = (context: RequestContext): object => ({
  ...DOMAIN,
  description: '',
  enabled: true,
  options: {},
  tags: [],
  links: linked(context, `/domains/${DOMAIN_ID}`),
});

/** `catalog`: undefined if the client does not want it. */
export function presentToken(
  { principal, expiresAtMs }: IssuedToken,
  { method, issuedAtMs }: { readonly method: string; readonly issuedAtMs: number },
  catalog: readonly object[] | undefined,
): object {
  const { userId, projectId, systemScope, roles } = principal;
  return {
    token: {
      methods: [method],
      user: { id: userId, name: userId, domain: DOMAIN, password_expires_at: null },
      audit_ids: [],
      issued_at: toTheMicrosecondUtc(issuedAtMs),
      expires_at: toTheMicrosecondUtc(expiresAtMs),
      ...(projectId !== null && { project: { id: projectId, name: projectId, domain: DOMAIN }, is_domain: false }),
      ...(systemScope !== null && { system: { [systemScope]: true } }),
      roles: roles.map((role) => ({ id: role, name: role })),
      ...(catalog !== undefined && { catalog }),
    },
  };
}

/** The only version of the Identity API in the practice cloud. */
export const presentVersion = (context: RequestContext): object => ({
  id: 'v3.14',
  status: 'stable',
  updated: '2020-04-07T00:00:00Z',
  links: selfLinks(context, `${API}/`),
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.identity-v3+json' }],
});
