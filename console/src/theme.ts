// Colours and measures of the console. Amounts in use are shown in the colour of how full something is, everything
// else in the one primary colour; red is for what is wrong.
import { createTheme } from '@mantine/core';
import type { MantineColor } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  // Light on it and it on light are both readable (WCAG AA).
  primaryShade: 9,
  defaultRadius: 'md',
  cursorType: 'pointer',
  autoContrast: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
});

/** The colour of a share of capacity that is used, from 0 to 1 and beyond. */
export function colorOfUse(share: number): MantineColor {
  if (share > 1) return 'red.8';
  if (share >= 0.9) return 'orange.8';
  if (share >= 0.7) return 'yellow.8';
  return 'cyan.7';
}
