// Links a host's name to the hosts page filtered by that name.
import { hostsNamedPath } from '../address/path-to';
import { PageLink } from './page-link';

export const HostLink = ({ name }: { readonly name: string }) => <PageLink to={hostsNamedPath(name)}>{name}</PageLink>;
