// What capacity is told of stranded amounts: the newest finding, by host, to be summed for whichever hosts belong together.
import { Injectable } from '@nestjs/common';
import { StrandedCapacity } from '../capacity/stranded-capacity';
import type { StrandedFinding, StrandedTally } from '../capacity/stranded-capacity';
import { FindingsLedger } from './findings-ledger';
import { StrandedSums } from './stranded-sums';

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
      on: (rootId) => finding?.cloud.hosts.get(rootId),
    };
  }

  override tally(): StrandedTally {
    return new StrandedSums();
  }
}
