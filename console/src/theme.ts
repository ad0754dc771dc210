// Colours and sizes of the console. Usage has the colour of its level, red means an error, all else has the primary
// colour.
import type { MantineColor } from '@mantine/core';
import { Badge, Collapse, createTheme, Drawer, Modal, MultiSelect, Select, Text } from '@mantine/core';

const DIALOG = { transitionProps: { duration: 0 }, closeButtonProps: { 'aria-label': 'Close' } };

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
    Badge: Badge.extend({ defaultProps: { tt: 'none' } }),
    Text: Text.extend({ defaultProps: { size: 'sm' } }),
    Collapse: Collapse.extend({ defaultProps: { transitionDuration: 0 } }),
    Drawer: Drawer.extend({ defaultProps: DIALOG }),
    Modal: Modal.extend({ defaultProps: DIALOG }),
    // Enter takes the first option that matches the typed text.
    Select: Select.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { selectFirstOptionOnChange: true } }),
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
