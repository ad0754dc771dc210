// Operations on the traits of a provider. Every change increments the provider's generation in the same transaction.
// Equal generations therefore mean equal traits.
import { Injectable } from '@nestjs/common';
import { Database, StartOver } from '../../platform/database/database';
import { unlessGone } from '../../platform/database/lost-reference';
import type { WriteTx } from '../../platform/database/sql';
import { assert } from '../../platform/values/assert';
import { ProviderGenerationConflict } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { ProviderLink } from '../resource-providers/provider-links.writes';
import { compareAndRaise, raiseGenerations } from '../resource-providers/providers.writes';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import type { Trait } from '../traits/traits.commands';
import { TraitsService } from '../traits/traits.service';
import type { ProviderTraits } from './provider-traits.repository';
import * as repository from './provider-traits.repository';

interface ReplaceTraits {
  readonly provider: Uuid;
  readonly traits: ReadonlySet<string>;
  /** The generation that the client expects. */
  readonly generation: number;
}

/** The traits after and before the change. */
interface ReplacedTraits extends ProviderTraits {
  readonly before: readonly Trait[];
}

interface SetTrait {
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
   * Sets exactly these traits. An unchanged set does not increment the generation. Throws NotFound,
   * ProviderGenerationConflict, UnknownReference, in this order.
   */
  replace(command: ReplaceTraits): Promise<ReplacedTraits> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const before = await repository.findProviderTraits(tx, command.provider);
      if (before === undefined) throw unknownProvider(command.provider);
      if (before.generation !== command.generation) throw new ProviderGenerationConflict(command.provider);
      const requestedTraits = await this.traits.known(tx, [...command.traits]);
      const added = without(requestedTraits, before.traits);
      const removed = without(before.traits, requestedTraits);
      if (added.length + removed.length === 0) return { ...before, before: before.traits };
      // Succeeds only without a concurrent change. The traits read above are then current, and locked from here on.
      if (!(await compareAndRaise(tx, before.providerId, command.generation, nowMs))) {
        throw new ProviderGenerationConflict(command.provider);
      }
      await repository.providerTraits.remove(tx, linksOf(before.providerId, removed));
      await add(tx, linksOf(before.providerId, added));
      tx.changes.tree(before.providerId);
      const { providerId, generation, traits } = before;
      return { providerId, generation: generation + 1, traits: requestedTraits, before: traits };
    });
  }

  /**
   * Adds a trait to the providers or removes it, in the caller's transaction. Does not compare generations; increments
   * those of the changed providers. Skips missing providers. Throws UnknownReference.
   */
  async setTraitIn(tx: WriteTx, command: SetTrait, nowMs: number): Promise<void> {
    const traitId = (await this.traits.resolve(tx, [command.trait])).get(command.trait);
    assert(traitId !== undefined, 'a trait that is resolved has an id');
    const changed = await repository.providersToChange(tx, command.providers, traitId, command.isWanted);
    if (changed.length === 0) return;
    // No provider was locked until here. The next attempt skips the deleted ones.
    if ((await raiseGenerations(tx, changed, nowMs)) < changed.length) {
      throw new StartOver('a provider went before it got or lost a trait');
    }
    const links = changed.map((providerId) => ({ providerId, id: traitId }));
    if (command.isWanted) await repository.providerTraits.add(tx, links);
    else await repository.providerTraits.remove(tx, links);
    for (const id of changed) tx.changes.tree(id);
  }

  /** Removes all traits of the provider; returns those it had. Throws NotFound. */
  clear(provider: Uuid): Promise<ProviderTraits> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const before = await repository.findProviderTraits(tx, provider);
      if (before === undefined) throw unknownProvider(provider);
      if (before.traits.length === 0) return before;
      await raiseGenerations(tx, [before.providerId], nowMs);
      if ((await repository.providerTraits.removeAll(tx, before.providerId)) === 0) {
        // A generation must not be incremented without a change.
        throw new StartOver('the traits vanished before they were removed');
      }
      tx.changes.tree(before.providerId);
      return before;
    });
  }
}

function without(traits: readonly Trait[], others: readonly Trait[]): readonly number[] {
  const excluded = new Set(others.map((trait) => trait.id));
  return traits.map((trait) => trait.id).filter((id) => !excluded.has(id));
}

const linksOf = (providerId: number, traitIds: readonly number[]): readonly ProviderLink[] =>
  traitIds.map((id) => ({ providerId, id }));

const add = (tx: WriteTx, links: readonly ProviderLink[]): Promise<void> =>
  unlessGone(
    tx,
    () => new StartOver('a trait vanished before the provider got it'),
    () => repository.providerTraits.add(tx, links),
  );
