// What can be done to the aggregates of a provider. Aggregates themselves need no care: naming one creates it.
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { WriteTx } from '../database/sql';
import { assert } from '../domain/assert';
import type { Uuid } from '../domain/uuid';
import { ProviderGenerationConflict } from '../errors/domain-errors';
import {
  compareAndRaise,
  findNodes,
  holdProviders,
  raiseGenerations,
} from '../resource-providers/resource-providers.repository';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import * as repository from './aggregates.repository';
import type { AskedAssociation, Association, ProviderAggregates } from './aggregates.repository';

export interface ReplaceAggregates {
  readonly provider: Uuid;
  /** Each once; the answer keeps their order. */
  readonly aggregates: readonly Uuid[];
  /** Unchecked: the generation is neither compared nor raised. */
  readonly generation: { readonly kind: 'unchecked' } | { readonly kind: 'expected'; readonly value: number };
}

export interface ReplacedAggregates {
  readonly aggregates: readonly Uuid[];
  /** The new one; undefined where it was not looked at. */
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
   * The provider is in exactly these aggregates afterwards. An expected generation is raised even when they were the
   * same before. Throws NotFound, ProviderGenerationConflict.
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
      if (await change(tx, node.id, aggregates, nowMs)) tx.changes.tree(node.id);
      return { aggregates, generation: generation.kind === 'expected' ? generation.value + 1 : undefined };
    });
  }

  /**
   * Providers join or leave aggregates, in the caller's transaction, whatever their generations, which rise where
   * something changes. Providers that do not exist are left out. The number of statements does not depend on theirs.
   */
  async changeMembersIn(tx: WriteTx, changes: readonly ChangeMembers[], nowMs: number): Promise<void> {
    const asked = await repository.associationsOf(tx, changes);
    const added = asked.filter((each) => each.isWanted && !each.isThere);
    const removed = asked.filter((each) => !each.isWanted && each.isThere);
    const moved = [...new Set([...added, ...removed].map((each) => each.providerId))];
    if (moved.length === 0) return;
    // A provider that went meanwhile has no aggregates to change any more.
    await raiseGenerations(tx, moved, nowMs);
    const named = [...new Set(added.map((each) => each.aggregate))];
    await repository.ensureAggregates(tx, named, nowMs);
    const ids = await repository.findIds(tx, [...new Set([...added, ...removed].map((each) => each.aggregate))]);
    await repository.putAssociations(tx, withIds(added, ids));
    await repository.dropAssociations(tx, withIds(removed, ids));
    for (const id of moved) tx.changes.tree(id);
  }
}

/** Who comes to one aggregate and who leaves it. */
export interface ChangeMembers {
  readonly aggregate: Uuid;
  readonly add: readonly Uuid[];
  readonly remove: readonly Uuid[];
}

/** Answers whether anything changed. The provider's row is held. */
async function change(tx: WriteTx, providerId: number, wanted: readonly Uuid[], nowMs: number): Promise<boolean> {
  const before = await repository.aggregatesOf(tx, providerId);
  const kept = new Set(wanted);
  const removed = [...before].filter(([uuid]) => !kept.has(uuid)).map(([, id]) => id);
  const added = wanted.filter((uuid) => !before.has(uuid));
  if (added.length + removed.length === 0) return false;
  const addedIds = await repository.ensureAggregates(tx, added, nowMs);
  assert(addedIds.length === added.length, 'an aggregate exists once it was named');
  await repository.removeAssociations(tx, providerId, removed);
  await repository.addAssociations(tx, providerId, addedIds);
  return true;
}

function withIds(asked: readonly AskedAssociation[], ids: ReadonlyMap<Uuid, number>): readonly Association[] {
  return asked.map(({ providerId, aggregate }) => {
    const aggregateId = ids.get(aggregate);
    assert(aggregateId !== undefined, 'an aggregate exists once it was named');
    return { providerId, aggregateId };
  });
}
