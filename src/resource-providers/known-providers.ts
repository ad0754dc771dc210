// The port through which a list of providers learns names and places that somebody keeps in memory anyway; the
// allocation-candidates slice answers it from the provider graph.
import type { Uuid } from '../domain/uuid';

/** What does not change with a provider's generation. */
export interface KnownProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parentUuid: Uuid | null;
  readonly rootUuid: Uuid;
}

export interface ProviderNames {
  findProvider(id: number): KnownProvider | undefined;
}

export abstract class KnownProviders {
  /** As fresh as any search; undefined where nobody keeps providers in memory. */
  abstract current(): Promise<ProviderNames | undefined>;
}
