// The port through which the edge asks whether a provider exists; the resource-providers slice answers it.
import type { Uuid } from '../domain/uuid';

export abstract class ProviderLookup {
  abstract exists(uuid: Uuid): Promise<boolean>;
}
