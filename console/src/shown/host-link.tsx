// Links a host's name to the hosts page filtered by that name.
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export const hostsNamedPath = (name: string): string => `/hosts?name=${encodeURIComponent(name)}`;

export function HostLink({ name }: { readonly name: string }) {
  return (
    <Anchor component={Link} to={hostsNamedPath(name)} size="sm">
      {name}
    </Anchor>
  );
}
