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

const HOLLOW: Readonly<Record<Scheme, CellLook>> = {
  light: { fill: '#ffffff', edge: '#a3abb5', mark: 'none', ink: DARK_INK },
  dark: { fill: '#242424', edge: '#6c727a', mark: 'none', ink: LIGHT_INK },
};

/** The mark of a cell, and its fill in each scheme. */
interface Marked extends Readonly<Record<Scheme, string>> {
  readonly mark: CellMark;
}

const FIXED: Readonly<Record<Exclude<Look, 'hollow' | `use ${number}` | `reason ${number}`>, Marked>> = {
  'over-full': { mark: 'cross', light: '#c92a2a', dark: '#ff6b6b' },
  has: { mark: 'none', light: '#0c7285', dark: '#3bc9db' },
  up: { mark: 'none', light: '#63c1a0', dark: '#2f8f70' },
  disabled: { mark: 'bar', light: '#6b737c', dark: '#9aa1aa' },
  down: { mark: 'cross', light: '#c92a2a', dark: '#ff6b6b' },
  silent: { mark: 'slash', light: '#d9660d', dark: '#ff9d45' },
  unreported: { mark: 'dot', light: '#4c8fd6', dark: '#5aa0ea' },
  sharing: { mark: 'ring', light: '#7a4fd0', dark: '#a987f5' },
};

/** Reasons against a flavor, the most frequent first. Each has a mark of its own as well. */
const REASONS: readonly Marked[] = [
  { mark: 'slash', light: '#e0a23a', dark: '#f0b754' },
  { mark: 'ring', light: '#8a63d2', dark: '#a987f5' },
  { mark: 'bar', light: '#c2557f', dark: '#e57ba4' },
  { mark: 'dot', light: '#4c8fd6', dark: '#6aaef2' },
  { mark: 'cross', light: '#96703f', dark: '#c29a66' },
  { mark: 'slash', light: '#7d8b2f', dark: '#b1c04f' },
];

export function lookOf(look: Look, scheme: Scheme): CellLook {
  if (isUse(look)) {
    const step = Math.min(USE_STEPS - 1, Number(look.slice('use '.length)));
    const cell = plain(SCALES[scheme][step] ?? LIGHT_INK, 'none');
    return step < EDGED_STEPS ? { ...cell, edge: EDGES[scheme] } : cell;
  }
  const marked = isReason(look)
    ? REASONS[Number(look.slice('reason '.length))]
    : look === 'hollow'
      ? undefined
      : FIXED[look];
  return marked === undefined ? HOLLOW[scheme] : plain(marked[scheme], marked.mark);
}

const plain = (fill: string, mark: CellMark): CellLook => ({ fill, mark, ink: inkOn(fill) });

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
