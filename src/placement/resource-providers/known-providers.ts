// The port through which lists of providers read names and parents from memory. The allocation-candidates slice
// implements it with the provider graph.
import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../platform/values/uuid';

/** The data that does not change with a provider's generation. */
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
  /** As up to date as the graph that a search uses. */
  current(): Promise<ProviderNames>;
}

@Injectable()
export class KnownProviders {
  private source: ProvidersInMemory | undefined;

  keptBy(source: ProvidersInMemory): void {
    this.source = source;
  }

  /** Undefined if this process keeps no providers in memory. */
  async current(): Promise<ProviderNames | undefined> {
    return this.source?.current();
  }
}
