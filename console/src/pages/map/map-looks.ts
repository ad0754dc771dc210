// The colours of cells on light and dark backgrounds. Usage is a sequential scale from yellow to blue that colour-blind
// users can read; contrast to the background grows with usage.
import { USE_STEPS } from './map-kinds';
import type { CellMark, Look } from './map-kinds';

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

const SCALES: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#e6f3b0', '#cdeab4', '#abdeb7', '#82cfbb', '#5abfc1', '#38a8c3', '#2288bd', '#2263aa', '#253f97', '#131f66'],
  dark: ['#27305f', '#2a4583', '#255f9f', '#1f7bb3', '#2b98c0', '#4bb3c2', '#78c9bd', '#a8dcb6', '#d3eeb3', '#fbfdd0'],
};
const EDGES: Readonly<Record<Scheme, string>> = { light: '#b3c4a0', dark: '#52609a' };
/** Number of scale steps with low contrast to the background. */
const EDGED_STEPS = 1;

const DARK_INK = '#16181d';
const LIGHT_INK = '#ffffff';

export const GROUNDS: Readonly<Record<Scheme, GroundLook>> = {
  light: { ground: '#ffffff', text: '#1f2329', faint: '#565d66', focus: '#0b1016' },
  dark: { ground: '#242424', text: '#e3e5e8', faint: '#adb1b8', focus: '#ffffff' },
};

const plain = (fill: string, mark: CellMark = 'none'): CellLook => ({ fill, mark, ink: inkOn(fill) });

const FIXED: Readonly<Record<Scheme, Readonly<Record<Exclude<Look, `use ${number}`>, CellLook>>>> = {
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

export function lookOf(look: Look, scheme: Scheme): CellLook {
  if (!isUse(look)) return FIXED[scheme][look];
  const step = Math.min(USE_STEPS - 1, Number(look.slice('use '.length)));
  const fill = SCALES[scheme][step] ?? LIGHT_INK;
  const cell = plain(fill);
  return step < EDGED_STEPS ? { ...cell, edge: EDGES[scheme] } : cell;
}

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
