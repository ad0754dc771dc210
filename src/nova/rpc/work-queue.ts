interface WorkLimits {
  readonly working: number;
  readonly waiting: number;
  /** Of the messages of waiting tasks. */
  readonly waitingBytes: number;
}

interface Waiting {
  readonly task: () => Promise<void>;
  readonly bytes: number;
}

/** Runs tasks in their order, with bounds of those in work and of those that wait. */
export class WorkQueue {
  private readonly waiting: Waiting[] = [];
  private waitingBytes = 0;
  private working = 0;

  constructor(private readonly limits: WorkLimits) {}

  /** False: the queue is full, and the task does not run. A task must not reject. */
  add(task: () => Promise<void>, bytes: number): boolean {
    const { working, waiting, waitingBytes } = this.limits;
    const mustWait = this.working >= working;
    if (mustWait && (this.waiting.length >= waiting || this.waitingBytes + bytes > waitingBytes)) return false;
    this.waiting.push({ task, bytes });
    this.waitingBytes += bytes;
    this.startNext();
    return true;
  }

  get length(): number {
    return this.waiting.length + this.working;
  }

  private startNext(): void {
    const next = this.working < this.limits.working ? this.waiting.shift() : undefined;
    if (next === undefined) return;
    this.waitingBytes -= next.bytes;
    this.working += 1;
    void next.task().finally(() => {
      this.working -= 1;
      this.startNext();
    });
  }
}
