// Reads a file line by line, with bounded line length and memory.
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Maximum size of a line: a provider or a consumer with all its data. */
const LINE_BYTES = 16 * 1024 * 1024;

/** Yields non-empty lines with their number, starting at 1. */
export async function* linesOf(path: string): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  const decoder = new StringDecoder('utf8');
  let [rest, number] = ['', 0];
  for await (const chunk of createReadStream(path)) {
    const parts = (rest + decoder.write(chunk as Buffer)).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) {
      number += 1;
      if (text.trim() !== '') yield { number, text };
    }
    if (rest.length > LINE_BYTES) {
      throw new Error(`${path}:${number + 1}: longer than ${LINE_BYTES} characters`);
    }
  }
  rest += decoder.end();
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}
