// A sentence of the service, with its amounts in readable units.
import type { TextProps } from '@mantine/core';
import { Text } from '@mantine/core';
import { readable } from './readable';

export const Sentence = ({ text, ...rest }: TextProps & { readonly text: string }) => (
  <Text style={{ overflowWrap: 'anywhere' }} {...rest}>
    {readable(text)}
  </Text>
);
