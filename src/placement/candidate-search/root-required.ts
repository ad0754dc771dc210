// `root_required`: traits that the anchor itself must have or must not have. Sharing providers are ignored, unless one
// is the anchor.

import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';

/** The first trait that the root violates; null when it passes. */
export function findRootFault(
  root: Provider,
  query: PreparedQuery,
): { readonly code: 'missing_trait' | 'forbidden_trait'; readonly trait: string } | null {
  for (const trait of query.rootRequired) if (!root.traits.has(trait)) return { code: 'missing_trait', trait };
  for (const trait of query.rootForbidden) if (root.traits.has(trait)) return { code: 'forbidden_trait', trait };
  return null;
}
