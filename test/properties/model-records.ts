// Inventory records of the model: their defaults and capacity.
import type { RecordAsked } from '../support/random-requests';

const MAX_INT = 2_147_483_647;

export interface ModelRecord {
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
}

export const toRecord = (asked: RecordAsked): ModelRecord => ({
  total: asked.total,
  reserved: asked.reserved ?? 0,
  min_unit: asked.min_unit ?? 1,
  max_unit: asked.max_unit ?? MAX_INT,
  step_size: asked.step_size ?? 1,
  allocation_ratio: asked.allocation_ratio ?? 1,
});

export const capacityOf = (record: ModelRecord): number =>
  Math.trunc((record.total - record.reserved) * record.allocation_ratio) + 0;

export const isSane = (asked: RecordAsked, minor: number): boolean => {
  const capacity = capacityOf(toRecord(asked));
  return minor >= 26 ? capacity >= 0 : capacity > 0;
};
