// Events as lines of `text/event-stream`. The id of an event is the log position after it.
import type { ChangeKind } from './changed-kinds';

export interface ReportedChange {
  readonly at: string;
  /** Root providers. */
  readonly hosts: readonly string[];
  /** True if there are more, or some whose names are no longer known. */
  readonly hosts_truncated: boolean;
  readonly kinds: readonly ChangeKind[];
}

const eventOf = (name: string, position: string, data: object): Buffer =>
  Buffer.from(`event: ${name}\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`);

export const startEvent = (position: string, at: string): Buffer => eventOf('hello', position, { position, at });
export const changeEvent = (position: string, change: ReportedChange): Buffer => eventOf('change', position, change);
/** The client must read everything again. */
export const resetEvent = (position: string, why: string): Buffer => eventOf('reset', position, { position, why });
/** The regular end of a stream. */
export const endEvent = (position: string, why: string): Buffer => eventOf('bye', position, { position, why });
/** A heartbeat. It advances the position, so that an idle client does not fall behind the trimmed log. */
export const heartbeat = (position: string): Buffer => Buffer.from(`: beat\nid: ${position}\n\n`);
