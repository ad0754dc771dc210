// What can be asked about usage. Nothing here writes.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../config/limits';
import { Database } from '../database/database';
import type { Uuid } from '../domain/uuid';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import { stopIfGone } from '../shares/caller';
import type { Caller } from '../shares/caller';
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

  /**
   * Sums over the allocations of a project's consumers. A project nobody has heard of uses nothing. One with very many
   * consumers is summed in parts that see the same state. Throws CallerGone.
   */
  async ofProject(
    question: UsageQuestion,
    caller?: Caller,
    limit: number = DATABASE_LIMITS.consumersPerRead,
  ): Promise<readonly TypeUsages[]> {
    const first = await this.db.read((sql) => repository.projectUsages(sql, question, limit));
    const parts = first.consumers < limit ? [first] : await this.inParts(question, limit, caller);
    return repository.joinedUsages(parts);
  }

  private inParts(
    question: UsageQuestion,
    limit: number,
    caller: Caller | undefined,
  ): Promise<readonly repository.UsagePart[]> {
    return this.db.readSnapshot(async (sql) => {
      const parts = [await repository.projectUsages(sql, question, limit)];
      for (let place = parts[0]?.last ?? null, isSameUser = true; place !== null;) {
        stopIfGone(caller);
        const part = await repository.projectUsages(sql, question, limit, { place, isSameUser });
        parts.push(part);
        // Users behind are looked for once this one has no more.
        if (part.last === null && !isSameUser) break;
        isSameUser = part.last !== null;
        place = part.last ?? place;
      }
      return parts;
    });
  }
}
