// Which hosts changed, in order, for readers that keep what they worked out about hosts.

/** More changes than these are as if all hosts had changed. */
const CHANGES_KEPT = 50_000;

export class ChangedHosts {
  /** The position of the first kept change. */
  private first = 0;
  private uuids: string[] = [];

  /** The position after the last change. */
  get position(): number {
    return this.first + this.uuids.length;
  }

  /** The root provider with this uuid, its tree, its service or its report. */
  changed(uuid: string): void {
    if (this.uuids.length === CHANGES_KEPT) this.changedAll();
    this.uuids.push(uuid);
  }

  changedAll(): void {
    this.first = this.position + 1;
    this.uuids = [];
  }

  /** Null: any host can have changed. */
  since(position: number): ReadonlySet<string> | null {
    return position < this.first ? null : new Set(this.uuids.slice(position - this.first));
  }
}
