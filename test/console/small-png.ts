// Reduces a screenshot: at most 256 colours, maximum compression. Pages are mostly plain areas, so the difference is
// invisible, and the docs stay small.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;

/** Accepts the PNGs of Chromium: eight bits per channel, with or without alpha, which is dropped. */
export function smallPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (head === undefined) throw new Error('no PNG');
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const bytes = head[9] === 6 ? 4 : 3;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const colours = coloursOf(inflateSync(packed), { width, height, bytes });
  const palette = paletteOf(colours);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    let place = places.get(colour);
    if (place === undefined) places.set(colour, (place = nearestTo(colour, palette)));
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = place;
  }
  const newHead = Buffer.from(head);
  newHead[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', newHead),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer): Iterable<{ readonly type: string; readonly data: Buffer }> {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface Size {
  readonly width: number;
  readonly height: number;
  /** Bytes per pixel. */
  readonly bytes: number;
}

/** Every pixel as 0xRRGGBB, with the row filters removed. */
function coloursOf(raw: Buffer, { width, height, bytes }: Size): Uint32Array {
  const stride = width * bytes;
  const colours = new Uint32Array(width * height);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    const row = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let at = 0; at < stride; at += 1) {
      const left = at < bytes ? 0 : (row[at - bytes] ?? 0);
      const up = above[at] ?? 0;
      const corner = at < bytes ? 0 : (above[at - bytes] ?? 0);
      row[at] = ((row[at] ?? 0) + guessed(filter, left, up, corner)) & 0xff;
    }
    for (let x = 0; x < width; x += 1) colours[y * width + x] = row.readUIntBE(x * bytes, 3);
    above = row;
  }
  return colours;
}

function guessed(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const sum = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** Frequent colours first, without colours near an already selected one: a dot in a unique colour keeps it. */
function paletteOf(colours: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  for (let near = 0; ; near = near * 2 + 8) {
    const palette: number[] = [];
    for (const colour of byCount) {
      if (palette.length > COLOURS_MAX) break;
      if (palette.every((other) => distanceOf(colour, other) > near)) palette.push(colour);
    }
    if (palette.length <= COLOURS_MAX) return palette;
  }
}

const channelsOf = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

/** The squared distance. */
function distanceOf(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 0xff) - ((other >> 8) & 0xff);
  const blue = (one & 0xff) - (other & 0xff);
  return red * red + green * green + blue * blue;
}

function nearestTo(colour: number, palette: readonly number[]): number {
  let [best, least] = [0, Infinity];
  for (const [place, other] of palette.entries()) {
    const distance = distanceOf(colour, other);
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}
