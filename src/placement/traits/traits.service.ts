// Operations on the names of traits, and their row ids by name for all other slices.
import { Injectable } from '@nestjs/common';
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { Database, StartOver } from '../../platform/database/database';
import type { SqlReader } from '../../platform/database/sql';
import { Conflict, InvalidInput, NotFound, UnknownReference } from '../../platform/values/errors';
import { CUSTOM_PREFIX } from '../../platform/values/names';
import { didYouMean } from '../../platform/values/nearest-name';
import type { EnsuredTrait, Trait, TraitFilter } from './traits.commands';
import * as repository from './traits.repository';

@Injectable()
export class TraitsService {
  constructor(private readonly db: Database) {}

  /** Ids by name, with one statement. Throws UnknownReference with every trait that does not exist. */
  async resolve(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.known(sql, names)).map((trait) => [trait.name, trait.id]));
  }

  /** Same as `resolve`, but returns the traits, sorted by id and without duplicates. */
  async known(sql: SqlReader, names: readonly string[]): Promise<readonly Trait[]> {
    const found = await repository.listTraits(sql, { names });
    const known = new Set(found.map((trait) => trait.name));
    const unknown = [...new Set(names)].filter((name) => !known.has(name));
    const [first] = unknown;
    if (first !== undefined) throw new UnknownReference(noSuchTrait(unknown), () => this.suggestion(first));
    return found;
  }

  /** ` Did you mean 'X'?`, or empty. */
  async suggestion(unknownName: string): Promise<string> {
    const traits = await this.list({});
    return didYouMean(
      unknownName,
      traits.map(({ name }) => name),
    );
  }

  /** Same as `known`, but skips missing traits. */
  existing(sql: SqlReader, names: readonly string[]): Promise<readonly Trait[]> {
    return repository.listTraits(sql, { names });
  }

  /** In the order of creation. Missing names are skipped. */
  list(filter: TraitFilter): Promise<readonly Trait[]> {
    return this.db.read((sql) => repository.listTraits(sql, filter));
  }

  /** Throws NotFound. */
  async get(name: string): Promise<Trait> {
    const trait = await this.db.read((sql) => repository.findTrait(sql, name));
    if (trait === undefined) throw new NotFound(noSuchTrait([name]));
    return trait;
  }

  /** Creates the trait if it does not exist. Throws InvalidInput if there are too many. */
  async ensure(name: string): Promise<EnsuredTrait> {
    const known = await this.db.read((sql) => repository.findTrait(sql, name));
    if (known !== undefined) return { outcome: 'existed', trait: known };
    const nowMs = Date.now();
    return this.db.write(async (tx): Promise<EnsuredTrait> => {
      try {
        await repository.insertTrait(tx, name, nowMs);
        if ((await repository.countCustomTraits(tx)) > WRITE_LIMITS.customTraits) {
          throw new InvalidInput(`At most ${WRITE_LIMITS.customTraits} custom traits can exist. Delete unused ones.`);
        }
        return { outcome: 'created', trait: { name, changedAt: nowMs } };
      } catch (error) {
        if (tx.dialect.classify(error) !== 'duplicate') throw error;
        const winner = await repository.findTrait(tx, name);
        if (winner === undefined) throw new StartOver('a trait was created and deleted at the same time');
        return { outcome: 'existed', trait: winner };
      }
    });
  }

  /** Throws NotFound, InvalidInput for a standard trait, Conflict if a provider has it. */
  delete(name: string): Promise<void> {
    return this.db.write(async (tx) => {
      const trait = await repository.findTrait(tx, name);
      if (trait === undefined) throw new NotFound(noSuchTrait([name]));
      if (!name.startsWith(CUSTOM_PREFIX)) throw new InvalidInput(`Cannot delete standard trait ${name}.`);
      try {
        if (!(await repository.deleteTrait(tx, trait.id))) throw new NotFound(noSuchTrait([name]));
      } catch (error) {
        if (tx.dialect.classify(error) !== 'foreign-key') throw error;
        throw new Conflict(`The trait ${name} is in use by a resource provider.`);
      }
    });
  }
}

function noSuchTrait(names: readonly string[]): string {
  return `No such trait(s): ${names.join(', ')}.`;
}
