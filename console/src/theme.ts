// Colours and sizes of the console. Usage has the colour of its level, red means an error, all else has the primary
// colour.
import type { MantineColor } from '@mantine/core';
import {
  ActionIcon,
  Autocomplete,
  Badge,
  Button,
  Collapse,
  createTheme,
  Drawer,
  Modal,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';

const DIALOG = { transitionProps: { duration: 0 }, closeButtonProps: { 'aria-label': 'Close' } };
/** The controls of pages; those of dialogs and of the login are larger. */
const SMALL = { defaultProps: { size: 'xs' } } as const;
/** Of these, Enter takes the first option that matches the typed text. */
const SEARCHED = { defaultProps: { size: 'xs', selectFirstOptionOnChange: true } } as const;

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
    Select: Select.extend(SEARCHED),
    MultiSelect: MultiSelect.extend(SEARCHED),
    Autocomplete: Autocomplete.extend(SMALL),
    Button: Button.extend(SMALL),
    NumberInput: NumberInput.extend(SMALL),
    SegmentedControl: SegmentedControl.extend(SMALL),
    TagsInput: TagsInput.extend(SMALL),
    Textarea: Textarea.extend(SMALL),
    TextInput: TextInput.extend(SMALL),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
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
