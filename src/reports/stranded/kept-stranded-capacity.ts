// What capacity is told of stranded amounts: the newest finding, summed for whichever hosts are asked for.
import { Injectable } from '@nestjs/common';
import { StrandedCapacity } from '../capacity/stranded-capacity';
import type { StrandedFinding } from '../capacity/stranded-capacity';
import { FindingsLedger } from './findings-ledger';
import { strandedOf } from './stranded-sums';

@Injectable()
export class KeptStrandedCapacity extends StrandedCapacity {
  constructor(private readonly ledger: FindingsLedger) {
    super();
  }

  override async newest(flavors: readonly string[]): Promise<StrandedFinding> {
    const { state, finding } = await this.ledger.newest(flavors);
    return {
      state,
      atMs: finding?.atMs ?? null,
      flavors: finding?.flavors.length ?? 0,
      of: (rootIds) => (finding === null ? undefined : strandedOf(finding.cloud.hosts, rootIds)),
    };
  }
}
