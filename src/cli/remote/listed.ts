// Reads lists of the service page by page, and names what a caller may have meant.
import type { Schema } from '../../../client/src/routes.ts';
import { CLI_LIMITS } from '../../platform/config/limits/processes';
import { nearestName } from '../../platform/values/nearest-name';
import { CommandFailed } from '../command-context';
import type { ServiceClient } from './service-client';

type Query = Readonly<Record<string, string | undefined>>;

/** At most `most` entries of the list at the path; `isCut` if the service has more. */
export async function listed<T>(
  client: ServiceClient,
  path: string,
  { member, query = {}, most = CLI_LIMITS.hostsListed }: { member: string; query?: Query; most?: number },
): Promise<{ readonly entries: readonly T[]; readonly isCut: boolean }> {
  const entries: T[] = [];
  let marker: string | undefined;
  do {
    const limit = String(Math.min(CLI_LIMITS.hostsPerPage, most - entries.length));
    const page = await client.get<Record<string, unknown>>(path, { limit, ...query, marker });
    entries.push(...(page[member] as readonly T[]));
    marker = (page['next_marker'] as string | null) ?? undefined;
  } while (marker !== undefined && entries.length < most);
  return { entries, isCut: marker !== undefined };
}

/** Names that are listed when none is near. */
const NAMES_LISTED = 10;

/** For a name that does not exist. `command` lists the known names. */
export function unknownName(what: string, given: string, known: readonly string[], command: string): CommandFailed {
  const nearest = nearestName(given, known);
  const isShort = known.length > 0 && known.length <= NAMES_LISTED;
  const list = isShort ? `Known: ${known.join(', ')}.` : `"berth ${command}" lists them.`;
  const hint = nearest === undefined ? list : `Did you mean '${nearest}'?`;
  return new CommandFailed(`${what} '${given}' does not exist. ${hint}`);
}

/** Throws for the first name that no host has. */
export async function checkHosts(client: ServiceClient, names: readonly string[]): Promise<void> {
  const known = await hostNames(client);
  for (const name of names) if (!known.includes(name)) throw unknownName('Host', name, known, 'hosts');
}

export async function hostNames(client: ServiceClient): Promise<readonly string[]> {
  const { entries } = await listed<Schema<'Host'>>(client, '/scheduler/hosts', { member: 'hosts' });
  return entries.map(({ host }) => host);
}

/** The resource provider of this name; a host has the name of its node. */
export async function providerNamed(client: ServiceClient, name: string): Promise<Schema<'ResourceProvider'>> {
  const { resource_providers: found } = await client.get<Schema<'ResourceProviders'>>('/resource_providers', { name });
  const [provider] = found;
  if (provider === undefined) throw unknownName('Host', name, await hostNames(client), 'hosts');
  return provider;
}

/** Sends many requests, a few at a time. */
export async function askInParts<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += CLI_LIMITS.askedAtOnce) {
    answers.push(...(await Promise.all(items.slice(at, at + CLI_LIMITS.askedAtOnce).map(ask))));
  }
  return answers;
}
