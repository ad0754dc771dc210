// `root_required`: the anchor itself must have these traits and must not have those. Sharing providers are not looked
// at, unless one is the anchor.

import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';

/** The first trait in whose respect the root fails, or null when it passes. */
export function findRootFault(
  root: Provider,
  query: PreparedQuery,
): { readonly code: 'missing_trait' | 'forbidden_trait'; readonly trait: string } | null {
  for (const trait of query.rootRequired) if (!root.traits.has(trait)) return { code: 'missing_trait', trait };
  for (const trait of query.rootForbidden) if (root.traits.has(trait)) return { code: 'forbidden_trait', trait };
  return null;
}
