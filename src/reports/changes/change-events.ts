// Serializes events as lines of `text/event-stream`. The id of an event is the log position after it.
import type { ChangeKind } from './changed-kinds';

export interface ReportedChange {
  readonly at: string;
  /** Root providers. */
  readonly hosts: readonly string[];
  /** The list is incomplete: more hosts changed, or some of them no longer exist. */
  readonly hosts_truncated: boolean;
  readonly kinds: readonly ChangeKind[];
}

const eventOf = (name: string, position: string, data: object): Buffer =>
  Buffer.from(`event: ${name}\nid: ${position}\ndata: ${JSON.stringify(data)}\n\n`);

export const startEvent = (position: string, at: string): Buffer => eventOf('hello', position, { position, at });
export const changeEvent = (position: string, change: ReportedChange): Buffer => eventOf('change', position, change);
/** The client must read everything again. */
export const resetEvent = (position: string, why: string): Buffer => eventOf('reset', position, { position, why });
/** The service closes the stream. */
export const endEvent = (position: string, why: string): Buffer => eventOf('bye', position, { position, why });
/** Keeps the connection alive and advances the position, so that it does not expire while nothing changes. */
export const heartbeat = (position: string): Buffer => Buffer.from(`: beat\nid: ${position}\n\n`);
