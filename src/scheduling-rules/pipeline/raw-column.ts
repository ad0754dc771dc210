// One number for each host; most weighers give all hosts the same one.

/** Values by position. */
export class RawColumn {
  /** NaN at all positions without a value. */
  private same = Number.NaN;
  private isEmpty = true;
  private different: Float64Array | null = null;

  /** Null: `alike` is the value of all. */
  get values(): Float64Array | null {
    return this.different;
  }

  get alike(): number {
    return this.same;
  }

  get(at: number): number {
    return this.different === null ? this.same : (this.different[at] as number);
  }

  /** `size`: of all positions. */
  set(at: number, value: number, size: number): void {
    if (this.isEmpty) {
      this.isEmpty = false;
      this.same = value;
    }
    if (this.different === null) {
      if (Object.is(value, this.same)) return;
      this.different = new Float64Array(size).fill(this.same);
    } else if (this.different.length < size) {
      const larger = new Float64Array(size).fill(this.same);
      larger.set(this.different);
      this.different = larger;
    }
    this.different[at] = value;
  }

  copy(): RawColumn {
    const copy = new RawColumn();
    copy.same = this.same;
    copy.isEmpty = this.isEmpty;
    copy.different = this.different?.slice() ?? null;
    return copy;
  }
}
