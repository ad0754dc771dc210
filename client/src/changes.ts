// Follows changes in the cloud: when a stream ends, the next one continues from its last position. Runs wherever fetch
// does.
import type { Calls } from './calls.ts';
import { ClientError, Refusal, Unanswered } from './errors.ts';
import type { ServerSentEvent } from './event-stream.ts';
import { eventsOf } from './event-stream.ts';
import { CLIENT_LIMITS } from './limits.ts';
import { sleep } from './waiting.ts';

export type ChangeKind = 'usage' | 'inventory' | 'provider' | 'host' | 'registry';

/** Stream position after this event; a later stream can continue from it at any replica. */
interface Positioned {
  readonly position: string;
}

export type ChangeEvent =
  /** A stream is open. */
  | (Positioned & { readonly event: 'hello'; readonly at: string })
  /** Root providers, hosts or registries have changed. */
  | (Positioned & {
      readonly event: 'change';
      readonly at: string;
      readonly hosts: readonly string[];
      /** More hosts have changed than are listed. */
      readonly hosts_truncated: boolean;
      readonly kinds: readonly ChangeKind[];
    })
  /** The service cannot list the changes: read all data again. */
  | (Positioned & { readonly event: 'reset'; readonly why: string })
  /** The stream broke and is retried after a pause; until then displayed data can be stale. */
  | (Partial<Positioned> & { readonly event: 'lost'; readonly error: Error; readonly retryInMs: number });

export interface ChangesOptions {
  /** Position of an earlier event; without one the stream begins now. */
  readonly position?: string | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

const ROUTE = '/reports/changes';

/**
 * Runs until the signal aborts, or until the service refuses with an error that a retry cannot fix: an invalid
 * position, an invalid token or a missing permission. Throws that refusal; returns normally after an abort.
 */
export const streamChanges = (calls: Calls) =>
  async function* ({ signal, position }: ChangesOptions = {}): AsyncGenerator<ChangeEvent, void> {
    for (let failures = 0; !isAborted(signal);) {
      try {
        for await (const event of oneStream(calls, position, signal)) {
          failures = 0;
          position = event.id === '' ? position : event.id;
          const change = withReasons(event, position ?? '');
          if (change !== undefined) yield change;
        }
        // The stream ended regularly. The random pause spreads the reconnections of many clients.
        await sleep(CLIENT_LIMITS.pauseMs * (1 + Math.random()), signal);
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ClientError) || !mayPass(error)) throw error;
        const retryInMs = pauseAfter((failures += 1), error);
        yield { event: 'lost', error, retryInMs, ...(position !== undefined && { position }) };
        await sleep(retryInMs, signal).catch(() => undefined);
      }
    }
  };

async function* oneStream(
  calls: Calls,
  position: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerSentEvent> {
  const idle = new AbortController();
  const ends = signal === undefined ? idle.signal : AbortSignal.any([signal, idle.signal]);
  const abortIdle = (): void => idle.abort(new Unanswered(`${ROUTE} fell silent`));
  let timer = setTimeout(abortIdle, CLIENT_LIMITS.silenceMs);
  const received = (): void => {
    clearTimeout(timer);
    timer = setTimeout(abortIdle, CLIENT_LIMITS.silenceMs);
  };
  try {
    const query = position === undefined ? {} : { position };
    const body = await calls.open(ROUTE, query, { accept: 'text/event-stream', signal: ends });
    yield* eventsOf(body, { eventCharacters: CLIENT_LIMITS.eventCharacters, received });
  } catch (error) {
    if (isAborted(signal) || error instanceof ClientError) throw error;
    throw new Unanswered(`${ROUTE} broke off: ${String(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined for events that concern only the stream itself. */
function withReasons({ event, data }: ServerSentEvent, position: string): ChangeEvent | undefined {
  if (event !== 'hello' && event !== 'change' && event !== 'reset') return undefined;
  return { ...(JSON.parse(data) as object), event, position } as ChangeEvent;
}

const mayPass = (error: ClientError): boolean =>
  !(error instanceof Refusal) || error.status === 429 || error.status >= 500;

function pauseAfter(failures: number, error: ClientError): number {
  const longest = Math.min(CLIENT_LIMITS.streamPauseMs * 2 ** (failures - 1), CLIENT_LIMITS.streamPauseMsMax);
  const asked = error instanceof Refusal ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, longest * (0.5 + Math.random() / 2));
}

/** A function, because the signal can abort during a wait. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;
