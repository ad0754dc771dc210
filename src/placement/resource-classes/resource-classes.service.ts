// Operations on resource classes, and their row ids by name for all other slices.
import { Injectable } from '@nestjs/common';
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { Database, StartOver } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { Conflict, InvalidInput, NotFound, UnknownReference } from '../../platform/values/errors';
import { FIRST_CUSTOM_RESOURCE_CLASS_ID } from '../../platform/values/names';
import { didYouMean } from '../../platform/values/nearest-name';
import { STANDARD_RESOURCE_CLASSES } from '../domain/standard-resource-classes';
import type { ResourceClass } from './resource-classes.repository';
import * as repository from './resource-classes.repository';

const STANDARD_IDS: ReadonlyMap<string, number> = new Map(STANDARD_RESOURCE_CLASSES.map((name, id) => [name, id]));

@Injectable()
export class ResourceClassesService {
  constructor(private readonly db: Database) {}

  /** Ids by name. Throws UnknownReference with every missing class. Runs at most one statement, for custom classes. */
  async resolve(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const ids = await this.existing(sql, names);
    const unknown = [...new Set(names)].filter((name) => !ids.has(name));
    const [first] = unknown;
    if (first !== undefined) throw new UnknownReference(noSuchClass(unknown), () => this.suggestion(first));
    return ids;
  }

  /** ` Did you mean 'X'?`, or empty. */
  async suggestion(unknownName: string): Promise<string> {
    const known = await this.list();
    return didYouMean(
      unknownName,
      known.map(({ name }) => name),
    );
  }

  /** Same as `resolve`, but skips missing classes. */
  async existing(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    const custom = new Set<string>();
    for (const name of names) {
      const standard = STANDARD_IDS.get(name);
      if (standard === undefined) custom.add(name);
      else ids.set(name, standard);
    }
    if (custom.size === 0) return ids;
    for (const [name, id] of await repository.findClassIds(sql, [...custom])) ids.set(name, id);
    return ids;
  }

  /** Standard classes in library order, then custom classes in the order of creation. */
  list(): Promise<readonly ResourceClass[]> {
    return this.db.read((sql) => repository.listResourceClasses(sql));
  }

  /** Throws NotFound. */
  async get(name: string): Promise<ResourceClass> {
    const found = await this.db.read((sql) => repository.findResourceClass(sql, name));
    if (found === undefined) throw new NotFound(noSuchClass([name]));
    return found;
  }

  /** Throws Conflict if the name exists, InvalidInput if there are too many classes. */
  async create(name: string): Promise<void> {
    if ((await this.insert(name)) === 'existed') throw alreadyExists(name);
  }

  /** Creates the class if it does not exist. Throws InvalidInput if there are too many. */
  async ensure(name: string): Promise<'created' | 'existed'> {
    const known = await this.db.read((sql) => repository.findResourceClass(sql, name));
    return known === undefined ? this.insert(name) : 'existed';
  }

  /** Throws NotFound, InvalidInput for a standard class, Conflict if the new name exists. */
  rename(name: string, newName: string): Promise<ResourceClass> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const found = await this.custom(tx, name, 'update');
      if (newName === name) return found;
      try {
        if (!(await repository.renameResourceClass(tx, found.id, newName, nowMs))) {
          throw new StartOver('a resource class vanished before it was renamed');
        }
      } catch (error) {
        if (tx.dialect.classify(error) !== 'duplicate') throw error;
        throw alreadyExists(newName);
      }
      // Read after the update, which waits for all transactions that add inventory of this class.
      for (const id of await repository.providersWithInventoryOf(tx, found.id)) tx.changes.tree(id);
      return { id: found.id, name: newName, changedAt: nowMs };
    });
  }

  /** Throws NotFound, InvalidInput for a standard class, Conflict if there is inventory of it. */
  delete(name: string): Promise<void> {
    return this.db.write(async (tx) => {
      const { id } = await this.custom(tx, name, 'delete');
      try {
        if (!(await repository.deleteResourceClass(tx, id))) throw new NotFound(noSuchClass([name]));
      } catch (error) {
        if (tx.dialect.classify(error) !== 'foreign-key') throw error;
        throw new Conflict(`Cannot delete resource class ${name}: it is in use in inventory.`);
      }
    });
  }

  private async custom(tx: WriteTx, name: string, verb: 'update' | 'delete'): Promise<ResourceClass> {
    const found = await repository.findResourceClass(tx, name);
    if (found === undefined) throw new NotFound(noSuchClass([name]));
    if (found.id < FIRST_CUSTOM_RESOURCE_CLASS_ID) {
      throw new InvalidInput(`Cannot ${verb} standard resource class ${name}.`);
    }
    return found;
  }

  private insert(name: string): Promise<'created' | 'existed'> {
    const { customResourceClasses: most } = WRITE_LIMITS;
    return this.db.write(async (tx) => {
      try {
        await repository.insertResourceClass(tx, name, Date.now());
        if ((await repository.countCustomClasses(tx)) > most) {
          throw new InvalidInput(`At most ${most} custom resource classes can exist. Delete unused ones.`);
        }
        return 'created';
      } catch (error) {
        if (tx.dialect.classify(error) !== 'duplicate') throw error;
        return 'existed';
      }
    });
  }
}

function noSuchClass(names: readonly string[]): string {
  return `No such resource class ${names.join(', ')}.`;
}

function alreadyExists(name: string): Conflict {
  return new Conflict(`Resource class ${name} already exists.`);
}
