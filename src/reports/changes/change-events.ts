// Events as they travel: the lines of `text/event-stream`. Each has the position behind it as its id.
import type { ChangeKind } from './changed-kinds';

export interface ReportedChange {
  readonly at: string;
  /** Root providers. */
  readonly hosts: readonly string[];
  /** There are more, or some that nobody can name any more. */
  readonly hosts_truncated: boolean;
  readonly kinds: readonly ChangeKind[];
}

const eventOf = (name: string, position: string, data: object): Buffer =>
  Buffer.from(`event: ${name}\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`);

export const startEvent = (position: string, at: string): Buffer => eventOf('hello', position, { position, at });
export const changeEvent = (position: string, change: ReportedChange): Buffer => eventOf('change', position, change);
/** Everything has to be read again. */
export const resetEvent = (position: string, why: string): Buffer => eventOf('reset', position, { position, why });
/** The stream ends here, in order. */
export const endEvent = (position: string, why: string): Buffer => eventOf('bye', position, { position, why });
/** A sign of life. It moves the position on, so that a client does not fall behind the log while nothing happens. */
export const heartbeat = (position: string): Buffer => Buffer.from(`: beat\nid: ${position}\n\n`);
