// What claims in this process's own Placement and in one elsewhere have in common: batches, and the records of placements.
import type { InstanceRecord, PlacedInstance } from '../../compute/instances/instance.entity';
import type { InstancesService } from '../../compute/instances/instances.service';
import type { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type {
  AlternatesOffer,
  ClaimBatch,
  ClaimRefusal,
  ClaimRequest,
  Claims,
  Conclusion,
  ConsumerStore,
  HeldInstance,
} from '../ports';
import type { ClaimBatches } from './claim-batches';

export abstract class BatchedClaims implements Claims {
  constructor(
    protected readonly db: Database,
    protected readonly consumers: ConsumerStore,
    protected readonly instances: InstancesService,
    protected readonly batches: ClaimBatches,
  ) {}

  abstract claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal>;

  async held(instanceUuid: string): Promise<HeldInstance | undefined> {
    // The generation check covers everything that is read after this.
    const stored = await this.consumers.find(instanceUuid);
    if (stored === undefined) return undefined;
    const { generation, allocations } = stored;
    const found = await this.db.read((sql) => this.instances.find(sql, [instanceUuid]));
    const record = found.get(instanceUuid);
    const isThere = record !== undefined && (await this.isThere(record));
    return { generation, allocations, placed: isThere ? { host: record.host, isMoving: isMoving(record) } : null };
  }

  /** False if a client of the Placement API moved the allocations to another host since the record was written. */
  private async isThere(record: InstanceRecord): Promise<boolean> {
    if (isMoving(record)) return true;
    const roots = (await this.consumers.rootsOf([record.uuid])).get(record.uuid) ?? [];
    return roots.some(({ uuid }) => uuid === record.hostUuid);
  }

  open(batch: ClaimBatch): Promise<void> {
    return this.batches.open(batch);
  }

  /** Releases everything with the batch's mark, including claims whose response was lost. */
  release(batch: ClaimBatch): Promise<void> {
    return this.batches.undo(batch);
  }

  async finish(offers: readonly AlternatesOffer[], batch: ClaimBatch, conclude?: Conclusion): Promise<void> {
    if (!batch.isOpen && offers.length === 0) return;
    await this.db.write(async (tx) => {
      await this.batches.closeIn(tx, batch);
      await this.closedIn(tx, batch);
      await this.instances.rememberAlternatesIn(tx, offers);
      await conclude?.(tx);
    });
    this.batches.forget(batch);
  }

  protected async closedIn(_tx: WriteTx, _batch: ClaimBatch): Promise<void> {}
}

const isMoving = ({ state }: InstanceRecord): boolean => state === 'moving';

/** The placement record of a claim. */
export function placedInstanceOf(request: ClaimRequest, batchUuid: ClaimBatch['uuid'] | null = null): PlacedInstance {
  const { record, placement, group, host } = request;
  return {
    host: host.host,
    node: host.node,
    hostUuid: host.uuid,
    cell: host.cell,
    uuid: request.consumerUuid,
    name: record.name,
    projectId: request.projectId,
    userId: request.userId,
    flavor: record.flavor,
    flavorId: record.flavorId,
    image: record.image,
    imageUuid: record.imageUuid,
    groupUuid: group?.uuid ?? null,
    requestId: record.requestId,
    isBfv: record.isBfv,
    numaTopology: placement?.numa ?? null,
    pciRequests: placement?.pci ?? null,
    state: request.replaces?.state ?? 'placed',
    attempts: record.attempts,
    alternates: request.alternates,
    tried: record.tried,
    request: record.request,
    batchUuid,
  };
}
