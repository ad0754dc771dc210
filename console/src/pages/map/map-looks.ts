// The colours of cells on light and dark backgrounds. Usage has the colours of the usage bars; contrast to the background
// grows with usage, so that colour-blind users can read it.
import type { CellMark, Look } from './map-kinds';
import { USE_STEPS } from './map-kinds';

type Scheme = 'light' | 'dark';

export interface CellLook {
  readonly fill: string;
  /** Edge for fills with low contrast to the background. */
  readonly edge?: string;
  readonly mark: CellMark;
  /** Colour of the mark and of a name on the cell. */
  readonly ink: string;
}

export interface GroundLook {
  readonly ground: string;
  readonly text: string;
  readonly faint: string;
  readonly focus: string;
}

/** The lines of a mark in a square of size 1: x and y of both ends. */
export const MARK_LINES: Readonly<Record<CellMark, readonly (readonly [number, number, number, number])[]>> = {
  none: [],
  cross: [
    [0.22, 0.78, 0.78, 0.22],
    [0.22, 0.22, 0.78, 0.78],
  ],
  slash: [[0.22, 0.78, 0.78, 0.22]],
  bar: [[0.22, 0.5, 0.78, 0.5]],
  dot: [],
  ring: [],
};

/** The radius of round marks in that square. */
export const MARK_RADIUS: Readonly<Partial<Record<CellMark, number>>> = { dot: 0.08, ring: 0.26 };

/** In both schemes: tints of the bars' colour below HIGH_USE, then the colours of the bars' levels. */
const SCALES: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#dff6f9', '#c5f0f6', '#9fe3ee', '#74d4e3', '#45c0d5', '#22abc4', '#1098ad', '#fab005', '#f08c00', '#e8590c'],
  dark: ['#1d3b42', '#174a54', '#145a67', '#126c7c', '#107f92', '#1094aa', '#15aabf', '#fcc419', '#fab005', '#fd7e14'],
};
const EDGES: Readonly<Record<Scheme, string>> = { light: '#8fb3ba', dark: '#4b6a72' };
/** Number of scale steps with low contrast to the background. */
const EDGED_STEPS = 1;

const DARK_INK = '#16181d';
const LIGHT_INK = '#ffffff';

export const GROUNDS: Readonly<Record<Scheme, GroundLook>> = {
  light: { ground: '#ffffff', text: '#1f2329', faint: '#565d66', focus: '#0b1016' },
  dark: { ground: '#242424', text: '#e3e5e8', faint: '#adb1b8', focus: '#ffffff' },
};

const plain = (fill: string, mark: CellMark = 'none'): CellLook => ({ fill, mark, ink: inkOn(fill) });

const FIXED: Readonly<Record<Scheme, Readonly<Record<Exclude<Look, `use ${number}` | `reason ${number}`>, CellLook>>>> =
  {
    light: {
      'over-full': plain('#c92a2a', 'cross'),
      hollow: { fill: '#ffffff', edge: '#a3abb5', mark: 'none', ink: DARK_INK },
      has: plain('#0c7285'),
      up: plain('#63c1a0'),
      disabled: plain('#6b737c', 'bar'),
      down: plain('#c92a2a', 'cross'),
      silent: plain('#d9660d', 'slash'),
      unreported: plain('#4c8fd6', 'dot'),
      sharing: plain('#7a4fd0', 'ring'),
    },
    dark: {
      'over-full': plain('#ff6b6b', 'cross'),
      hollow: { fill: '#242424', edge: '#6c727a', mark: 'none', ink: LIGHT_INK },
      has: plain('#3bc9db'),
      up: plain('#2f8f70'),
      disabled: plain('#9aa1aa', 'bar'),
      down: plain('#ff6b6b', 'cross'),
      silent: plain('#ff9d45', 'slash'),
      unreported: plain('#5aa0ea', 'dot'),
      sharing: plain('#a987f5', 'ring'),
    },
  };

/** Reasons against a flavor, the most frequent first. Each has a mark of its own as well. */
const REASONS: Readonly<Record<Scheme, readonly CellLook[]>> = {
  light: [
    plain('#e0a23a', 'slash'),
    plain('#8a63d2', 'ring'),
    plain('#c2557f', 'bar'),
    plain('#4c8fd6', 'dot'),
    plain('#96703f', 'cross'),
    plain('#7d8b2f', 'slash'),
  ],
  dark: [
    plain('#f0b754', 'slash'),
    plain('#a987f5', 'ring'),
    plain('#e57ba4', 'bar'),
    plain('#6aaef2', 'dot'),
    plain('#c29a66', 'cross'),
    plain('#b1c04f', 'slash'),
  ],
};

export function lookOf(look: Look, scheme: Scheme): CellLook {
  if (isReason(look)) return REASONS[scheme][Number(look.slice('reason '.length))] ?? FIXED[scheme].hollow;
  if (!isUse(look)) return FIXED[scheme][look];
  const step = Math.min(USE_STEPS - 1, Number(look.slice('use '.length)));
  const fill = SCALES[scheme][step] ?? LIGHT_INK;
  const cell = plain(fill);
  return step < EDGED_STEPS ? { ...cell, edge: EDGES[scheme] } : cell;
}

const isReason = (look: Look): look is `reason ${number}` => look.startsWith('reason ');
const isUse = (look: Look): look is `use ${number}` => look.startsWith('use ');

/** Dark or light ink, by contrast to the fill. */
function inkOn(fill: string): string {
  const part = (at: number): number => {
    const value = parseInt(fill.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  // Luminance at which black and white have equal contrast.
  return light > 0.179 ? DARK_INK : LIGHT_INK;
}
