/** Runs tasks in their order, at most `workingMax` at a time, and keeps at most `waitingMax` waiting. */
export class WorkQueue {
  private readonly waiting: (() => Promise<void>)[] = [];
  private working = 0;

  constructor(
    private readonly workingMax: number,
    private readonly waitingMax: number,
  ) {}

  /** False: the queue is full, and the task does not run. A task must not reject. */
  add(task: () => Promise<void>): boolean {
    if (this.waiting.length >= this.waitingMax) return false;
    this.waiting.push(task);
    this.startNext();
    return true;
  }

  get length(): number {
    return this.waiting.length + this.working;
  }

  private startNext(): void {
    const task = this.working < this.workingMax ? this.waiting.shift() : undefined;
    if (task === undefined) return;
    this.working += 1;
    void task().finally(() => {
      this.working -= 1;
      this.startNext();
    });
  }
}
