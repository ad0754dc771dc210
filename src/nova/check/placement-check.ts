// Checks a Placement service elsewhere: login, endpoint, version, permissions, and the providers of nova's hosts with
// their aggregates.

import { Unavailable } from '../../platform/values/errors';
import { StartRefused } from '../../platform/values/start-refused';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';
import { RemotePlacement } from '../../scheduler/remote-placement/remote-placement';
import type { NovaChanges } from '../cells/nova-facts';
import type { ProvidersOfPlacement } from './facts-check';
import { checkMirror } from './facts-check';
import type { Finding } from './finding';
import { failed, ok } from './finding';

const SUBJECT = 'Placement';

export async function checkPlacement(
  settings: RemotePlacementSettings,
  changes: NovaChanges,
): Promise<readonly Finding[]> {
  const placement = new RemotePlacement(settings);
  try {
    const { endpoint, newest } = await placement.start();
    const findings = checkMirror(changes, await providersOf(placement, changes));
    return [ok(SUBJECT, `${endpoint} answers, newest microversion ${newest}.`), ...findings];
  } catch (error) {
    if (error instanceof StartRefused || error instanceof Unavailable) return [failed(SUBJECT, error.message)];
    throw error;
  } finally {
    await placement.onApplicationShutdown();
  }
}

/** One request for all providers, and one for each host aggregate of nova, of which a cloud has some hundreds. */
async function providersOf(placement: RemotePlacement, { aggregates }: NovaChanges): Promise<ProvidersOfPlacement> {
  const all = await uuidsAt(placement, '/resource_providers');
  const members = new Map<string, ReadonlySet<unknown>>();
  for (const { uuid, hosts } of aggregates) {
    if (hosts.length > 0) members.set(uuid, await uuidsAt(placement, `/resource_providers?member_of=${uuid}`));
  }
  return {
    has: (provider) => all.has(provider),
    isIn: (provider, aggregate) => members.get(aggregate)?.has(provider) === true,
  };
}

async function uuidsAt(placement: RemotePlacement, path: string): Promise<ReadonlySet<unknown>> {
  const { json } = await placement.ask({ method: 'GET', path });
  const providers: readonly { readonly uuid?: unknown }[] = Array.isArray(json['resource_providers'])
    ? json['resource_providers']
    : [];
  return new Set(providers.map(({ uuid }) => uuid));
}
