/** The newest identifiers, to find messages that a broker delivers again. Bounded by count and by age. */
export class RecentIds {
  private readonly addedAt = new Map<string, number>();

  constructor(
    private readonly countMax: number,
    private readonly ageMaxMs: number,
  ) {}

  /** Adds the identifier; false if it was there already. */
  add(id: string, nowMs: number): boolean {
    if (this.has(id, nowMs)) return false;
    const [oldest] = this.addedAt.keys();
    if (oldest !== undefined && this.addedAt.size >= this.countMax) this.addedAt.delete(oldest);
    this.addedAt.set(id, nowMs);
    return true;
  }

  has(id: string, nowMs: number): boolean {
    // The map is in the order of insertion.
    for (const [old, addedAt] of this.addedAt) {
      if (nowMs - addedAt < this.ageMaxMs) break;
      this.addedAt.delete(old);
    }
    return this.addedAt.has(id);
  }
}
