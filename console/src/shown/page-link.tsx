// Links to pages of the console.
import type { AnchorProps } from '@mantine/core';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { hostsNamedPath, pathTo } from '../address/path-to';
import type { GroupKind, NamedGroup } from './group-kind';
import { GROUP_NAMES } from './group-kind';

interface Props extends AnchorProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly title?: string | undefined;
}

export const PageLink = ({ size = 'sm', ...rest }: Props) => <Anchor component={Link} size={size} {...rest} />;

/** In running text. */
export const TextLink = (props: Props) => <PageLink inherit underline="always" {...props} />;

/** The hosts page, filtered by the name of a host. */
export const HostLink = ({ name }: { readonly name: string }) => <PageLink to={hostsNamedPath(name)}>{name}</PageLink>;

/** The hosts of a group; only the name for hosts without one. */
export const GroupLink = ({ by, group: { key, name } }: { readonly by: GroupKind; readonly group: NamedGroup }) =>
  key === null ? (
    GROUP_NAMES[by].none
  ) : (
    <PageLink to={pathTo('/hosts', { [by]: key })} inherit>
      {name ?? key}
    </PageLink>
  );
