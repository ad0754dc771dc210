// Follows the change stream of the service.
import type { Client } from '@berth/client';

type ChangeEvent = ReturnType<Client['reports']['changes']> extends AsyncGenerator<infer E> ? E : never;
export type ChangeKind = Extract<ChangeEvent, { readonly event: 'change' }>['kinds'][number];

interface Listener {
  readonly connected: (isConnected: boolean) => void;
  readonly changed: (kinds: readonly ChangeKind[]) => void;
  /** Changes were possibly missed: every cached answer can be stale. */
  readonly reset: () => void;
}

/** Ends when the signal aborts or the service ends the stream for good. Never throws. */
export async function followChanges(client: Client, signal: AbortSignal, listener: Listener): Promise<void> {
  try {
    for await (const change of client.reports.changes({ signal })) {
      listener.connected(change.event !== 'lost');
      if (change.event === 'change') listener.changed(change.kinds);
      if (change.event === 'reset') listener.reset();
    }
  } catch {
    // After a lost permission, the next request of a page reports the reason.
  }
  if (!signal.aborted) listener.connected(false);
}
