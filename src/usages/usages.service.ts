// What can be asked about usage. Nothing here writes.
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Uuid } from '../domain/uuid';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import * as repository from './usages.repository';
import type { ProviderUsages, TypeUsages, UsageQuestion } from './usages.repository';

@Injectable()
export class UsagesService {
  constructor(private readonly db: Database) {}

  /** One amount for each class the provider has inventory of, 0 where nothing is used. Throws NotFound. */
  async ofProvider(provider: Uuid): Promise<ProviderUsages> {
    const found = await this.db.read((sql) => repository.findProviderUsages(sql, provider));
    if (found === undefined) throw unknownProvider(provider);
    return found;
  }

  /** Sums over the allocations of a project's consumers. A project nobody has heard of uses nothing. */
  ofProject(question: UsageQuestion): Promise<readonly TypeUsages[]> {
    return this.db.read((sql) => repository.projectUsages(sql, question));
  }
}
