// Draws the visible part of the map in one pass per kind of cell, so colours change a dozen times instead of ten
// thousand.
import { countText } from '../../shown/amount';
import type { CellMark } from './map-kinds';
import type { Block, Layout } from './map-layout';
import { TITLE_HEIGHT } from './map-layout';
import type { CellLook, GroundLook } from './map-looks';
import { MARK_LINES, MARK_RADIUS } from './map-looks';

export interface Picture {
  readonly layout: Layout;
  /** Titles of the blocks. */
  readonly titles: readonly string[];
  /** The key of a cell's kind. */
  readonly kindOf: (cell: number) => string;
  readonly nameOf: (cell: number) => string;
  /** The text below the name, or ''. */
  readonly noteOf: (cell: number) => string;
  /** By the key of the kind. */
  readonly looks: ReadonlyMap<string, CellLook>;
  /** The key of the highlighted kind. */
  readonly only: string | undefined;
  readonly ground: GroundLook;
  readonly font: string;
}

interface View {
  readonly width: number;
  readonly height: number;
  /** Vertical scroll offset. */
  readonly from: number;
  readonly ratio: number;
}

const FAINT = 0.14;
const NAMED_PITCH = 48;
const NOTED_SIZE = 54;
const MARKED_SIZE = 5;
/** Characters kept at the end of a shortened name: host names end with their number. */
const KEPT_AT_END = 4;

export function paint(context: CanvasRenderingContext2D, picture: Picture, view: View): void {
  context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = picture.ground.ground;
  context.fillRect(0, 0, view.width, view.height);
  context.setTransform(view.ratio, 0, 0, view.ratio, 0, Math.round(-view.from * view.ratio));
  const seen = picture.layout.blocks.flatMap((block, index) => {
    const part = partSeen(picture.layout, block, view);
    return part === undefined ? [] : [{ block, index, ...part }];
  });
  for (const { block, index } of seen) paintTitle(context, picture, block, index);
  const cells = seen.map((part) => cellsOf(picture, part));
  for (const [kind, look] of picture.looks) {
    context.globalAlpha = picture.only === undefined || picture.only === kind ? 1 : FAINT;
    for (const part of cells) {
      paintKind(context, part.get(kind) ?? [], picture.layout.pitch - picture.layout.gap, look);
    }
  }
  context.globalAlpha = 1;
  if (picture.layout.pitch >= NAMED_PITCH) {
    for (const part of seen) paintNames(context, picture, part);
  }
}

/** Cells `begin` to `end` (exclusive) of a block, which are in visible rows. */
interface Part {
  readonly block: Block;
  readonly begin: number;
  readonly end: number;
}

function partSeen({ pitch }: Layout, block: Block, { from, height }: View): Omit<Part, 'block'> | undefined {
  const top = block.top + TITLE_HEIGHT;
  if (block.top > from + height || top + block.rows * pitch < from) return undefined;
  const upper = Math.max(0, Math.floor((from - top) / pitch));
  const lower = Math.min(block.rows, Math.ceil((from + height - top) / pitch));
  const begin = Math.min(block.count, upper * block.columns);
  return { begin, end: Math.max(begin, Math.min(block.count, lower * block.columns)) };
}

/** Corners of the cells by kind: x, y, x, y… */
function cellsOf({ layout, kindOf, looks }: Picture, { block, begin, end }: Part): ReadonlyMap<string, number[]> {
  const byKind = new Map([...looks.keys()].map((kind): [string, number[]] => [kind, []]));
  const top = block.top + TITLE_HEIGHT;
  for (let at = begin; at < end; at += 1) {
    const row = Math.floor(at / block.columns);
    const x = block.left + (at - row * block.columns) * layout.pitch;
    byKind.get(kindOf(block.first + at))?.push(x, top + row * layout.pitch);
  }
  return byKind;
}

