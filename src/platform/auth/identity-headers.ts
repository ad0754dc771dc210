// Identity headers that an authentication middleware sets in front of other services. A client's values are untrusted,
// so they are removed after authentication in every strategy.

const IDENTITY_HEADER =
  /^x-(?:service-)?(?:identity-status|service-catalog|is-admin-project|roles?|tenant|user|(?:user|project|tenant|domain|user-domain|project-domain)-(?:id|name)|auth-receipt|trust-id|trustor-user-id|trustee-user-id)$|^openstack-system-scope$|^x-catalog$|^remote[-_]user$/;

/** Removes these headers; the token header is kept. */
export function discardIdentityHeaders(headers: Record<string, unknown>): void {
  for (const name in headers) {
    if (isIdentityHeader(name)) delete headers[name];
  }
}

const isIdentityHeader = (name: string): boolean =>
  (name.startsWith('x-') || name.startsWith('openstack-s') || name.startsWith('remote')) && IDENTITY_HEADER.test(name);
