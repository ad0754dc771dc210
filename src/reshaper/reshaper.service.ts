// Moves inventory between providers while it is in use, with the allocations on it, in one transaction:
//   put the new records beside the old → move the allocations → drop the records that are left over.
import { Injectable } from '@nestjs/common';
import { AllocationWriter } from '../allocations/allocation-writer';
import { checkSizes } from '../allocations/allocations.service';
import { WRITE_LIMITS } from '../config/limits';
import { Database } from '../database/database';
import type { WriteTx } from '../database/sql';
import { InvalidInput, InventoryInUse, ProviderGenerationConflict } from '../errors/domain-errors';
import {
  classNamesOf,
  putInventories,
  removeUnusedRecords,
  storedInventories,
} from '../inventories/inventories.repository';
import type { RecordKey, StoredInventory } from '../inventories/inventories.repository';
import { checkRecords } from '../inventories/inventories.service';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { findNodes, firstStale, raiseReshaped } from '../resource-providers/resource-providers.repository';
import { unknownReshaped } from './reshaper.schema';
import type { Reshape, ReshapedProvider } from './reshaper.commands';

interface ReshapedNode extends ReshapedProvider {
  readonly id: number;
}

@Injectable()
export class ReshaperService {
  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly resourceClasses: ResourceClassesService,
  ) {}

  /**
   * Throws UnknownReshapedProvider, UnknownReference, InvalidInput, ProviderGenerationConflict,
   * ConsumerGenerationConflict, AllocationRefused, InventoryInUse; then nothing has changed.
   */
  async reshape(command: Reshape): Promise<void> {
    checkSizes(command.consumers);
    if (command.providers.length > WRITE_LIMITS.reshapedProviders) {
      throw new InvalidInput(`'inventories' must have at most ${WRITE_LIMITS.reshapedProviders} providers.`);
    }
    const nowMs = Date.now();
    const owners = await this.writer.ensureOwners(command.consumers);
    await this.db.write(async (tx) => {
      const providers = await this.findProviders(tx, command.providers);
      const plan = await this.writer.plan(tx, command.consumers, owners, nowMs);
      // A provider that changed or went meanwhile is found, and named, by the next attempt.
      if (!(await raiseAll(tx, providers, plan.raised, nowMs))) throw this.writer.outdated(plan);
      for (const { uuid, records } of providers) checkRecords(records, uuid, true);
      const classes = await this.resourceClasses.resolve(
        tx,
        providers.flatMap((provider) => [...provider.records.keys()]),
      );
      const before = await storedInventories(
        tx,
        providers.map((provider) => provider.id),
      );
      const writes = providers.flatMap(({ id, records }) =>
        [...records].map(([name, record]) => ({ providerId: id, classId: classes.get(name) ?? -1, record })),
      );
      if (writes.length > 0) await putInventories(tx, writes, nowMs);
      await this.writer.apply(tx, plan, nowMs);
      await dropLeftOver(tx, providers, before, classes);
    });
  }

  /** Read without holding: an early and clear refusal. What holds is the comparison when the rows are raised. */
  private async findProviders(tx: WriteTx, reshaped: readonly ReshapedProvider[]): Promise<readonly ReshapedNode[]> {
    const nodes = await findNodes(
      tx,
      reshaped.map((provider) => provider.uuid),
    );
    const unknown = reshaped.filter((provider) => !nodes.has(provider.uuid)).map((provider) => provider.uuid);
    const found = reshaped.flatMap((provider): ReshapedNode[] => {
      const node = nodes.get(provider.uuid);
      return node === undefined ? [] : [{ ...provider, id: node.id }];
    });
    // Provider by provider: what is wrong with the first is told, whatever is wrong with those behind it.
    const stale = await firstStale(tx, found);
    const wrong = reshaped.find(({ uuid }) => uuid === stale?.uuid || !nodes.has(uuid));
    if (wrong !== undefined && wrong.uuid === stale?.uuid) throw new ProviderGenerationConflict(wrong.uuid);
    if (wrong !== undefined) throw unknownReshaped(unknown);
    for (const { id } of found) tx.changes.tree(id);
    return found;
  }
}

/**
 * Holds and raises all providers of the request, in the order of their ids, comparing those that name a generation;
 * answers whether that was possible for all.
 */
function raiseAll(
  tx: WriteTx,
  providers: readonly ReshapedNode[],
  raised: readonly number[],
  nowMs: number,
): Promise<boolean> {
  const reshaped = new Set(providers.map((provider) => provider.id));
  return raiseReshaped(
    tx,
    providers,
    raised.filter((id) => !reshaped.has(id)),
    nowMs,
  );
}

async function dropLeftOver(
  tx: WriteTx,
  providers: readonly ReshapedNode[],
  before: ReadonlyMap<number, readonly StoredInventory[]>,
  classes: ReadonlyMap<string, number>,
): Promise<void> {
  const gone = providers.flatMap((provider): RecordKey[] => {
    const kept = new Set([...provider.records.keys()].map((name) => classes.get(name)));
    const old = (before.get(provider.id) ?? []).filter(({ classId }) => !kept.has(classId));
    return old.map(({ classId }) => ({ providerId: provider.id, classId }));
  });
  if (gone.length === 0 || (await removeUnusedRecords(tx, gone)) === gone.length) return;
  throw await stillInUse(tx, providers, gone);
}

/** Names the first provider of which records stayed that should have gone. */
async function stillInUse(
  tx: WriteTx,
  providers: readonly ReshapedNode[],
  gone: readonly RecordKey[],
): Promise<InventoryInUse> {
  const left = await storedInventories(
    tx,
    providers.map((provider) => provider.id),
  );
  const isLeft = ({ providerId, classId }: RecordKey): boolean =>
    left.get(providerId)?.some((record) => record.classId === classId) === true;
  const first = gone.find(isLeft);
  const uuid = providers.find((provider) => provider.id === first?.providerId)?.uuid ?? '';
  const classIds = gone.filter((key) => key.providerId === first?.providerId).map((key) => key.classId);
  return new InventoryInUse(await classNamesOf(tx, first?.providerId ?? -1, classIds), uuid);
}
