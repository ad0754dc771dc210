// `root_required`: traits that the anchor itself must have or must not have. Sharing providers are ignored, unless one
// is the anchor.

import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';

export const isRootAllowed = ({ traits }: Provider, { rootRequired, rootForbidden }: PreparedQuery): boolean =>
  rootRequired.every((trait) => traits.has(trait)) && !rootForbidden.some((trait) => traits.has(trait));
