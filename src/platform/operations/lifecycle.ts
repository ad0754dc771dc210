// Whether the process is shutting down, and how long it continues to serve. The first signal sets it once.

export class Lifecycle {
  private draining = false;
  private readonly listeners: (() => void)[] = [];
  private endDrain: (() => void) | undefined;

  get isDraining(): boolean {
    return this.draining;
  }

  /**
   * For work without an end, such as streams: `end` runs when draining begins; clients reconnect to another process.
   */
  whenDraining(end: () => void): void {
    this.listeners.push(end);
  }

  /**
   * Starts draining: readiness fails and every response closes its connection; requests are still served. Resolves
   * after the given time, which load balancers need to redirect requests, or at `hurry`.
   */
  async drain(seconds: number): Promise<void> {
    this.draining = true;
    for (const end of this.listeners) end();
    if (seconds === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      this.endDrain = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends the wait at once. */
  hurry(): void {
    this.endDrain?.();
  }
}
