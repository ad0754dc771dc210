import { HTTP_LIMITS } from '../config/limits/http';
import { runToCompletion } from '../values/task';
import { BodyWriter, BytesBody, bytesOf, reuseBlock } from './body-bytes';
import { jsonBody } from './long-json';

function blocksOf(pieces: readonly string[], isAscii = true): readonly Buffer[] {
  const body = new BodyWriter(isAscii);
  for (const piece of pieces) body.add(piece);
  return [...body.takeBlocks(), body.end()];
}

const textOf = (blocks: readonly Buffer[]): string => Buffer.concat(blocks).toString();

const GIVEN_BACK: Buffer[] = [];
afterEach(() => GIVEN_BACK.splice(0).forEach(reuseBlock));

function written(pieces: readonly string[], isAscii = true): readonly Buffer[] {
  const blocks = blocksOf(pieces, isAscii);
  GIVEN_BACK.push(...blocks);
  return blocks;
}

describe('a body in blocks', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['nothing', []],
    ['short pieces', Array.from({ length: 5_000 }, (_, at) => `${at},`)],
    ['long pieces', Array.from({ length: 50 }, (_, at) => String(at % 10).repeat(20_000))],
    ['both in turns', Array.from({ length: 600 }, (_, at) => 'x'.repeat(at % 2 === 0 ? 3 : 700 + at))],
    ['one piece larger than any block', ['y'.repeat(3 * HTTP_LIMITS.bodyBlockBytes)]],
  ];

  it.each(cases)('is what was added: %s', (_what, pieces) => {
    expect(textOf(written(pieces)) === pieces.join('')).toBe(true);
  });

  it('is what was added beyond ASCII, too', () => {
    const pieces = Array.from({ length: 40_000 }, (_, at) => (at % 3 === 0 ? 'häuser,' : at % 3 === 1 ? '家😀' : 'x'));
    expect(textOf(written(pieces, false)) === pieces.join('')).toBe(true);
  });

  it('never fills a block beyond its size, but for a piece that alone is larger', () => {
    const sizes = written(Array.from({ length: 2_000 }, () => 'z'.repeat(1_000))).map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(7);
    expect(sizes.every((size) => size <= HTTP_LIMITS.bodyBlockBytes)).toBe(true);
  });

  it('lends memory to one body at a time, and only once it was given back', () => {
    const [[first], [second]] = [blocksOf(['first']), blocksOf(['second'])];
    expect([first, second].map(String)).toEqual(['first', 'second']);
    if (first === undefined || second === undefined) throw new Error('every body has a block');
    reuseBlock(first);
    const [[third], [fourth]] = [blocksOf(['third']), blocksOf(['fourth'])];
    expect([second, third, fourth].map(String)).toEqual(['second', 'third', 'fourth']);
    expect(third?.buffer).toBe(first.buffer);
    expect(fourth?.buffer).not.toBe(first.buffer);
    GIVEN_BACK.push(second, third ?? second, fourth ?? second);
  });

  it('keeps no memory of a body that was out of the ordinary', () => {
    const huge = blocksOf(['h'.repeat(HTTP_LIMITS.bodyBlockBytes + 1)]).at(-1);
    if (huge === undefined) throw new Error('every body has a block');
    reuseBlock(huge);
    expect(written(['next']).at(-1)?.buffer).not.toBe(huge.buffer);
  });
});

describe('a body as one piece of memory', () => {
  const document = { names: Array.from({ length: 40_000 }, (_, at) => `höst-${at}`) };
  const text = JSON.stringify(document);
  const body = jsonBody(document);

  it('is what would be sent', () => {
    if (typeof body === 'string') throw new Error('the document is long');
    expect(runToCompletion(bytesOf(body, 10_000_000))?.toString()).toBe(text);
  });

  it('is none beyond its bound', () => {
    if (typeof body === 'string') throw new Error('the document is long');
    const bytes = Buffer.byteLength(text);
    expect(runToCompletion(bytesOf(body, bytes))?.length).toBe(bytes);
    expect(runToCompletion(bytesOf(body, bytes - 1))).toBeUndefined();
  });

  it('can be sent as it is', () => {
    const out = new BodyWriter(false);
    for (const piece of new BytesBody(Buffer.from(text)).pieces()) out.add(piece);
    expect(textOf([...out.takeBlocks(), out.end()])).toBe(text);
  });
});
