// The port through which a list of providers learns names and places that somebody keeps in memory anyway; the
// allocation-candidates slice answers it from the provider graph.
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../domain/uuid';

/** What does not change with a provider's generation. */
interface KnownProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parentUuid: Uuid | null;
  readonly rootUuid: Uuid;
}

export interface ProviderNames {
  findProvider(id: number): KnownProvider | undefined;
}

export interface ProvidersInMemory {
  /** As fresh as any search. */
  current(): Promise<ProviderNames>;
}

@Injectable()
export class KnownProviders {
  private source: ProvidersInMemory | undefined;

  keptBy(source: ProvidersInMemory): void {
    this.source = source;
  }

  /** Undefined where nobody keeps providers in memory. */
  async current(): Promise<ProviderNames | undefined> {
    return this.source?.current();
  }
}
