// Checks names in queries of reports. A name that some provider has exists; only other names are looked up.
import { Injectable } from '@nestjs/common';
import type { ProviderGraph } from '../../placement/candidate-search';
import { ResourceClassesService } from '../../placement/resource-classes/resource-classes.service';
import { TraitsService } from '../../placement/traits/traits.service';
import { Database } from '../../platform/database/database';
import { NotFound } from '../../platform/values/errors';
import { queryFault } from '../../platform/values/field-fault';

@Injectable()
export class KnownNames {
  constructor(
    private readonly db: Database,
    private readonly resourceClasses: ResourceClassesService,
    private readonly traits: TraitsService,
  ) {}

  /** Throws InvalidInput that names the parameter when there is no such resource class. */
  async checkClasses(graph: ProviderGraph, parameter: string, names: readonly string[]): Promise<void> {
    const unheld = names.filter((name) => graph.rootsWithClass(name).length === 0);
    if (unheld.length === 0) return;
    const known = await this.db.read((sql) => this.resourceClasses.existing(sql, unheld));
    const unknown = unheld.find((name) => !known.has(name));
    if (unknown === undefined) return;
    throw queryFault(
      parameter,
      `names no resource class: '${unknown}'.${await this.resourceClasses.suggestion(unknown)}`,
    );
  }

  /** The same for traits. */
  async checkTraits(graph: ProviderGraph, parameter: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (graph.rootsWithTrait(name).length > 0) continue;
      await this.traits.get(name).catch(async (error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
        throw queryFault(parameter, `names no trait: '${name}'.${await this.traits.suggestion(name)}`);
      });
    }
  }
}
