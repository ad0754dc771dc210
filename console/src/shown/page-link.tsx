// A link to a page of the console.
import type { AnchorProps } from '@mantine/core';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Props extends AnchorProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly title?: string | undefined;
}

export const PageLink = ({ size = 'sm', ...rest }: Props) => <Anchor component={Link} size={size} {...rest} />;

/** In running text. */
export const TextLink = (props: Props) => <PageLink inherit underline="always" {...props} />;
