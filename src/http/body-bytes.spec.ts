import { HTTP_LIMITS } from '../config/limits';
import { BodyWriter } from './body-bytes';
import type { BodyBytes } from './body-bytes';

function written(pieces: readonly string[]): BodyBytes {
  const body = new BodyWriter();
  for (const piece of pieces) body.add(piece);
  return body.done();
}

describe('a body in bytes', () => {
  it.each([
    ['nothing', []],
    ['short pieces', Array.from({ length: 5_000 }, (_, at) => `${at},`)],
    ['long pieces', Array.from({ length: 50 }, (_, at) => String(at % 10).repeat(20_000))],
    ['both in turns', Array.from({ length: 600 }, (_, at) => 'x'.repeat(at % 2 === 0 ? 3 : 700 + at))],
    ['one piece larger than any block', ['y'.repeat(3 * HTTP_LIMITS.spareBodyBlockBytes)]],
  ])('is what was added: %s', (_what, pieces) => {
    const body = written(pieces);
    expect(body.toString() === pieces.join('')).toBe(true);
    body.release();
  });

  it('takes back what was added last, gathered or written', () => {
    const body = new BodyWriter();
    body.add('[1,');
    body.takeBack(1);
    body.add(`"${'z'.repeat(2_000)}",`);
    body.takeBack(1);
    body.add(']');
    expect(body.done().toString()).toBe(`[1"${'z'.repeat(2_000)}"]`);
  });

  it('lends memory to one body at a time, and only once it was given back', () => {
    const first = written(['first']);
    const second = written(['second']);
    expect([first.toString(), second.toString()]).toEqual(['first', 'second']);
    first.release();
    first.release();
    const [third, fourth] = [written(['third']), written(['fourth'])];
    expect([second, third, fourth].map(String)).toEqual(['second', 'third', 'fourth']);
    expect(third.bytes.buffer).toBe(first.bytes.buffer);
    expect(fourth.bytes.buffer).not.toBe(first.bytes.buffer);
    for (const body of [second, third, fourth]) body.release();
  });

  it('keeps no memory of a body that was out of the ordinary', () => {
    const huge = written(['h'.repeat(HTTP_LIMITS.spareBodyBlockBytes + 1)]);
    huge.release();
    expect(written(['next']).bytes.buffer).not.toBe(huge.bytes.buffer);
  });
});
