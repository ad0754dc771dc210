// Colours and sizes of the console. Usage has the colour of its level, red means an error, all else has the primary
// colour.
import type { MantineColor } from '@mantine/core';
import { createTheme } from '@mantine/core';

const DIALOG = { transitionProps: { duration: 0 }, closeButtonProps: { 'aria-label': 'Close' } };
const SMALL = { size: 'xs' };
/** Of these, Enter takes the first option that matches the typed text. */
const SEARCHED = { ...SMALL, selectFirstOptionOnChange: true };

const withDefaults = (defaultProps: object, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { defaultProps }]));

export const theme = createTheme({
  primaryColor: 'cyan',
  // This shade is readable as text on light and as background of light text (WCAG AA).
  primaryShade: 9,
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    ...withDefaults({ tt: 'none' }, 'Badge'),
    ...withDefaults({ size: 'sm' }, 'Text'),
    ...withDefaults({ transitionDuration: 0 }, 'Collapse'),
    ...withDefaults(DIALOG, 'Drawer', 'Modal'),
    ...withDefaults(SEARCHED, 'Select', 'MultiSelect'),
    // The controls of pages; those of dialogs and of the login are larger.
    ...withDefaults(SMALL, 'Autocomplete', 'Button', 'NumberInput', 'SegmentedControl', 'TagsInput'),
    ...withDefaults(SMALL, 'Textarea', 'TextInput'),
    ...withDefaults({ variant: 'subtle', color: 'gray' }, 'ActionIcon'),
  },
});

/** Shares from which a usage is high, and nearly full. Bars and the map use the same levels. */
const HIGH_USE = 0.7;
const NEARLY_FULL = 0.9;

/** The colour of a usage from 0 to 1 and above. */
export function colorOfUse(share: number): MantineColor {
  if (share > 1) return 'red.8';
  if (share >= NEARLY_FULL) return 'orange.8';
  if (share >= HIGH_USE) return 'yellow.8';
  return 'cyan.7';
}

/** Text and icons of a colour, readable on light and dark backgrounds. */
export const inkOf = (color: string): string =>
  `light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-4))`;
