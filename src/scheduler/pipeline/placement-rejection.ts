// Why placement did not return a root: the candidate engine's reason as data. Its sentence is the engine's business. A
// root need not be a host: it goes by its provider's name.

import { renderRejection } from '../../candidate-search';
import type { Params } from './verdict';

/** One root without a candidate. `params` reproduce the verdict. */
export interface PlacementRejection {
  readonly uuid: string;
  /** Name of the root provider. */
  readonly name: string;
  /** Suffix of the request group that found nothing; null when the request as a whole failed. */
  readonly group: string | null;
  readonly stage: string;
  readonly code: string;
  readonly params: Params;
}

/** One sentence for an operator. */
export const renderPlacementRejection = (rejection: PlacementRejection): string => renderRejection(rejection);