function paintKind(context: CanvasRenderingContext2D, at: readonly number[], size: number, look: CellLook): void {
  const { fill, edge, mark, ink } = look;
  const fillAll = (color: string, inset: number): void => {
    context.fillStyle = color;
    const side = size - 2 * inset;
    for (let index = 0; index < at.length; index += 2) {
      context.fillRect((at[index] ?? 0) + inset, (at[index + 1] ?? 0) + inset, side, side);
    }
  };
  if (edge !== undefined) fillAll(edge, 0);
  fillAll(fill, edge === undefined ? 0 : 1);
  if (mark === 'none' || size < MARKED_SIZE) return;
  context.beginPath();
  for (let index = 0; index < at.length; index += 2) trace(context, mark, at[index] ?? 0, at[index + 1] ?? 0, size);
  context.strokeStyle = ink;
  context.lineWidth = Math.max(1, Math.min(2, size / 10));
  context.stroke();
}

function trace(context: CanvasRenderingContext2D, mark: CellMark, x: number, y: number, size: number): void {
  // Large cells show a name in their middle; the mark is drawn in the upper right corner.
  const isNamed = size > NAMED_PITCH - 4;
  const side = isNamed ? 12 : size;
  const left = isNamed ? x + size - side - 4 : x;
  const top = isNamed ? y + 4 : y;
  for (const [x1, y1, x2, y2] of MARK_LINES[mark]) {
    context.moveTo(left + x1 * side, top + y1 * side);
    context.lineTo(left + x2 * side, top + y2 * side);
  }
  const radius = (MARK_RADIUS[mark] ?? 0) * side;
  if (radius > 0) {
    context.moveTo(left + side / 2 + radius, top + side / 2);
    context.arc(left + side / 2, top + side / 2, radius, 0, Math.PI * 2);
  }
}

function paintTitle(context: CanvasRenderingContext2D, picture: Picture, block: Block, index: number): void {
  const { ground, font, titles } = picture;
  const count = countText(block.count);
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.font = `600 12px ${font}`;
  const space = block.width - context.measureText(count).width - 8;
  const title = shortened(context, titles[index] ?? '', space);
  const y = block.top + TITLE_HEIGHT - 8;
  context.fillStyle = ground.text;
  context.fillText(title, block.left, y);
  const x = block.left + context.measureText(title).width + 6;
  context.font = `12px ${font}`;
  context.fillStyle = ground.faint;
  context.fillText(count, x, y);
}

function paintNames(context: CanvasRenderingContext2D, picture: Picture, { block, begin, end }: Part): void {
  const { layout, looks, kindOf, nameOf, noteOf, font, only } = picture;
  const size = layout.pitch - layout.gap;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `11px ${font}`;
  for (let at = begin; at < end; at += 1) {
    const cell = block.first + at;
    const kind = kindOf(cell);
    if (only !== undefined && only !== kind) continue;
    const x = block.left + (at % block.columns) * layout.pitch;
    const y = block.top + TITLE_HEIGHT + Math.floor(at / block.columns) * layout.pitch;
    context.fillStyle = looks.get(kind)?.ink ?? picture.ground.text;
    const note = size >= NOTED_SIZE ? noteOf(cell) : '';
    const middle = y + size / 2;
    context.fillText(
      shortened(context, nameOf(cell), size - 6, KEPT_AT_END),
      x + size / 2,
      note === '' ? middle : middle - 7,
    );
    if (note !== '') context.fillText(note, x + size / 2, middle + 9);
  }
}

/** Shortens a text to the width: at its end, or in its middle if `keptAtEnd` is set. */
function shortened(context: CanvasRenderingContext2D, text: string, space: number, keptAtEnd = 0): string {
  if (context.measureText(text).width <= space) return text;
  const end = keptAtEnd === 0 ? '' : text.slice(-keptAtEnd);
  let length = text.length - keptAtEnd - 1;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…${end}`).width > space) length -= 1;
  return `${text.slice(0, Math.max(1, length))}…${end}`;
}
