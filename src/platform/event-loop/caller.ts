// The caller of a request: whose share its work is charged to, and whether anybody still reads the answer.
import type { Client } from './client';

export interface Caller {
  /** The client hung up: nobody reads the result, so work for it ends. */
  readonly isGone: boolean;
  /** Whom the work is charged to; undefined where nobody has a share in it. */
  readonly client?: Client | undefined;
}

/** The caller hung up, and the work for it ended unfinished. Nobody is there to be told. */
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
