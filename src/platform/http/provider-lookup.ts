// Port of the edge to check whether a provider exists; the resource-providers slice implements it.
import type { Uuid } from '../values/uuid';

export abstract class ProviderLookup {
  abstract exists(uuid: Uuid): Promise<boolean>;
}
