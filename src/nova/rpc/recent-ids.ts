/** The newest identifiers, to find messages that a broker delivers again. Bounded by count and by age. */
export class RecentIds {
  private readonly addedAt = new Map<string, number>();

  constructor(
    private readonly countMax: number,
    private readonly ageMaxMs: number,
  ) {}

  /** Adds the identifier; false if it was there already. */
  add(id: string, nowMs: number): boolean {
    this.removeOld(nowMs);
    if (this.addedAt.has(id)) return false;
    this.addedAt.set(id, nowMs);
    return true;
  }

  has(id: string, nowMs: number): boolean {
    this.removeOld(nowMs);
    return this.addedAt.has(id);
  }

  private removeOld(nowMs: number): void {
    // The map is in the order of insertion.
    for (const [id, addedAt] of this.addedAt) {
      if (this.addedAt.size < this.countMax && nowMs - addedAt < this.ageMaxMs) return;
      this.addedAt.delete(id);
    }
  }
}
