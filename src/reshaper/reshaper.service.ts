// Moves inventory between providers while it is in use, with the allocations on it, in one transaction:
//   put the new records beside the old → move the allocations → drop the records that are left over.
import { Injectable } from '@nestjs/common';
import { AllocationsService, checkSizes } from '../allocations/allocations.service';
import { WRITE_LIMITS } from '../config/limits';
import { Database } from '../database/database';
import type { WriteTx } from '../database/sql';
import { InvalidInput, ProviderGenerationConflict } from '../domain/errors';
import { InventoriesService } from '../inventories/inventories.service';
import { findNodes, raiseReshaped } from '../resource-providers/providers.writes';
import { unknownReshaped } from './reshaper.schema';
import type { Reshape, ReshapedProvider } from './reshaper.commands';

interface ReshapedNode extends ReshapedProvider {
  readonly id: number;
}

@Injectable()
export class ReshaperService {
  constructor(
    private readonly db: Database,
    private readonly allocations: AllocationsService,
    private readonly inventories: InventoriesService,
  ) {}

  /**
   * Throws UnknownReshapedProvider, UnknownReference, InvalidInput, ProviderGenerationConflict,
   * ConsumerGenerationConflict, AllocationRefused, InventoryInUse; then nothing has changed.
   */
  async reshape({ providers, consumers: writes }: Reshape): Promise<void> {
    checkSizes(writes);
    if (providers.length > WRITE_LIMITS.reshapedProviders) {
      throw new InvalidInput(`'inventories' must have at most ${WRITE_LIMITS.reshapedProviders} providers.`);
    }
    const nowMs = Date.now();
    const owners = await this.allocations.ensureOwners(writes);
    await this.db.write(async (tx) => {
      const nodes = await currentNodes(tx, providers);
      const inventories = this.inventories.replacementIn(tx, nodes);
      await this.allocations.replaceIn(tx, { writes, owners }, nowMs, async (raised) => {
        // A provider that changed or went meanwhile is found, and named, by the next attempt.
        if (!(await raiseReshaped(tx, nodes, raised, nowMs))) return false;
        await inventories.putBeside(nowMs);
        return true;
      });
      await inventories.dropLeftOver();
    });
  }
}

/** Read without holding: an early and clear refusal. What holds is the comparison when the rows are raised. */
async function currentNodes(tx: WriteTx, reshaped: readonly ReshapedProvider[]): Promise<readonly ReshapedNode[]> {
  const nodes = await findNodes(
    tx,
    reshaped.map(({ uuid }) => uuid),
  );
  // Provider by provider: what is wrong with the first is told, whatever is wrong with those behind it.
  const wrong = reshaped.find(({ uuid, generation }) => nodes.get(uuid)?.generation !== generation);
  if (wrong !== undefined && nodes.has(wrong.uuid)) throw new ProviderGenerationConflict(wrong.uuid);
  if (wrong !== undefined) throw unknownReshaped(reshaped.flatMap(({ uuid }) => (nodes.has(uuid) ? [] : uuid)));
  const found = reshaped.map((provider) => ({ ...provider, id: nodes.get(provider.uuid)?.id ?? -1 }));
  for (const { id } of found) tx.changes.tree(id);
  return found;
}
