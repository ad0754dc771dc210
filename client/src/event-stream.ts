// Parses server-sent events from the body of an answer. Does not interpret their content.
import { UnreadableAnswer } from './errors.ts';

export interface ServerSentEvent {
  /** The last received id; empty before the first. */
  readonly id: string;
  readonly event: string;
  /** Empty if the event only updates the id. */
  readonly data: string;
}

/**
 * Reads to the end of the body; leaving the loop closes the connection. `heard` is called for every chunk, comments
 * included.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  { eventCharacters, received }: { readonly eventCharacters: number; readonly received: () => void },
): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let id = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      received();
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventOf(text.slice(0, end), id);
        text = text.slice(end + 2);
        id = event.id;
        yield event;
      }
      if (text.length > eventCharacters) throw new UnreadableAnswer('an event is longer than may be');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(lines: string, lastId: string): ServerSentEvent {
  let [id, event] = [lastId, 'message'];
  const data: string[] = [];
  for (const line of lines.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const name = line.slice(0, colon);
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { id, event, data: data.join('\n') };
}
