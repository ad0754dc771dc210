// The stream of changes, followed for as long as somebody listens.
import type { Client } from '@berth/client';

type ChangeEvent = ReturnType<Client['reports']['changes']> extends AsyncGenerator<infer E> ? E : never;
export type ChangeKind = Extract<ChangeEvent, { readonly event: 'change' }>['kinds'][number];

interface Listener {
  readonly connected: (isConnected: boolean) => void;
  readonly changed: (kinds: readonly ChangeKind[]) => void;
  /** What happened meanwhile cannot be told: everything may be old. */
  readonly reset: () => void;
}

/** Ends when the signal says so, or the service lets nobody listen any more. Throws nothing. */
export async function followChanges(client: Client, signal: AbortSignal, listener: Listener): Promise<void> {
  try {
    for await (const told of client.reports.changes({ signal })) {
      listener.connected(told.event !== 'lost');
      if (told.event === 'change') listener.changed(told.kinds);
      if (told.event === 'reset') listener.reset();
    }
  } catch {
    // Whoever is not let in any more learns why from the next question that a page asks.
  }
  if (!signal.aborted) listener.connected(false);
}
