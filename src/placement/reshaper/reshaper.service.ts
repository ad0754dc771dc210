// Moves inventory and its allocations between providers while they are in use, in one transaction: add the new records
// to the old ones → move the allocations → delete the remaining old records.
import { Injectable } from '@nestjs/common';
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { InvalidInput, ProviderGenerationConflict } from '../../platform/values/errors';
import { AllocationsService, checkSizes } from '../allocations/allocations.service';
import { InventoriesService } from '../inventories/inventories.service';
import { findNodes, raiseReshaped } from '../resource-providers/providers.writes';
import type { Reshape, ReshapedProvider } from './reshaper.commands';
import { unknownReshaped } from './reshaper.schema';

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
   * ConsumerGenerationConflict, AllocationRefused, InventoryInUse, all of them without any change.
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
        // If a provider was changed or deleted in the meantime, the next attempt finds and reports it.
        if (!(await raiseReshaped(tx, nodes, raised, nowMs))) return false;
        await inventories.putNamed(nowMs);
        return true;
      });
      await inventories.dropLeftOver();
    });
  }
}

/** Reads without a lock, for an early and clear error. The comparison in `raiseReshaped` is authoritative. */
async function currentNodes(tx: WriteTx, reshaped: readonly ReshapedProvider[]): Promise<readonly ReshapedNode[]> {
  const nodes = await findNodes(
    tx,
    reshaped.map(({ uuid }) => uuid),
  );
  // Checks the providers in order: the error is about the first invalid one.
  const wrong = reshaped.find(({ uuid, generation }) => nodes.get(uuid)?.generation !== generation);
  if (wrong !== undefined && nodes.has(wrong.uuid)) throw new ProviderGenerationConflict(wrong.uuid);
  if (wrong !== undefined) throw unknownReshaped(reshaped.flatMap(({ uuid }) => (nodes.has(uuid) ? [] : uuid)));
  const found = reshaped.map((provider) => ({ ...provider, id: nodes.get(provider.uuid)?.id ?? -1 }));
  for (const { id } of found) tx.changes.tree(id);
  return found;
}
