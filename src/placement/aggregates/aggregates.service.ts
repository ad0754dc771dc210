// Operations on the aggregates of a provider. Naming an aggregate creates it.
import { Injectable } from '@nestjs/common';
import { Database, StartOver } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { assert } from '../../platform/values/assert';
import { ProviderGenerationConflict } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { ProviderLink } from '../resource-providers/provider-links.writes';
import { compareAndRaise, findNodes, holdProviders, raiseGenerations } from '../resource-providers/providers.writes';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import type { AskedAssociation, ProviderAggregates } from './aggregates.repository';
import * as repository from './aggregates.repository';

export interface ReplaceAggregates {
  readonly provider: Uuid;
  /** Without duplicates. The result has the same order. */
  readonly aggregates: readonly Uuid[];
  /** Unchecked: the generation is neither compared nor incremented. */
  readonly generation: { readonly kind: 'unchecked' } | { readonly kind: 'expected'; readonly value: number };
}

export interface ReplacedAggregates {
  readonly aggregates: readonly Uuid[];
  /** The aggregates before the change, in no particular order. */
  readonly before: readonly Uuid[];
  /** The new generation; undefined if it was not checked. */
  readonly generation: number | undefined;
}

@Injectable()
export class AggregatesService {
  constructor(private readonly db: Database) {}

  /** Throws NotFound. */
  async get(provider: Uuid): Promise<ProviderAggregates> {
    const found = await this.db.read((sql) => repository.findProviderAggregates(sql, provider));
    if (found === undefined) throw unknownProvider(provider);
    return found;
  }

  /**
   * Sets exactly these aggregates. A checked generation is incremented even if the set does not change. Throws
   * NotFound, ProviderGenerationConflict.
   */
  replace({ provider, aggregates, generation }: ReplaceAggregates): Promise<ReplacedAggregates> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const node = (await findNodes(tx, [provider])).get(provider);
      if (node === undefined) throw unknownProvider(provider);
      if (generation.kind === 'unchecked') {
        if ((await holdProviders(tx, [node.id])) === 0) throw unknownProvider(provider);
      } else if (!(await compareAndRaise(tx, node.id, generation.value, nowMs))) {
        throw new ProviderGenerationConflict(provider);
      }
      const before = await repository.aggregatesOf(tx, node.id);
      if (await change(tx, node.id, before, aggregates, nowMs)) tx.changes.tree(node.id);
      return {
        aggregates,
        before: [...before.keys()],
        generation: generation.kind === 'expected' ? generation.value + 1 : undefined,
      };
    });
  }

  /**
   * Adds providers to aggregates or removes them, in the caller's transaction. Does not compare generations; increments
   * those of the changed providers. Skips missing providers. All changes share their statements.
   */
  async changeMembersIn(tx: WriteTx, changes: readonly ChangeMembers[], nowMs: number): Promise<void> {
    const associations = await repository.associationsOf(tx, changes);
    const added = associations.filter((each) => each.isWanted && !each.isThere);
    const removed = associations.filter((each) => !each.isWanted && each.isThere);
    const moved = [...new Set([...added, ...removed].map((each) => each.providerId))];
    if (moved.length === 0) return;
    // No provider was locked until here. The next attempt skips the deleted ones.
    if ((await raiseGenerations(tx, moved, nowMs)) < moved.length) {
      throw new StartOver('a provider was deleted while its aggregates changed');
    }
    const named = [...new Set(added.map((each) => each.aggregate))];
    await repository.ensureAggregates(tx, named, nowMs);
    const ids = await repository.findAggregateIds(tx, [
      ...new Set([...added, ...removed].map((each) => each.aggregate)),
    ]);
    await repository.providerAggregates.add(tx, withIds(added, ids));
    await repository.providerAggregates.remove(tx, withIds(removed, ids));
    for (const id of moved) tx.changes.tree(id);
  }
}

/** The providers to add to an aggregate and to remove from it. */
interface ChangeMembers {
  readonly aggregate: Uuid;
  readonly add: readonly Uuid[];
  readonly remove: readonly Uuid[];
}

/** Returns whether the membership changed. The caller holds the provider's row. */
async function change(
  tx: WriteTx,
  providerId: number,
  before: ReadonlyMap<Uuid, number>,
  requestedAggregates: readonly Uuid[],
  nowMs: number,
): Promise<boolean> {
  const kept = new Set(requestedAggregates);
  const removed = [...before].filter(([uuid]) => !kept.has(uuid)).map(([, id]) => id);
  const added = requestedAggregates.filter((uuid) => !before.has(uuid));
  if (added.length + removed.length === 0) return false;
  const addedIds = await repository.ensureAggregates(tx, added, nowMs);
  assert(addedIds.length === added.length, 'an aggregate exists once it was named');
  const linkOf = (id: number): ProviderLink => ({ providerId, id });
  await repository.providerAggregates.remove(tx, removed.map(linkOf));
  await repository.providerAggregates.add(tx, addedIds.map(linkOf));
  return true;
}

function withIds(associations: readonly AskedAssociation[], ids: ReadonlyMap<Uuid, number>): readonly ProviderLink[] {
  return associations.map(({ providerId, aggregate }) => {
    const id = ids.get(aggregate);
    assert(id !== undefined, 'an aggregate exists once it was named');
    return { providerId, id };
  });
}
