// Small dimmed text below or next to what it is about.
import type { TextProps } from '@mantine/core';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export const Note = (props: TextProps & { readonly children?: ReactNode }) => <Text size="xs" c="dimmed" {...props} />;

/** Dimmed text within text, for what is absent. */
export const Dimmed = (props: TextProps & { readonly children: ReactNode; readonly title?: string }) => (
  <Text span inherit c="dimmed" {...props} />
);
