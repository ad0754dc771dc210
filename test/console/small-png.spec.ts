// Generated pictures, encoded row by row with every filter, and decoded after the reduction.
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { seededRandom } from '../../src/platform/values/random';
import { smallPng } from './small-png';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

type Picture = readonly (readonly number[])[];

/** The rows of a picture of 0xRRGGBB, each with its filter. */
function pngOf(
  picture: Picture,
  { alpha = false, filters = [0] }: { alpha?: boolean; filters?: number[] } = {},
): Buffer {
  const bytes = alpha ? 4 : 3;
  const rows = picture.map((row) =>
    Buffer.from(row.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff, ...(alpha ? [0xff] : [])])),
  );
  const filtered = rows.map((row, y) => {
    const filter = filters[y % filters.length] ?? 0;
    const above = rows[y - 1];
    const bytesOfRow = row.map((value, at) => {
      const left = row[at - bytes] ?? 0;
      const up = above?.[at] ?? 0;
      const corner = at < bytes ? 0 : (above?.[at - bytes] ?? 0);
      return value - guess(filter, { left, up, corner });
    });
    return Buffer.concat([Buffer.from([filter]), bytesOfRow]);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(picture[0]?.length ?? 0, 0);
  head.writeUInt32BE(picture.length, 4);
  head.set([8, alpha ? 6 : 2], 8);
  const data = deflateSync(Buffer.concat(filtered));
  // Chromium splits long data into several chunks.
  const middle = Math.floor(data.length / 2);
  const parts = [data.subarray(0, middle), data.subarray(middle)].map((part) => chunk('IDAT', part));
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), ...parts, chunk('IEND', Buffer.alloc(0))]);
}

interface Neighbours {
  readonly left: number;
  readonly up: number;
  readonly corner: number;
}

/** The Paeth predictor of the standard: the neighbour that is nearest to left + up - corner. */
function guess(filter: number, { left, up, corner }: Neighbours): number {
  const far = (value: number): number => Math.abs(left + up - corner - value);
  const nearest = [left, up, corner].reduce((best, value) => (far(value) < far(best) ? value : best));
  return [0, left, up, Math.floor((left + up) / 2), nearest][filter] ?? 0;
}

/** Decodes a PNG; throws for a wrong checksum. */
function pictureOf(png: Buffer): { readonly picture: Picture; readonly colours: number } {
  const chunks = new Map<string, Buffer>();
  expect(png.subarray(0, 8)).toEqual(SIGNATURE);
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += length + 12;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const head = chunks.get('IHDR') ?? Buffer.alloc(13);
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  expect([...head.subarray(8)]).toEqual([8, 3, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  expect(rows).toHaveLength((width + 1) * height);
  const picture = Array.from({ length: height }, (_, y) => {
    expect(rows[y * (width + 1)]).toBe(0);
    return Array.from({ length: width }, (__, x) => palette.readUIntBE((rows[y * (width + 1) + 1 + x] ?? 0) * 3, 3));
  });
  return { picture, colours: palette.length / 3 };
}

const WAVY: Picture = Array.from({ length: 10 }, (_, y) =>
  Array.from({ length: 7 }, (__, x) => [0x000000, 0xff8001, 0x1234ff, 0xfffffe][(x * x + 3 * y) % 4] ?? 0),
);

describe('a reduced picture', () => {
  it.each([
    ['none', [0]],
    ['left', [1]],
    ['up', [2]],
    ['mean', [3]],
    ['Paeth', [4]],
    ['all of them in turns', [4, 3, 2, 1, 0]],
  ])('equals the original, pixel by pixel; filter: %s', (_, filters) => {
    for (const alpha of [false, true]) {
      expect(pictureOf(smallPng(pngOf(WAVY, { filters, alpha })))).toEqual({ picture: WAVY, colours: 4 });
    }
  });

  it('has at most 256 colours, and each pixel is near the original', () => {
    const grey = (level: number): number => level * 0x010101;
    const steep = Array.from({ length: 16 }, (_, y) => Array.from({ length: 64 }, (__, x) => grey(x * 4) + (y << 4)));
    const { picture, colours } = pictureOf(smallPng(pngOf(steep, { filters: [4, 1] })));
    expect(colours).toBeLessThanOrEqual(256);
    const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
    const off = steep.flatMap((row, y) =>
      row.map((colour, x) => {
        const [one, other] = [channels(colour), channels(picture[y]?.[x] ?? 0)];
        return Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))));
      }),
    );
    expect(Math.max(...off)).toBeLessThanOrEqual(16);
    // The original had more than 256 colours.
    expect(new Set(steep.flat()).size).toBeGreaterThan(256);
  });

  it('keeps a dot in a unique colour, however many shades other colours have', () => {
    const shades = Array.from({ length: 40 }, (_, y) =>
      Array.from({ length: 40 }, (__, x) => ((x * 6) << 16) | ((y * 6) << 8) | 0x40),
    );
    const dotted = shades.map((row, y) => row.map((colour, x) => (x === 20 && y === 20 ? 0x0000ff : colour)));
    expect(pictureOf(smallPng(pngOf(dotted))).picture[20]?.[20]).toBe(0x0000ff);
  });

  it('is smaller than the original', () => {
    // Data that no filter compresses.
    const random = seededRandom(3);
    const noisy = Array.from({ length: 60 }, () =>
      Array.from({ length: 100 }, () => Math.floor(random() * 200) * 0x010203),
    );
    const png = pngOf(noisy, { alpha: true });
    expect(smallPng(png).length).toBeLessThan(png.length);
  });

  it('refuses data that is not PNG', () => {
    expect(() => smallPng(Buffer.alloc(0))).toThrow('no PNG');
    expect(() => smallPng(SIGNATURE)).toThrow('no PNG');
  });
});
