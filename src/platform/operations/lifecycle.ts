// Whether the process is on its way out, and how long it goes on serving although it is. Set once, by the first signal.

export class Lifecycle {
  private draining = false;
  private readonly listeners: (() => void)[] = [];
  private endDrain: (() => void) | undefined;

  get isDraining(): boolean {
    return this.draining;
  }

  /** For what never ends by itself: it ends when the process begins to leave, and is begun anew elsewhere. */
  whenDraining(end: () => void): void {
    this.listeners.push(end);
  }

  /**
   * From here on probes hear that the process is leaving, and every answer closes its connection; all else is served as
   * before. Ends when balancers had so long to send their requests elsewhere, or when somebody is in a hurry.
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
