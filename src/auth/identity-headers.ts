// Headers by which a middleware in front of other services says who is calling. What a client sends under these names is
// nobody's word: they are gone once the caller is known, in every strategy, so that nothing behind can take them for more.

const IDENTITY_HEADER =
  /^x-(?:service-)?(?:identity-status|service-catalog|is-admin-project|roles?|tenant|user|(?:user|project|tenant|domain|user-domain|project-domain)-(?:id|name)|auth-receipt|trust-id|trustor-user-id|trustee-user-id)$|^openstack-system-scope$|^x-catalog$|^remote[-_]user$/;

/** Takes them off; the token itself stays where the edge found it. */
export function discardIdentityHeaders(headers: Record<string, unknown>): void {
  for (const name in headers) {
    if (isIdentityHeader(name)) delete headers[name];
  }
}

const isIdentityHeader = (name: string): boolean =>
  (name.startsWith('x-') || name.startsWith('openstack-s') || name.startsWith('remote')) && IDENTITY_HEADER.test(name);
