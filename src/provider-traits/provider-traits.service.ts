// What can be done to the traits of a provider. Whoever changes them raises the provider's generation in the same
// transaction, so an unchanged generation means unchanged traits.
import { Injectable } from '@nestjs/common';
import { Database, StartOver } from '../database/database';
import type { WriteTx } from '../database/sql';
import { assert } from '../domain/assert';
import type { Uuid } from '../domain/uuid';
import { ProviderGenerationConflict } from '../errors/domain-errors';
import { compareAndRaise, raiseGenerations } from '../resource-providers/resource-providers.repository';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import * as repository from './provider-traits.repository';
import type { ProviderTraits } from './provider-traits.repository';
import type { Trait } from '../traits/traits.repository';
import { TraitsService } from '../traits/traits.service';

export interface ReplaceTraits {
  readonly provider: Uuid;
  readonly traits: ReadonlySet<string>;
  /** The provider's generation as the client knows it. */
  readonly generation: number;
}

export interface SetTrait {
  readonly providers: readonly Uuid[];
  readonly trait: string;
  readonly isWanted: boolean;
}

@Injectable()
export class ProviderTraitsService {
  constructor(
    private readonly db: Database,
    private readonly traits: TraitsService,
  ) {}

  /** Throws NotFound. */
  async get(provider: Uuid): Promise<ProviderTraits> {
    const found = await this.db.read((sql) => repository.findProviderTraits(sql, provider));
    if (found === undefined) throw unknownProvider(provider);
    return found;
  }

  /**
   * The provider has exactly these traits afterwards. A set that is so already leaves the generation alone. Throws
   * NotFound, ProviderGenerationConflict, UnknownReference, in this order.
   */
  replace(command: ReplaceTraits): Promise<ProviderTraits> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const before = await repository.findProviderTraits(tx, command.provider);
      if (before === undefined) throw unknownProvider(command.provider);
      if (before.generation !== command.generation) throw new ProviderGenerationConflict(command.provider);
      const wanted = await this.traits.known(tx, [...command.traits]);
      const added = without(wanted, before.traits);
      const removed = without(before.traits, wanted);
      if (added.length + removed.length === 0) return before;
      // Succeeds only if nobody came between, so what was read before is still so, and is held from here on.
      if (!(await compareAndRaise(tx, before.providerId, command.generation, nowMs))) {
        throw new ProviderGenerationConflict(command.provider);
      }
      await repository.removeTraits(tx, before.providerId, removed);
      await add(tx, before.providerId, added);
      tx.changes.tree(before.providerId);
      return { providerId: before.providerId, generation: before.generation + 1, traits: wanted };
    });
  }

  /**
   * Providers have one trait, or have it not, afterwards, in the caller's transaction and whatever their generations,
   * which rise where something changes. Providers that do not exist are left out. Throws UnknownReference.
   */
  async setTraitIn(tx: WriteTx, command: SetTrait, nowMs: number): Promise<void> {
    const traitId = (await this.traits.resolve(tx, [command.trait])).get(command.trait);
    assert(traitId !== undefined, 'a trait that is resolved has an id');
    const changed = await repository.providersToChange(tx, command.providers, traitId, command.isWanted);
    if (changed.length === 0) return;
    await raiseGenerations(tx, changed, nowMs);
    if (command.isWanted) await repository.putTrait(tx, changed, traitId);
    else await repository.dropTrait(tx, changed, traitId);
    for (const id of changed) tx.changes.tree(id);
  }

  /** The provider has no traits afterwards. Throws NotFound. */
  clear(provider: Uuid): Promise<void> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const before = await repository.findProviderTraits(tx, provider);
      if (before === undefined) throw unknownProvider(provider);
      if (before.traits.length === 0) return;
      await raiseGenerations(tx, [before.providerId], nowMs);
      if ((await repository.removeAllTraits(tx, before.providerId)) === 0) {
        // A generation may not be raised for nothing.
        throw new StartOver('the traits vanished before they were removed');
      }
      tx.changes.tree(before.providerId);
    });
  }
}

function without(traits: readonly Trait[], others: readonly Trait[]): readonly number[] {
  const excluded = new Set(others.map((trait) => trait.id));
  return traits.map((trait) => trait.id).filter((id) => !excluded.has(id));
}

async function add(tx: WriteTx, providerId: number, traitIds: readonly number[]): Promise<void> {
  try {
    await repository.addTraits(tx, providerId, traitIds);
  } catch (error) {
    if (tx.dialect.classify(error) !== 'foreign-key') throw error;
    throw new StartOver('a trait vanished before the provider got it');
  }
}
