// Something large that can be worked out anew: it stays for whoever asks again soon, and goes when nobody does.

export class KeptWhileUsed<T> {
  private value: T | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly idleMs: number) {}

  get(): T | undefined {
    this.timer?.refresh();
    return this.value;
  }

  set(value: T): void {
    this.value = value;
    // It must not keep a process alive that has nothing else to do.
    this.timer ??= setTimeout(() => (this.value = undefined), this.idleMs).unref();
    this.timer.refresh();
  }
}
