// Usage of providers and projects. Read only.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { stopIfGone } from '../../platform/event-loop/caller';
import type { Uuid } from '../../platform/values/uuid';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import type { ProviderUsages, TypeUsages, UsageQuestion } from './usages.repository';
import * as repository from './usages.repository';

@Injectable()
export class UsagesService {
  constructor(private readonly db: Database) {}

  /** One amount for each class of the provider's inventory, including 0. Throws NotFound. */
  async ofProvider(provider: Uuid): Promise<ProviderUsages> {
    const found = await this.db.read((sql) => repository.findProviderUsages(sql, provider));
    if (found === undefined) throw unknownProvider(provider);
    return found;
  }

  /**
   * Sums over the allocations of a project's consumers; an unknown project has none. A project with very many consumers
   * is read in parts, in one snapshot. Throws CallerGone.
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

  byProject(): ReturnType<typeof repository.sumsByProject> {
    return this.db.readSnapshot(repository.sumsByProject);
  }

  largestConsumers(project: string, resourceClass: string, limit: number): Promise<readonly Uuid[]> {
    return this.db.readSnapshot((sql) => repository.largestConsumers(sql, [project, resourceClass], limit));
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
        // After the last consumer of a user, continues with the next users.
        if (part.last === null && !isSameUser) break;
        isSameUser = part.last !== null;
        place = part.last ?? place;
      }
      return parts;
    });
  }
}
