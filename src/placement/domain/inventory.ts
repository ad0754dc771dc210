// Inventory of one resource class, and the rules for an amount. Search, write path and summaries share this one
// capacity formula (known defect L29).

/** Largest integer the API accepts for counts and amounts (spec 1.9). */
export const MAX_INT = 2_147_483_647;
/** Disk amounts are in GiB; sums are in MiB. */
export const MIB_PER_GIB = 1024;
/** Largest allocation ratio the API accepts: the largest single-precision number. */
export const MAX_ALLOCATION_RATIO = 3.40282e38;

export const RECORD_FIELDS = ['total', 'reserved', 'minUnit', 'maxUnit', 'stepSize', 'allocationRatio'] as const;

/** One inventory record. Counts are integers in units of the resource class; the ratio is a plain factor. */
export type InventoryRecord = Readonly<Record<(typeof RECORD_FIELDS)[number], number>>;

/** Defaults of a record with only `total`. */
export const INVENTORY_DEFAULTS = {
  reserved: 0,
  minUnit: 1,
  maxUnit: MAX_INT,
  stepSize: 1,
  allocationRatio: 1.0,
} as const;

/**
 * Capacity is `(total - reserved) * allocation_ratio` in double precision, truncated toward zero and clamped to ±(2^53
 * - 1). It does not subtract usage.
 */
export function capacityOf(record: Pick<InventoryRecord, 'total' | 'reserved' | 'allocationRatio'>): number {
  // Adding 0 turns -0 into 0.
  const capacity = Math.trunc((record.total - record.reserved) * record.allocationRatio) + 0;
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, capacity));
}

/** True if one allocation of `amount` respects min_unit, max_unit and step_size. */
export function fitsUnits(record: Pick<InventoryRecord, 'minUnit' | 'maxUnit' | 'stepSize'>, amount: number): boolean {
  return amount >= record.minUnit && amount <= record.maxUnit && amount % record.stepSize === 0;
}

/** True if `amount` fits in addition to `used`. */
export function hasRoom(capacity: number, used: number, amount: number): boolean {
  return used + amount <= capacity;
}

/** The same in SQL over the columns of a record; the parameters are the amount. */
export const ROOM_SQL = 'used + ? <= capacity';
export const UNITS_SQL = 'min_unit <= ? AND max_unit >= ?';
export const STEP_SQL = '? % step_size = 0';
