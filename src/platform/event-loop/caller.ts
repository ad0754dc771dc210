// The caller of a request: the client to charge for its work, and whether it is still connected.
import type { Client } from './client';

export interface Caller {
  /** The client disconnected; its work stops. */
  readonly isGone: boolean;
  /** The client that is charged; undefined if no client is charged. */
  readonly client?: Client | undefined;
}

/** The caller disconnected, so its work was stopped. There is no client to send a response to. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('the client hung up before its answer was ready');
  }
}

/** Throws CallerGone. */
export function stopIfGone(caller: Caller | undefined): void {
  if (caller?.isGone === true) throw new CallerGone();
}
