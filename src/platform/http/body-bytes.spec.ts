import { HTTP_LIMITS } from '../config/limits/http';
import { runToCompletion } from '../values/task';
import { bytesOf, chunksOf, nextChunk } from './body-bytes';
import { jsonBody } from './long-json';

const EDGE = HTTP_LIMITS.bodyChunkCharacters;

it('gathers pieces to chunks of about 64 KiB', () => {
  const pieces = Array.from({ length: 3 * EDGE }, (_, at) => String(at % 10));
  const body = { pieces: () => [...pieces, 'ä'.repeat(100_000), 'end'] };
  const chunks = [...chunksOf(body)].flatMap((chunk) => chunk?.length ?? []);
  expect(chunks).toEqual([EDGE, EDGE, EDGE, 100_000, 3]);
});

it('pauses between pieces', () => {
  const chunks = chunksOf({ pieces: () => Array.from({ length: 100 }, () => 'x') });
  let pauses = 0;
  for (const task = nextChunk(chunks); task.next().done !== true;) pauses += 1;
  expect(pauses).toBeGreaterThan(10);
});

describe('a body as one buffer', () => {
  const document = { names: Array.from({ length: 40_000 }, (_, at) => `höst-${at}`) };
  const text = JSON.stringify(document);
  const body = jsonBody(document);

  it('is what would be sent', () => {
    if (typeof body === 'string') throw new Error('the document is long');
    expect(runToCompletion(bytesOf(body, 10_000_000))?.toString()).toBe(text);
  });

  it('is undefined beyond its limit', () => {
    if (typeof body === 'string') throw new Error('the document is long');
    const bytes = Buffer.byteLength(text);
    expect(runToCompletion(bytesOf(body, bytes))?.length).toBe(bytes);
    expect(runToCompletion(bytesOf(body, bytes - 1))).toBeUndefined();
  });

  it('is complete at every size around the edges of chunks', () => {
    for (let at = EDGE - 3; at <= EDGE + 3; at += 1) {
      for (const text of ['x'.repeat(at), '家'.repeat(at), `${'x'.repeat(at)}${'y'.repeat(EDGE)}`]) {
        const pieces = { pieces: () => text.match(/.{1,500}/gs) ?? [] };
        expect(runToCompletion(bytesOf(pieces, 10_000_000))?.toString() === text).toBe(true);
      }
    }
  });
});
